// The stored formulas, asked of solvers.
#include <mutex>

#include "ir/base/parallel_for.h"
#include "rewrite/report/report.h"
#include "tools/api/certificate/audit_files.h"
#include "verify/prove/solvers/smt/door.h"

namespace hexproof::api {
namespace {

/// The formula of a file as a script: without the line that sets the logic, and the question.
Script script_of(const std::string& text) {
  Script out;
  out.logic = "ALL";
  const std::string kLogic = "(set-logic ", kAsk = "(check-sat)\n";
  size_t at = text.find(kLogic);
  size_t end = at == text.npos ? text.npos : text.find(")\n", at);
  if (end != text.npos) {
    out.logic = text.substr(at + kLogic.size(), end - at - kLogic.size());
    at = end + 2;
  } else {
    at = 0;
  }
  out.text = text.substr(at);
  if (out.text.ends_with(kAsk)) out.text.resize(out.text.size() - kAsk.size());
  return out;
}

/// Is it the other answer than the one that shows the formula?
bool denies(const std::string& text, FormulaAnswer answer) {
  return answer == (is_shown_by_sat(text) ? FormulaAnswer::Unsat : FormulaAnswer::Sat);
}

Satisfiable by_z3(const Script& script, uint64_t rlimit) {
  Satisfiable first = ask_z3(script, Z3Tactic::Simple, rlimit).satisfiable;
  if (first != Satisfiable::Unknown) return first;
  return ask_z3(script, Z3Tactic::Floats, rlimit).satisfiable;
}

FormulaAnswer said(Satisfiable answer) {
  switch (answer) {
    case Satisfiable::No:
      return FormulaAnswer::Unsat;
    case Satisfiable::Yes:
      return FormulaAnswer::Sat;
    case Satisfiable::Unknown:
      return FormulaAnswer::Unknown;
  }
  internal_error(__FILE__, __LINE__, "no such answer");
}

}  // namespace

const char* to_text(FormulaAnswer answer) {
  switch (answer) {
    case FormulaAnswer::Unsat:
      return "unsat";
    case FormulaAnswer::Sat:
      return "sat";
    case FormulaAnswer::Unknown:
      return "unknown";
  }
  internal_error(__FILE__, __LINE__, "no such answer");
}

std::map<std::string, FormulaAnswer> ask_formula(const std::string& text, const AuditOptions& options,
                                                 const Limits& limits) {
  constexpr uint64_t kRlimit = 4'000'000;
  constexpr int kMilliseconds = 20'000;
  const Script script = script_of(text);
  const uint64_t rlimit = std::min<uint64_t>(limits.rlimit, kRlimit);
  std::map<std::string, FormulaAnswer> out;
  if (options.z3) out["z3"] = said(by_z3(script, rlimit));
  if (options.cvc5 && cvc5_version() != "none") {
    out["cvc5"] = said(ask_cvc5(script, rlimit, kMilliseconds).satisfiable);
  }
  return out;
}

namespace {

/// Where the only solver that was asked denies what was proved, the other one is asked, too.
std::map<std::string, FormulaAnswer> judged(const std::string& text, const AuditOptions& options,
                                            const Limits& limits) {
  std::map<std::string, FormulaAnswer> answers = ask_formula(text, options, limits);
  if (answers.size() != 1 || !denies(text, answers.begin()->second)) return answers;
  AuditOptions both = options;
  both.z3 = both.cvc5 = true;
  return ask_formula(text, both, limits);
}

}  // namespace

bool contradict(const std::map<std::string, FormulaAnswer>& answers) {
  auto has = [&](FormulaAnswer one) {
    return std::any_of(answers.begin(), answers.end(), [&](const auto& answer) { return answer.second == one; });
  };
  return has(FormulaAnswer::Sat) && has(FormulaAnswer::Unsat);
}

void discharge(const CertificateBytes& files, const AuditOptions& options, const Limits& limits, Audited* out) {
  std::vector<const CertificateBytes::value_type*> formulas;
  for (const auto& file : files) {
    if (file.first.starts_with("obligations/")) formulas.push_back(&file);
  }
  std::mutex lock;
  size_t denied = 0;
  parallel_for(formulas.size(), limits.jobs, [&](size_t k) {
    const std::map<std::string, FormulaAnswer> answers = judged(formulas[k]->second, options, limits);
    std::lock_guard held(lock);
    for (const auto& [solver, answer] : answers) {
      denied += denies(formulas[k]->second, answer);
      Discharged& counts = out->solvers[solver];
      (answer == FormulaAnswer::Unsat ? counts.unsat : answer == FormulaAnswer::Sat ? counts.sat : counts.unknown) += 1;
    }
    if (!contradict(answers)) return;
    std::string why;
    for (const auto& [solver, answer] : answers) why += (why.empty() ? "" : ", ") + solver + " says " + to_text(answer);
    out->findings.push_back({.file = formulas[k]->first, .line = 1, .column = 1, .why = why, .solvers = true});
  });
  std::sort(out->findings.begin(), out->findings.end(),
            [](const AuditFinding& a, const AuditFinding& b) { return a.file < b.file; });
  if (denied > 0 && out->findings.empty() && out->verdict == Verdict::Proved) {
    out->verdict = Verdict::Undecided;
    out->reason = std::to_string(denied) + " of the stored formulas have the answer that does not show them";
  }
  const auto cvc5 = out->solvers.find("cvc5");
  const bool decides = cvc5 != out->solvers.end() && cvc5->second.unsat + cvc5->second.sat > 0;
  if (!options.z3 && !formulas.empty() && !decides) {  // it was asked for by its name
    if (out->verdict == Verdict::Proved) out->verdict = Verdict::Undecided;
    out->reason = cvc5_version() == "none" ? "cvc5 is not installed" : "cvc5 decides none of the stored formulas";
  } else if (options.cvc5 && cvc5_version() == "none") {
    out->notes.push_back("cvc5 is not installed: the formulas were asked of Z3 alone");
  }
}

}  // namespace hexproof::api
