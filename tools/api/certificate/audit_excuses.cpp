#include "tools/api/certificate/audit_excuses.h"

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "ir/base/read_json.h"
#include "tools/api/certificate/audit_files.h"

namespace hexproof::api {
namespace {

/// A summary without the line that says how long the run took.
std::string without_seconds(const std::string& summary) {
  static const std::regex kSeconds(R"(\n *seconds [0-9.]+( under QEMU)?, [0-9.]+ in the interpreter(?=\n))");
  return std::regex_replace(summary, kSeconds, "");
}

/// A summary without the lines on the run, each of which says nothing but figures.
std::string without_figures(const std::string& summary) {
  static const std::regex kLines(
      "\n  (run (under QEMU|on this machine) on random input \\(seed \\d+\\) at full size:"
      "|  [A-Za-z_][A-Za-z_0-9]*: (\\d+ of \\d+ elements bit-equal to the interpreter's(, the first difference at "
      "\\d+)?"
      "|the padding (holds its value|differs at \\d+))"
      "|  differences are no error: on these inputs the granted flags leave open what comes out"
      "|packets \\d+, instructions \\d+, HVX instructions \\d+( \\(the counters wrap at 2\\^32\\))?"
      "|not run \\(--no-run\\)"
      "|seconds [0-9.]+( under QEMU)?, [0-9.]+ in the interpreter"
      "|addresses by post-increment \\d+ packets, by offsets \\d+: the better is kept)(?=\n)");
  static const std::regex kNone("\nWhat was tested, not proved\n(?=\n|$)");
  return std::regex_replace(std::regex_replace(summary, kLines, ""), kNone, "");
}

/// "2401 proved (2095 interval, 306 z3)" without what stands in brackets: which solver answered depends on its version.
std::string without_solvers(const std::string& text) {
  static const std::regex kCounts(R"( \(\d+ [a-z0-9-]+(, \d+ [a-z0-9-]+)*\))");
  return std::regex_replace(text, kCounts, "");
}

/// A summary without the line on values of what is given: whether a solver finds some depends on its version.
std::string without_models(const std::string& summary) {
  static const std::regex kGiven(R"(\n *what is given, [^\n]*)");
  return std::regex_replace(summary, kGiven, "");
}

Json without_solvers(Json json) {
  for (const char* section : {"by_construction", "by_validation"}) {
    if (json.contains(section)) json[section] = Json::parse(without_solvers(json[section].dump()));
  }
  return json;
}

/// A summary without the lines on what LLVM made.
std::string without_object(const std::string& summary) {
  static const std::regex kLines(R"(\n *(object|inner loops): [^\n]*)");
  return std::regex_replace(summary, kLines, "");
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
                                            const Excuses& excuses) {
  const bool solvers = excuses.made_elsewhere & kOtherSolvers, llvm = excuses.made_elsewhere & kOtherLlvm;
  if (name == "certificate.json") {
    auto skipped = [&](const std::string& path) {
      // The figures of a run are not repeated when the user does not ask for it.
      const bool figures = path == "/kernel/run" || path == "/kernel/addressing";
      // Values of what is given are evaluated, and not compared.
      if (path == "/versions" || path == "/given_models" || (figures && !excuses.repeated && excuses.claims_a_run))
        return true;
      if (llvm && made_by_llvm(path)) return true;
      return solvers && (path.ends_with("/solver") || path.ends_with("/rlimit"));
    };
    Json anew = Json::parse(made);
    if (excuses.claims_a_run) anew["made"]["run"] = true;  // whether or not it was repeated
    if (!solvers) return compare_json(name, stored, anew, skipped);
    return compare_json(name, without_solvers(read_json(stored)).dump(2) + "\n", without_solvers(anew), skipped);
  }
  if (name == "summary.txt") {
    auto said = [&](std::string text) {
      if (excuses.claims_a_run) text = excuses.repeated ? without_seconds(text) : without_figures(text);
      if (solvers) text = without_models(without_solvers(text));
      return llvm ? without_object(text) : text;
    };
    return compare_text(name, said(stored), said(made));
  }
  if (llvm && kMadeByLlvm.count(name)) return std::nullopt;
  return compare_text(name, stored, made);
}

}  // namespace hexproof::api
