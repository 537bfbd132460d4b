// A pair of RFC 77 as a file: a head of comments, then `# before`, `# schedule` and `# after`. docs/rfc77.md is made
// from these.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hexproof::rfc77 {

/// How a listing of the document compares with ours.
enum class Agreement : uint8_t {
  Same,       // the same program up to names and the order of factors
  Equal,      // proved equal, in both directions
  Refuted,    // the listing after is wrong: it is no refinement of the listing before
  NoProgram,  // it does not parse, or is not well formed
};

/// A listing of the document, by the line of its decorator.
struct Listing {
  std::optional<int> line;
  /// The type that is read where the document prints float32 (and that of its zeros), before anything is compared;
  /// empty: as printed.
  std::string dtype;
  Agreement agreement = Agreement::Same;
  /// What is replaced in its text, wherever it occurs, before it is compared.
  std::vector<std::pair<std::string, std::string>> repairs;
};

enum class Expect : uint8_t {
  Proved,
  Refused,    // the schedule is refused with this text, and changes nothing
  Unchanged,  // it runs, and finds nothing that it may do
};

struct PairFile {
  std::string name;  // "07_merge/01-elementwise"
  std::string section;
  Listing before_listing, after_listing;
  std::vector<std::string> errata;
  std::optional<int> errata_at;  // a line of the text that they are about; missing: a listing
  Expect expect = Expect::Proved;
  std::string refusal;   // Refused: a part of the text
  std::string asks_for;  // a fast-math flag without which the schedule is refused; empty: none
  /// The parts, each with as many empty lines in front that lines are those of the file. `before` is empty when the
  /// pair goes on from the one in front of it; `after` may be for one that is refused.
  std::string before, schedule, after;

  std::string chain() const { return name.substr(0, name.find('/')); }
  /// The schedule in one line.
  std::string step() const;
  /// The line that the errata are about; 0 for none.
  int errata_line() const;
};

/// Reads the text of a pair file. Error with the line of what is not as it should be.
PairFile read_pair(const std::string& name, const std::string& text);

/// All pairs in tests/seeds/rfc77, by folder and name.
std::vector<PairFile> all_pairs();
/// Of the pairs of one folder: where the run of pairs that the k-th belongs to starts.
size_t start_of_run(const std::vector<PairFile>& pairs, size_t k);
/// The text of the program that the k-th pair starts from: its own, or what the pairs in front of it lead to.
const std::string& program_before(const std::vector<PairFile>& pairs, size_t k);

}  // namespace hexproof::rfc77
