#include "fuzz/module_verdicts.h"

#include <algorithm>
#include <functional>

#include "fuzz/programs/arguments.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/interpreter/interpreter.h"
#include "ir/link/link.h"
#include "verify/check/check.h"
#include "verify/check/error_met.h"
#include "verify/check/module.h"
#include "verify/prove/effort.h"

namespace hexproof {
namespace {

constexpr int kModuleRuns = 6;
constexpr uint64_t kModuleSteps = 2'000'000;
constexpr uint64_t kModuleUnits = 100'000;

using Counts = std::function<bool(const RunError&)>;

/// An assume of the entry is what its caller owes; one of a callee is not.
bool counts(const Linked& linked, const RunError& error) {
  if (error.kind != ErrorKind::FalseAssume) return true;
  for (const CalleeAssume& assume : linked.assumes) {
    const Span at = stmt_at(linked.func, assume.path)->span;
    if (at && at.line == error.span.line && at.column == error.span.column) return true;
  }
  return false;
}

std::string error_of_module(const PrimFunc& func, uint64_t seed, const Counts& is_error) {
  for (int k = 0; k < kModuleRuns; ++k) {
    try {
      RunArguments arguments = arguments_of(func, k == 0 ? seed : next_random(seed));
      const RunResult result = run(func, arguments.buffers, arguments.scalars, {.max_steps = kModuleSteps});
      if (result.error && is_error(*result.error)) return result.error->str();
    } catch (const Unsupported&) {
    }
  }
  return "";
}

/// The input that is to show the error; nothing where it is not told whole.
std::optional<RunArguments> input_of(const PrimFunc& func, const ErrorMet& met) {
  RunArguments out;
  for (const Var& scalar : func.scalars()) {
    auto it = std::find_if(met.scalars.begin(), met.scalars.end(),
                           [&](const auto& named) { return named.first == scalar.name(); });
    if (it == met.scalars.end() || !scalar.dtype().is_integer() || scalar.dtype().bits > 32) return std::nullopt;
    out.scalars.push_back(std::stoll(it->second));
  }
  if (met.arguments.size() != func.buffer_params().size()) return std::nullopt;
  for (const auto& [name, tensor] : met.arguments) out.buffers.push_back(tensor);
  return out;
}

std::string no_error_where_refuted(const PrimFunc& func, const CheckReport& report, const Counts& is_error) {
  if (report.finding != Finding::Refuted || !report.met) return "";
  const ErrorMet& met = *report.met;
  // A claim is false by what its variables may be, and no run need show it.
  if (met.is_claim) return "";
  std::optional<RunArguments> input = input_of(func, met);
  if (!input) return "";
  try {
    const RunResult result = run(func, input->buffers, input->scalars, {.max_steps = kModuleSteps});
    // An assume of the function itself is refuted as one that is false where it stands.
    const bool assume = met.error.kind == ErrorKind::FalseAssume;
    if (result.out_of_steps || (result.error && (assume || is_error(*result.error)))) return "";
  } catch (const Error&) {
    return "";
  } catch (const Unsupported&) {
    return "";
  }
  return "check refutes a program on an input on which it meets no error: " + report.counterexample;
}

}  // namespace

std::string false_refutation(const PrimFunc& func, Prover& prover) {
  Allowance units(kModuleUnits);
  try {
    const auto is_error = [](const RunError& e) { return e.kind != ErrorKind::FalseAssume; };
    return no_error_where_refuted(func, check(func, prover), is_error);
  } catch (const Unsupported&) {
    return "";
  } catch (const std::exception& e) {
    return std::string("check failed: ") + e.what();
  }
}

std::string proved_though_refuted(const IRModule& module, const std::string& entry, Prover& prover) {
  Allowance units(kModuleUnits);
  const bool proved = check(link(module, entry, prover), prover).finding == Finding::Proved;
  return proved ? "check proves a module that reaches an error" : "";
}

std::string wrong_module_check(const IRModule& module, uint64_t seed, Prover& prover) {
  Allowance units(kModuleUnits);
  std::optional<Linked> linked;
  CheckReport report;
  std::string error;
  try {
    linked = link(module, module.functions.at(0).name, prover);
    const Counts is_error = [&](const RunError& e) { return counts(*linked, e); };
    error = error_of_module(linked->func, seed, is_error);
    report = check(*linked, prover);
    // What a callee may read has to hold a value, and no run without one meets an error.
    const bool permitted = report.met && report.met->error.kind == ErrorKind::Uninitialised;
    if (!permitted) {
      const std::string wrong = no_error_where_refuted(linked->func, report, is_error);
      if (!wrong.empty()) return wrong;
    }
  } catch (const Unsupported&) {
    return "";
  } catch (const Error&) {  // calls that do not fit
    return "";
  } catch (const std::exception& e) {
    return std::string("check of a module failed: ") + e.what();
  }
  const bool wrong = !error.empty() && report.finding == Finding::Proved;
  return wrong ? "check proved a module that reaches an error: " + error : "";
}

}  // namespace hexproof
