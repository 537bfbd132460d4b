#include "rewrite/report/shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace hexproof {
namespace {

constexpr size_t kWhat = 12, kColumn = 46;  // widths of the table
constexpr const char* kLeftOut = "left out (--trust-rules)";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string check_text(const Validation& v) {
  if (!v.check) return "not asked";
  std::string counts = tally(*v.check).str();
  if (v.check->finding == Finding::Proved) return "the result, for all inputs: " + counts;
  const std::string& why = v.check->counterexample.empty() ? v.check->reason : v.check->counterexample;
  return fmt::format("{}: the result, {}: {}", to_text(v.check->finding), counts, first_line(why));
}

std::string equiv_text(const Validation& v) {
  if (v.unchanged) return "the result is the first program";
  if (!v.not_compared.empty()) return "open: " + first_line(v.not_compared);
  if (!v.equiv) return "not asked";
  std::string out = fmt::format("{} by equiv", to_text(v.equiv->finding));
  for (const Evidence& e : v.equiv->evidence) {
    std::string at;
    for (const std::string& note : e.notes) at += note.starts_with("at ") ? " " + note : "";
    out += fmt::format("; {}{}: {}", e.method, at, first_line(e.says));
  }
  if (v.equiv->evidence.empty()) out += "; " + first_line(v.equiv->reason);
  return out;
}

std::string runs_text(const Validation& v) {
  if (v.unchanged || !v.runs) return v.unchanged ? "the result is the first program" : "not asked";
  if (v.disagrees == "runs") return "the results differ";
  if (v.runs->inputs == 0) return "none: " + first_line(v.runs->says);
  return fmt::format("the same results on {} inputs in the interpreter{}", v.runs->inputs,
                     v.runs_at.empty() ? "" : ", at " + v.runs_at);
}

/// Lines of at most `width` characters, cut between words where there are such.
std::vector<std::string> wrapped(const std::string& text, size_t width) {
  std::vector<std::string> lines = {""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace

std::string print_shown(const std::vector<ShownRow>& rows) {
  auto line = [](const std::string& a, const std::string& b, const std::string& c) {
    std::string out = fmt::format("  {:<{}} {:<{}}  {}", a, kWhat, b, kColumn, c);
    return out.erase(out.find_last_not_of(' ') + 1) + "\n";
  };
  std::string out = line("", "by construction", "by validation");
  for (const ShownRow& row : rows) {
    std::vector<std::string> left = wrapped(row.by_construction, kColumn), right = wrapped(row.by_validation, kColumn);
    for (size_t k = 0; k < std::max(left.size(), right.size()); ++k) {
      out += line(k == 0 ? row.what : "", k < left.size() ? left[k] : "", k < right.size() ? right[k] : "");
    }
  }
  return out;
}

std::vector<ShownRow> shown_rows(const Derivation& d, const CheckReport& source_check, const Validation* validation) {
  auto text = [&](std::string (*of)(const Validation&)) { return validation ? of(*validation) : kLeftOut; };
  return {{"errors", "the source, for all inputs: " + tally(source_check).str(), text(check_text)},
          {"results", fmt::format("{} steps, {}", d.steps().size(), tally(d).str()), text(equiv_text)},
          {"runs", "", text(runs_text)}};
}

ShownRow validation_row(const std::string& what, const std::string& by_construction, const Validation& validation) {
  std::string text = check_text(validation);
  if (validation.equiv || validation.unchanged || !validation.not_compared.empty())
    text += "; " + equiv_text(validation);
  if (validation.runs) text += "; " + runs_text(validation);
  return {what, by_construction, text};
}

Json by_construction_json(const Derivation& d, const CheckReport& source_check) {
  return {{"source_check", tally(source_check).str()}, {"steps", d.steps().size()}, {"obligations", tally(d).str()}};
}

Json by_validation_json(const Validation* v) {
  if (!v) return {{"left_out", "--trust-rules"}};
  Json out = {{"disagrees", v->disagrees}};
  if (v->check) {
    out["check"] = {{"verdict", to_text(v->check->finding)},
                    {"obligations", v->check->obligations.size()},
                    {"says", check_text(*v)}};
  }
  out["equiv"] = {{"says", equiv_text(*v)}};
  if (v->equiv) {
    out["equiv"]["verdict"] = to_text(v->equiv->finding);
    out["equiv"]["method"] = v->equiv->method;
    for (const Evidence& e : v->equiv->evidence) {
      out["equiv"]["evidence"].push_back(
          {{"method", e.method}, {"verdict", to_text(e.finding)}, {"says", e.says}, {"notes", e.notes}});
    }
  }
  out["runs"] = {{"says", runs_text(*v)}, {"inputs", v->runs ? v->runs->inputs : 0}, {"sizes", v->runs_at}};
  if (!v->witness.empty()) out["witness"] = v->witness;
  return out;
}

}  // namespace hexproof
