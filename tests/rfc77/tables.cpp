#include "tests/rfc77/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

namespace hexproof::rfc77 {
namespace {

/// A '|' would end the cell of a table.
std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\|");
  return text;
}

/// By the names of the pairs.
std::map<std::string, double> documented_times(const std::string& table) {
  std::map<std::string, double> out;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    size_t end = line.find(" | "), last = line.rfind("| ");
    if (!line.starts_with("| ") || end == std::string::npos || !line.ends_with(" |")) continue;
    out[line.substr(2, end - 2)] = std::strtod(line.c_str() + last + 2, nullptr);
  }
  return out;
}

/// All of a row but the names.
std::string errata_line_of(const PairFile& pair) {
  std::string what;
  std::vector<std::string> repairs;
  for (const Listing* listing : {&pair.before_listing, &pair.after_listing}) {
    for (const auto& [from, to] : listing->repairs) {
      std::string one = fmt::format("`{}` → `{}`", from, to);
      for (size_t at; (at = one.find('\n')) != std::string::npos;) one.replace(at, 1, "⏎");
      if (std::find(repairs.begin(), repairs.end(), one) == repairs.end()) repairs.push_back(one);
    }
  }
  if (pair.after_listing.agreement == Agreement::Refuted) what = "Refuted: ";
  for (size_t k = 0; k < pair.errata.size(); ++k) what += (k ? "<br>" : "") + pair.errata[k];
  return fmt::format("| {} | {} | {}", pair.errata_line(), cell(what),
                     cell(fmt::format("{}", fmt::join(repairs, "<br>"))));
}

}  // namespace

std::string verdict_of(const PairFile& pair, const Ran& ran) {
  const bool refused = !ran.refusal.empty();
  if (pair.expect == Expect::Refused) return refused ? "refused" : "NOT REFUSED";
  if (refused) return "REFUSED";
  if (pair.expect == Expect::Unchanged) return ran.steps == 0 ? "unchanged" : "CHANGED";
  return pair.asks_for.empty() ? "proved" : "proved, under `" + pair.asks_for + "`";
}

std::string table_of(const std::vector<Row>& rows, const std::string& documented) {
  std::string out =
      "# RFC 77, pair by pair\n\n"
      "Every before and after of RFC 77 (layout transforms with padding), written anew in `tests/seeds/rfc77`. For "
      "each, the\n"
      "schedule leads from one program to the other, each application of a rule is proved, and each step and the whole "
      "are judged\n"
      "again by whole-program comparison, which knows no rule. Where the document is at hand, its own listings are "
      "compared as well:\n"
      "[what is wrong in them](rfc77-errata.md).\n\n"
      "A pair without a program of its own goes on from the pair in front of it. *Refused* pairs are illegal in the "
      "document, too, or the\n"
      "document is wrong about them; the program is left as it is, and the illegal result is refuted by an input. "
      "*Unchanged*\n"
      "is a pass that finds nothing that it may do. Milliseconds are CPU time of the step with all its proofs, nothing "
      "cached.\n\n"
      "The tests labelled `rfc77` write this page to `rfc77.md` in the build folder.\n";
  const std::map<std::string, double> known = documented_times(documented);
  std::string section;
  for (const Row& row : rows) {
    if (row.pair.section != section) {
      section = row.pair.section;
      out += fmt::format("\n## {}\n\n| pair | step | verdict | obligations | ms |\n|---|---|---|---|---|\n", section);
    }
    double ms = row.milliseconds;
    auto it = known.find(row.pair.name);
    if (it != known.end() && ms < 4 * it->second + 20 && it->second < 4 * ms + 20) ms = it->second;
    out += fmt::format("| {} | `{}` | {} | {} | {:.0f} |\n", row.pair.name, cell(row.pair.step()), row.verdict,
                       row.obligations, ms);
  }
  return out;
}

std::string errata_of(const std::vector<PairFile>& pairs) {
  std::vector<const PairFile*> wrong;
  for (const PairFile& pair : pairs) {
    if (!pair.errata.empty()) wrong.push_back(&pair);
  }
  std::stable_sort(wrong.begin(), wrong.end(),
                   [](const PairFile* a, const PairFile* b) { return a->errata_line() < b->errata_line(); });
  std::string out =
      "# Errata of RFC 77\n\n"
      "What is wrong in RFC 77, by line: that of the decorator of a listing, or of the text. Listings that are "
      "*refuted* are no\n"
      "refinement of the listing in front of them: a test finds an input that shows it, and the interpreter replays "
      "it. Those that do\n"
      "not parse or are not well formed, and others where one word is wrong, are repaired; then they are the same "
      "program as\n"
      "[ours](rfc77.md), or proved equal to it.\n\n"
      "| line | what is wrong | repair | pair |\n|---|---|---|---|\n";
  // What several pairs meet stands there once, with their names.
  std::vector<std::pair<std::string, std::string>> lines;
  for (const PairFile* pair : wrong) {
    std::string line = errata_line_of(*pair);
    auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == line; });
    if (same == lines.end()) {
      lines.emplace_back(line, pair->name);
    } else {
      same->second = fmt::format("{}<br>{}", same->second, pair->name);
    }
  }
  for (const auto& [line, names] : lines) out += fmt::format("{} | {} |\n", line, names);
  return out;
}

std::string without_times(const std::string& table) {
  std::string out;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    size_t last = line.ends_with(" |") ? line.rfind("| ", line.size() - 3) : std::string::npos;
    bool number = last != std::string::npos && line.find_first_not_of("0123456789", last + 2) == line.size() - 2;
    out += (number ? line.substr(0, last) : line) + "\n";
  }
  return out;
}

}  // namespace hexproof::rfc77
