#include "tests/rfc77/pair_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "ir/base/diagnostic.h"
#include "ir/base/file.h"

namespace hexproof::rfc77 {
namespace {

std::string trimmed(const std::string& text) {
  size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// "\n" stands for the end of a line.
std::string unescaped(const std::string& text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    bool newline = text[k] == '\\' && k + 1 < text.size() && text[k + 1] == 'n';
    out.push_back(newline ? '\n' : text[k]);
    k += newline;
  }
  return out;
}

class Head {
 public:
  explicit Head(const std::string& name) { pair_.name = name; }

  void line(int number, const std::string& text) {
    if (text.empty()) return;
    number_ = number;
    if (text[0] != '#') fail("the head of a pair is made of comments");
    // A line that is set in goes on with the one in front of it.
    if (text.starts_with("#  ") && last_) {
      *last_ = fmt::format("{} {}", *last_, trimmed(text.substr(1)));
      return;
    }
    size_t colon = text.find(':');
    if (colon == std::string::npos) fail("there is no key in this line");
    entry(trimmed(text.substr(1, colon - 1)), trimmed(text.substr(colon + 1)));
  }

  PairFile& pair() { return pair_; }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}.py:{}: {}", pair_.name, number_, what));
  }
  void at(int number) { number_ = number; }

 private:
  void entry(const std::string& key, const std::string& value) {
    last_ = nullptr;
    auto& listing = key.ends_with("before") ? pair_.before_listing : pair_.after_listing;
    if (value.empty()) fail("nothing stands behind '" + key + "'");
    if (key == "section") {
      pair_.section = value;
    } else if (key == "listing before" || key == "listing after" || key == "errata at") {
      if (value.find_first_not_of("0123456789") != std::string::npos || value.size() > 6) fail("this is no line");
      (key == "errata at" ? pair_.errata_at : listing.line) = std::stoi(value);
    } else if (key == "document type") {
      if (value != "int32") fail("listings are read as they are printed, or on int32");
      pair_.before_listing.dtype = pair_.after_listing.dtype = value;
    } else if (key == "document before" || key == "document after") {
      static const std::map<std::string, Agreement> known{{"same", Agreement::Same},
                                                          {"equal", Agreement::Equal},
                                                          {"refuted", Agreement::Refuted},
                                                          {"no program", Agreement::NoProgram}};
      auto it = known.find(value);
      if (it == known.end()) fail("a listing is same, equal, refuted, or no program");
      listing.agreement = it->second;
    } else if (key == "repair before" || key == "repair after") {
      size_t arrow = value.find("=>");
      if (arrow == std::string::npos || arrow == 0) fail("a repair is OLD => NEW");
      listing.repairs.emplace_back(unescaped(trimmed(value.substr(0, arrow))),
                                   unescaped(trimmed(value.substr(arrow + 2))));
    } else if (key == "errata") {
      last_ = &pair_.errata.emplace_back(value);
    } else if (key == "expect") {
      expect(value);
    } else if (key == "asks for") {
      pair_.asks_for = value;
    } else {
      fail("'" + key + "' is no key of a pair");
    }
  }

  void expect(const std::string& value) {
    if (value == "proved") return;
    if (value == "unchanged") {
      pair_.expect = Expect::Unchanged;
    } else if (value.starts_with("refused:") && value.size() > 9) {
      pair_.expect = Expect::Refused;
      pair_.refusal = trimmed(value.substr(8));
    } else {
      fail("a pair is expected to be proved, unchanged, or refused: WORDS");
    }
  }

  PairFile pair_;
  int number_ = 1;
  std::string* last_ = nullptr;
};

}  // namespace

std::string PairFile::step() const {
  std::string out;
  std::istringstream lines(schedule);
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    bool glued = out.empty() || out.ends_with("(") || out.ends_with("[") || line[0] == ')' || line[0] == ']';
    bool open = std::count(out.begin(), out.end(), '(') > std::count(out.begin(), out.end(), ')');
    out += (glued ? "" : open ? " " : "; ") + line;
  }
  return out;
}

int PairFile::errata_line() const {
  if (errata_at) return *errata_at;
  bool of_before = !before_listing.repairs.empty() || before_listing.agreement == Agreement::NoProgram;
  bool of_after = !after_listing.repairs.empty() || after_listing.agreement == Agreement::NoProgram ||
                  after_listing.agreement == Agreement::Refuted;
  if (of_before && !of_after) return before_listing.line.value_or(0);
  return after_listing.line ? *after_listing.line : before_listing.line.value_or(0);
}

PairFile read_pair(const std::string& name, const std::string& text) {
  Head head(name);
  PairFile& pair = head.pair();
  std::string* part = nullptr;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::string* next = line == "# before"     ? &pair.before
                        : line == "# schedule" ? &pair.schedule
                        : line == "# after"    ? &pair.after
                                               : nullptr;
    if (next) {
      head.at(number);
      if (!next->empty()) head.fail("this part was there before");
      part = next;
      *part = std::string(static_cast<size_t>(number), '\n');
    } else if (part) {
      *part += line + "\n";
    } else {
      head.line(number, line);
    }
  }
  auto demand = [&](bool holds, const char* what) {
    if (!holds) head.fail(what);
  };
  demand(!pair.section.empty(), "the pair names no section");
  demand(!pair.schedule.empty() && !pair.step().empty(), "the pair has no schedule");
  demand(!pair.after.empty() || pair.expect != Expect::Proved, "the pair has no program after");
  demand(pair.before_listing.agreement != Agreement::Refuted, "only a listing after can be refuted");
  bool wrong = false;
  for (const Listing* listing : {&pair.before_listing, &pair.after_listing}) {
    bool said = listing->agreement == Agreement::Refuted || listing->agreement == Agreement::NoProgram;
    wrong = wrong || said || !listing->repairs.empty();
    demand(listing->line || (!said && listing->repairs.empty()), "the document is spoken of, and no listing named");
  }
  demand(!wrong || !pair.errata.empty(), "a listing that is wrong or repaired needs errata");
  demand(pair.errata.empty() || pair.errata_line() > 0, "errata without a listing");
  return pair;
}

std::vector<PairFile> all_pairs() {
  std::filesystem::path root = std::filesystem::path(HEXPROOF_SOURCE_DIR) / "tests" / "seeds" / "rfc77";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".py") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<PairFile> out;
  for (const auto& path : paths) {
    out.push_back(read_pair(path.lexically_relative(root).replace_extension().string(), read_file(path.string())));
  }
  return out;
}

size_t start_of_run(const std::vector<PairFile>& pairs, size_t k) {
  while (pairs.at(k).before.empty()) {
    if (k == 0 || pairs[k - 1].chain() != pairs[k].chain()) {
      throw Error(pairs[k].name + ": there is no program to go on from");
    }
    --k;
  }
  return k;
}

const std::string& program_before(const std::vector<PairFile>& pairs, size_t k) {
  if (!pairs.at(k).before.empty()) return pairs[k].before;
  size_t first = start_of_run(pairs, k);
  while (k-- > first) {
    if (pairs[k].expect == Expect::Proved) return pairs[k].after;
  }
  return pairs[first].before;
}

}  // namespace hexproof::rfc77
