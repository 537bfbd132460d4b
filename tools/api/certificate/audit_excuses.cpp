#include "tools/api/certificate/audit_excuses.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "ir/base/read_json.h"
#include "tools/api/certificate/audit_files.h"

namespace hexproof::api {
namespace {

/// std::regex recurses with each character that it matches: longer lines are none of hexproof's, and stay as they are.
constexpr size_t kLongestLine = 4096;

/// The text with what matches in a line put in another form.
std::string in_each_line(const std::string& text, const std::regex& what, const char* form) {
  std::string out;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
    const std::string line = text.substr(from, end - from);
    out += line.size() <= kLongestLine ? std::regex_replace(line, what, form) : line;
    from = end;
  }
  return out;
}

/// "2401 proved (2095 interval, 306 z3)" without what stands in brackets: which solver answered depends on its version.
std::string without_solvers(const std::string& text) {
  static const std::regex kCounts(R"( \(\d+ [a-z0-9-]+(, \d+ [a-z0-9-]+)*\))");
  return in_each_line(text, kCounts, "");
}

/// A summary without the line on values of what is given: whether a solver finds some depends on its version.
std::string without_models(const std::string& summary) {
  static const std::regex kGiven(R"(^ *what is given, [^\n]*\n)");
  return in_each_line(summary, kGiven, "");
}

/// The same of each text in a JSON value.
void drop_solvers(Json* json) {
  if (json->is_string()) *json = without_solvers(json->get<std::string>());
  if (!json->is_structured()) return;
  for (Json& part : *json) drop_solvers(&part);
}
Json without_solvers(Json json) {
  for (const char* section : {"by_construction", "by_validation"}) {
    if (json.contains(section)) drop_solvers(&json[section]);
  }
  return json;
}

/// A summary without the lines on what LLVM made.
std::string without_object(const std::string& summary) {
  static const std::regex kLines(R"(^ *(object|inner loops): [^\n]*\n)");
  return in_each_line(summary, kLines, "");
}

const std::set<std::string> kMadeByLlvm = {"kernel.ll", "kernel.o", "kernel.s", "kernel.elf"};

/// Does the part of certificate.json say what LLVM made?
bool made_by_llvm(const std::string& path) {
  for (const char* part : {"/kernel/llvm_ir", "/kernel/object", "/kernel/executable", "/kernel/inner_loops"}) {
    if (path.starts_with(part)) return true;
  }
  return path.starts_with("/files/") && kMadeByLlvm.count(path.substr(7)) > 0;
}

}  // namespace

std::optional<AuditFinding> compare_excused(const std::string& name, const std::string& stored, const std::string& made,
                                            unsigned excuses) {
  const bool solvers = excuses & kOtherSolvers, llvm = excuses & kOtherLlvm;
  if (name == "certificate.json") {
    auto skipped = [&](const std::string& path) {
      // Values of what is given are evaluated, and not compared.
      if (path == "/versions" || path == "/given_models") return true;
      if (llvm && made_by_llvm(path)) return true;
      return solvers && (path.ends_with("/solver") || path.ends_with("/rlimit"));
    };
    const Json anew = Json::parse(made);
    if (!solvers) return compare_json(name, stored, anew, skipped);
    return compare_json(name, without_solvers(read_json(stored)).dump(2) + "\n", without_solvers(anew), skipped);
  }
  if (name == "summary.txt") {
    auto said = [&](std::string text) {
      if (solvers) text = without_models(without_solvers(text));
      return llvm ? without_object(text) : text;
    };
    return compare_text(name, said(stored), said(made));
  }
  if (llvm && kMadeByLlvm.count(name)) return std::nullopt;
  return compare_text(name, stored, made);
}

}  // namespace hexproof::api
