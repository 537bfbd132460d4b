#include "fuzz/verdicts.h"

#include "fuzz/mutate.h"
#include "fuzz/program.h"
#include "ir/interpreter/random_values.h"
#include "rewrite/layout/interface.h"
#include "verify/check/check.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace {

constexpr int kRuns = 6;
constexpr uint64_t kVerdictSteps = 2'000'000;
constexpr uint64_t kMaxTerms = 30'000;

/// The first error that a few random runs meet; empty: none.
std::string error_met(const PrimFunc& func, uint64_t seed) {
  for (int k = 0; k < kRuns; ++k) {
    try {
      RunArguments arguments = random_arguments(func, k == 0 ? seed : next_random(seed));
      RunResult result = run(func, arguments.buffers, arguments.scalars, {.max_steps = kVerdictSteps});
      if (result.error && result.error->kind != ErrorKind::FalseAssume) return result.error->str();
    } catch (const Unsupported&) {
    }
  }
  return "";
}

std::string wrong_check(const PrimFunc& func, uint64_t seed, Prover& prover) {
  try {
    if (check(func, prover).finding != Finding::Proved) return "";
  } catch (const Unsupported&) {
    return "";
  } catch (const std::exception& e) {
    return std::string("check failed: ") + e.what();
  }
  std::string error = error_met(func, seed);
  return error.empty() ? "" : "check proved a program that reaches an error: " + error;
}

bool has_undef_cells(const std::vector<Tensor>& tensors) {
  for (const Tensor& t : tensors) {
    for (uint8_t state : t.initialised) {
      if (state != 1) return true;
    }
  }
  return false;
}

/// How two programs over the same arguments differ in a few random runs; empty: not seen.
std::string difference_met(const PrimFunc& before, const PrimFunc& after, uint64_t seed) {
  for (int k = 0; k < kRuns; ++k) {
    try {
      RunArguments arguments = random_arguments(before, k == 0 ? seed : next_random(seed));
      std::vector<Tensor> want = arguments.buffers, got = arguments.buffers;
      RunOptions options{.max_steps = kVerdictSteps};
      RunResult first = run(before, want, arguments.scalars, options);
      if (first.error || first.out_of_steps) continue;
      RunResult second = run(after, got, arguments.scalars, options);
      if (second.error) return "the second program reaches an error: " + second.error->str();
      if (second.out_of_steps || has_undef_cells(want) || has_undef_cells(got)) continue;
      for (size_t b = 0; b < want.size(); ++b) {
        int64_t at = first_difference(want[b], got[b]);
        if (at >= 0) return "element " + std::to_string(at) + " of '" + before.buffer_params()[b]->name + "'";
      }
    } catch (const Unsupported&) {
    }
  }
  return "";
}

std::string wrong_equiv(const PrimFunc& before, const PrimFunc& after, const RelationRequest& relation, bool derived,
                        uint64_t seed, Prover& prover) {
  EquivReport report;
  try {
    report = equiv(pair_programs(before, after, relation), prover, {.max_terms = kMaxTerms});
  } catch (const Unsupported&) {
    return "";
  } catch (const Error&) {
    return "";
  } catch (const std::exception& e) {
    return std::string("equiv failed: ") + e.what();
  }
  if (derived && report.finding == Finding::Refuted) {
    return "equiv refutes what the kernel derived: " + (report.counterexample ? report.counterexample->table : "");
  }
  if (derived || report.finding != Finding::Proved) return "";
  std::string difference = difference_met(before, after, seed);
  return difference.empty() ? "" : "equiv (" + report.method + ") proved programs equal that differ: " + difference;
}

void mark(Trial& trial, const std::string& finding) {
  if (finding.empty() || trial.outcome == Outcome::Unsound) return;
  trial.outcome = Outcome::Unsound;
  trial.finding = finding;
}

void judge_mutant(Trial& trial, const Mutant& mutant, Prover& prover) {
  uint64_t seed = trial.fuzz_case.input_seed;
  std::string finding = wrong_check(mutant.program, seed, prover);
  if (finding.empty() && trial.outcome != Outcome::Erroneous) {
    finding = wrong_equiv(trial.fuzz_case.program, mutant.program, {}, false, seed, prover);
  }
  if (finding.empty()) return;
  mark(trial, "of a mutant (" + mutant.what + "): " + finding);
  // The steps have no part in it.
  trial.accepted = {{"mutant", {{"what", mutant.what}}}};
  trial.fuzz_case.steps = trial.accepted;
}

void judge_pair(Trial& trial, Prover& prover) {
  if (!trial.after || trial.accepted.empty() || trial.outcome == Outcome::Erroneous) return;
  mark(trial, wrong_equiv(trial.fuzz_case.program, *trial.after, relation_request(trial.interface), true,
                          trial.fuzz_case.input_seed, prover));
}

}  // namespace

void judge_verdicts(Trial& trial, uint64_t seed, Prover& prover) {
  if (trial.outcome == Outcome::Unsound) return;
  judge_pair(trial, prover);
  uint64_t which = next_random(seed);
  if (which % 2 == 0 || trial.outcome == Outcome::Erroneous) {
    mark(trial, wrong_check(trial.fuzz_case.program, trial.fuzz_case.input_seed, prover));
    return;
  }
  std::vector<Mutant> all = mutants(trial.fuzz_case.program);
  if (trial.outcome != Outcome::Unsound && !all.empty()) {
    judge_mutant(trial, all[next_random(seed) % all.size()], prover);
  }
}

Trial judge_with_verdicts(const FuzzCase& fuzz_case, Prover& prover) {
  FuzzCase steps = fuzz_case;
  std::erase_if(steps.steps, [](const StepRequest& step) { return step.rule == "mutant"; });
  Trial trial = judge(steps, prover);
  if (trial.outcome == Outcome::Unsound) return trial;
  for (const StepRequest& step : fuzz_case.steps) {
    if (step.rule != "mutant") continue;
    for (const Mutant& m : mutants(fuzz_case.program)) {
      if (m.what != step.args.at("what").get<std::string>()) continue;
      judge_mutant(trial, m, prover);
      return trial;
    }
  }
  judge_pair(trial, prover);
  mark(trial, wrong_check(trial.fuzz_case.program, trial.fuzz_case.input_seed, prover));
  return trial;
}

}  // namespace hexproof
