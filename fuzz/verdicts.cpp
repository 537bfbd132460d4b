#include "fuzz/verdicts.h"

#include "fuzz/granted/granted.h"
#include "fuzz/programs/arguments.h"
#include "fuzz/programs/program.h"
#include "fuzz/steps/mutate.h"
#include "fuzz/te/te_campaign.h"
#include "ir/interpreter/inputs/random_values.h"
#include "rewrite/layout/interface.h"
#include "verify/check/check.h"
#include "verify/equiv/equiv.h"
#include "verify/prove/effort.h"

namespace hexproof {
namespace {

constexpr int kRuns = 6;
constexpr uint64_t kVerdictSteps = 2'000'000;
constexpr uint64_t kMaxTerms = 30'000;
constexpr uint64_t kVerdictUnits = 100'000;  // of all proofs for the verdicts on one case
constexpr uint64_t kFull = 16;               // one verdict in so many has the full effort

/// The first error that a few random runs meet; empty: none.
std::string error_met(const PrimFunc& func, uint64_t seed) {
  for (int k = 0; k < kRuns; ++k) {
    try {
      RunArguments arguments = arguments_of(func, k == 0 ? seed : next_random(seed));
      RunResult result = run(func, arguments.buffers, arguments.scalars, {.max_steps = kVerdictSteps});
      if (result.error && result.error->kind != ErrorKind::FalseAssume) return result.error->str();
    } catch (const Unsupported&) {
    }
  }
  return "";
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
      RunArguments arguments = arguments_of(before, k == 0 ? seed : next_random(seed));
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

/// What `after` may compute on a few random inputs, and `before` may not; empty: not seen.
std::string forbidden_met(const PrimFunc& before, const PrimFunc& after, uint64_t seed) {
  if (!before.scalars().empty() || !after.scalars().empty()) return "";  // of scalars nothing is modelled
  for (int k = 0; k < kRuns / 2; ++k) {
    const std::vector<Tensor> inputs = granted_inputs(before, k == 0 ? seed : next_random(seed));
    const std::optional<Outcomes> allowed = allowed_outcomes(before, inputs);
    if (!allowed) continue;
    const std::string forbidden = forbidden_outcome(*allowed, after, inputs);
    if (!forbidden.empty()) return forbidden;
  }
  return "";
}

/// What equiv says of the pair; nothing where it cannot say anything. `derived`: only a refutation counts, which is
/// replayed, so that nothing has to be free of errors for all inputs.
std::optional<EquivReport> report_of(const PrimFunc& before, const PrimFunc& after, const RelationRequest& relation,
                                     EquivEffort effort, bool derived, Prover& prover) {
  try {
    return equiv(pair_programs(before, after, relation), prover,
                 {.max_terms = kMaxTerms, .effort = effort, .free_of_errors = derived});
  } catch (const Unsupported&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// A pair that the kernel derived is not refuted.
std::string wrong_refutation(const PrimFunc& before, const PrimFunc& after, const RelationRequest& relation,
                             EquivEffort effort, Prover& prover) {
  try {
    std::optional<EquivReport> report = report_of(before, after, relation, effort, true, prover);
    if (!report || report->finding != Finding::Refuted) return "";
    return "equiv refutes what the kernel derived: " + (report->counterexample ? report->counterexample->table : "");
  } catch (const std::exception& e) {
    return std::string("equiv failed: ") + e.what();
  }
}

/// How equiv proves the pair, or fails: by any method, even where a cross-check notices it later. Empty: it does not.
std::string proving_method(const PrimFunc& before, const PrimFunc& after, Prover& prover) {
  try {
    std::optional<EquivReport> report = report_of(before, after, {}, EquivEffort::Bounded, false, prover);
    if (!report) return "";
    if (report->finding == Finding::Refuted && report->contradicted.empty()) return "";
    std::string method = report->finding == Finding::Refuted ? report->contradicted : report->method;
    if (report->finding != Finding::Refuted && report->finding != Finding::Proved) return "";
    return "equiv (" + method + ") proved programs equal that differ";
  } catch (const std::exception& e) {
    return std::string("equiv failed: ") + e.what();
  }
}

/// How `check` proves the program, or fails; empty: it does not.
std::string checked_as_proved(const PrimFunc& func, Prover& prover) {
  try {
    if (check(func, prover).finding != Finding::Proved) return "";
  } catch (const Unsupported&) {
    return "";
  } catch (const std::exception& e) {
    return std::string("check failed: ") + e.what();
  }
  return "check proved a program that reaches an error";
}

/// Programs that differ in a run are not proved equal.
/// (Where no run shows a difference, nothing is learned from a proof.)
std::string wrong_proof(const PrimFunc& before, const PrimFunc& after, uint64_t seed, Prover& prover) {
  const std::string difference =
      before.granted_flags().empty() ? difference_met(before, after, seed) : forbidden_met(before, after, seed);
  if (difference.empty()) return "";
  const std::string method = proving_method(before, after, prover);
  return method.empty() ? "" : method + ": " + difference;
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
    finding = wrong_proof(trial.fuzz_case.program, mutant.program, seed, prover);
  }
  if (finding.empty()) return;
  mark(trial, "of a mutant (" + mutant.what + "): " + finding);
  // The steps have no part in it.
  trial.accepted = {{"mutant", {{"what", mutant.what}}}};
  trial.fuzz_case.steps = trial.accepted;
}

void judge_pair(Trial& trial, EquivEffort effort, Prover& prover) {
  if (!trial.after || trial.accepted.empty() || trial.outcome == Outcome::Erroneous) return;
  mark(trial,
       wrong_refutation(trial.fuzz_case.program, *trial.after, relation_request(trial.interface), effort, prover));
}

}  // namespace

/// Runs come first: they are cheap, and without an error `check` may say what it likes.
std::string wrong_check(const PrimFunc& func, uint64_t seed, Prover& prover) {
  const std::string error = error_met(func, seed);
  if (error.empty()) return "";
  const std::string wrong = checked_as_proved(func, prover);
  return wrong.empty() ? "" : wrong + ": " + error;
}

std::string wrong_equiv(const PrimFunc& before, const PrimFunc& after, uint64_t seed, Prover& prover) {
  Allowance units(kVerdictUnits);
  return wrong_proof(before, after, seed, prover);
}

std::string proved_though_refuted(const PrimFunc& func, Prover& prover) { return checked_as_proved(func, prover); }

std::string proved_though_refuted(const PrimFunc& before, const PrimFunc& after, Prover& prover) {
  Allowance units(kVerdictUnits);
  return proving_method(before, after, prover);
}

void judge_verdicts(Trial& trial, uint64_t seed, Prover& prover) {
  if (trial.outcome == Outcome::Unsound) return;
  // Within small bounds mostly: few refutations need more.
  Allowance units(kVerdictUnits);
  judge_pair(trial, next_random(seed) % kFull == 0 ? EquivEffort::Full : EquivEffort::Bounded, prover);
  uint64_t which = next_random(seed);
  if (which % 2 == 0 || trial.outcome == Outcome::Erroneous) {
    mark(trial, wrong_check(trial.fuzz_case.program, trial.fuzz_case.input_seed, prover));
    return;
  }
  if (trial.outcome == Outcome::Unsound) return;
  const PrimFunc& program = trial.fuzz_case.program;
  const bool form = !program.granted_flags().empty() && next_random(seed) % 4 != 0;
  const uint64_t number = next_random(seed);
  if (std::optional<Mutant> mutant = form ? another_form(program, number) : some_mutant(program, number)) {
    judge_mutant(trial, *mutant, prover);
  }
}

Trial judge_with_verdicts(const FuzzCase& fuzz_case, Prover& prover) {
  FuzzCase steps = fuzz_case;
  std::erase_if(steps.steps, [](const StepRequest& step) { return step.rule == "mutant"; });
  Trial trial = judge(steps, prover);
  judge_tensor(trial, prover);
  if (trial.outcome == Outcome::Unsound) return trial;
  for (const StepRequest& step : fuzz_case.steps) {
    if (step.rule != "mutant") continue;
    const std::string what = step.args.at("what").get<std::string>();
    if (what.starts_with(kAnotherForm)) {
      auto form = another_form(fuzz_case.program, std::stoull(what.substr(kAnotherForm.size())));
      if (form) judge_mutant(trial, *form, prover);
      return trial;
    }
    for (const Mutant& m : mutants(fuzz_case.program)) {
      if (m.what != what) continue;
      judge_mutant(trial, m, prover);
      return trial;
    }
  }
  judge_pair(trial, EquivEffort::Full, prover);
  if (trial.outcome != Outcome::Unsound) judge_pair(trial, EquivEffort::Bounded, prover);
  mark(trial, wrong_check(trial.fuzz_case.program, trial.fuzz_case.input_seed, prover));
  return trial;
}

}  // namespace hexproof
