// The formulas of a schedule as files, for many machines.
//
// DIR/index.json lists the formulas with their digests; it is written last, so a folder without it is incomplete.
// DIR/obligations/NAME.smt2 are the formulas; DIR/answers/NAME.json is what solvers said of one. Each answer is a file
// of its own that appears under its name when it is complete, so shards may run anywhere, in any order, and again.
#pragma once
#include <nlohmann/json.hpp>

#include "ir/base/formula_file.h"
#include "tools/api/certificate/audit_files.h"

namespace hexproof {
struct Obligation;
}

namespace hexproof::api {

/// A formula that an index lists.
struct ListedFormula {
  std::string file;    // "obligations/NAME.smt2"; NAME: the first half of a half of its digest
  std::string sha256;  // of its text
  std::string text;
  FormulaAnswer shown_by = FormulaAnswer::Unsat;  // Sat: of an assume, that it can hold
};

/// What is to be written: each formula once, in the order in which they are added. Error where two have one name.
class FormulaList {
 public:
  /// `of`: "check", or a step.
  void add(const Obligation& obligation, const std::string& of);
  size_t size() const { return text_.size(); }
  /// Writes all of it; what is there already stays. Error where the folder holds the formulas of something else, or
  /// what is no regular file stands in the way. The digests are those of program and schedule.
  void write(const std::string& folder, const std::string& program, const std::string& schedule) const;

 private:
  FormulaNames names_;
  std::map<std::string, std::string> text_;
  nlohmann::ordered_json index_ = nlohmann::ordered_json::array();
};

struct FormulaFolder {
  std::vector<ListedFormula> formulas;
  std::vector<AuditFinding> wrong;  // files that are missing, not listed, or other ones than the index says
};
/// Error, with the place, where index.json is missing or no index of this schema_version.
FormulaFolder read_formulas(const std::string& folder);

/// What solvers said of the formula: of each that was asked, by its name. Nothing where no answer is stored that fits
/// it: it is to be asked. Error where the answer is no regular file.
std::optional<std::map<std::string, FormulaAnswer>> stored_answers(const std::string& folder,
                                                                   const ListedFormula& formula);
void write_answers(const std::string& folder, const ListedFormula& formula,
                   const std::map<std::string, FormulaAnswer>& answers);

}  // namespace hexproof::api
