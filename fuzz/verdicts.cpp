#include "fuzz/verdicts.h"

#include <fmt/format.h>

#include "fuzz/granted/granted.h"
#include "fuzz/module_verdicts.h"
#include "fuzz/programs/arguments.h"
#include "fuzz/programs/called.h"
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

/// Cells of both that depend on an undef are taken out: what they hold says nothing.
void forget_undefs(Tensor* a, Tensor* b) {
  auto forget = [](const Tensor& from, Tensor* in) {
    for (size_t k = 0; k < from.initialised.size(); ++k) {
      if (from.initialised[k] != 2) continue;
      if (in->initialised.empty()) in->initialised.assign(from.initialised.size(), 1);
      if (in->initialised[k] == 1) in->initialised[k] = 2;
    }
  };
  forget(*a, b), forget(*b, a);
}

struct SeenDifference {
  std::string where;  // empty: none
  bool lost = false;  // a cell that holds any value, or a value, behind the one alone
};

/// How two programs over the same arguments differ in a few random runs.
SeenDifference difference_met(const PrimFunc& before, const PrimFunc& after, uint64_t seed) {
  for (int k = 0; k < kRuns; ++k) {
    try {
      RunArguments arguments = arguments_of(before, k == 0 ? seed : next_random(seed));
      std::vector<Tensor> want = arguments.buffers, got = arguments.buffers;
      RunOptions options{.max_steps = kVerdictSteps};
      RunResult first = run(before, want, arguments.scalars, options);
      if (first.error || first.out_of_steps) continue;
      RunResult second = run(after, got, arguments.scalars, options);
      if (second.error) return {"the second program reaches an error: " + second.error->str()};
      if (second.out_of_steps) continue;
      for (size_t b = 0; b < want.size(); ++b) {
        auto element = [&](int64_t at) {
          return "element " + std::to_string(at) + " of '" + before.buffer_params()[b]->name + "'";
        };
        if (const int64_t at = first_lost(want[b], got[b]); at >= 0)
          return {element(at) + " holds no value behind the second program", true};
        forget_undefs(&want[b], &got[b]);
        if (const int64_t at = first_difference(want[b], got[b]); at >= 0) return {element(at)};
      }
    } catch (const Unsupported&) {
    }
  }
  return {};
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
                                     EquivEffort effort, bool derived, Prover& prover, Method method = Method::Auto) {
  try {
    return equiv(pair_programs(before, after, relation), prover,
                 {.method = method, .max_terms = kMaxTerms, .effort = effort, .free_of_errors = derived});
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

/// How equiv proves the pair, or fails: by any method, even where a cross-check notices it later. With `weaker`, also
/// what it calls equal where it looked. Empty: it does not.
std::string proving_method(const PrimFunc& before, const PrimFunc& after, Prover& prover, bool weaker = false) {
  try {
    std::optional<EquivReport> report = report_of(before, after, {}, EquivEffort::Bounded, false, prover);
    if (!report) return "";
    const std::optional<EquivReport> looked =
        weaker ? report_of(before, after, {}, EquivEffort::Full, false, prover, Method::Tests) : std::nullopt;
    for (const Evidence& e : looked ? looked->evidence : std::vector<Evidence>()) {
      if (e.equal_so_far) return "equiv (" + e.method + ") calls programs equal, as far as seen, that differ";
    }
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
  const SeenDifference difference = before.granted_flags().empty() ? difference_met(before, after, seed)
                                                                   : SeenDifference{forbidden_met(before, after, seed)};
  if (difference.where.empty()) return "";
  const std::string method = proving_method(before, after, prover, difference.lost);
  return method.empty() ? "" : method + ": " + difference.where;
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

/// The program with a part of it as a function that it calls, as `number` has it.
void judge_called(Trial& trial, uint64_t number, Prover& prover) {
  const std::optional<IRModule> module = with_callee(trial.fuzz_case.program, number);
  const std::string finding = module ? wrong_module_check(*module, trial.fuzz_case.input_seed, prover) : "";
  if (finding.empty()) return;
  mark(trial, fmt::format("of a module (a callee {}): {}", number, finding));
  trial.accepted = {{"mutant", {{"what", fmt::format("a callee {}", number)}, {"callee", number}}}};
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

std::string wrong_equiv_of_mutants(const PrimFunc& program, uint64_t seed, Prover& prover) {
  constexpr int kMutants = 8;
  constexpr uint64_t kAsked = 8;  // one difference of values in so many
  const uint64_t of_inputs = seed;
  for (int k = 0; k < kMutants; ++k) {
    const std::optional<Mutant> mutant = some_mutant(program, next_random(seed));
    if (!mutant) return "";
    const SeenDifference difference = difference_met(program, mutant->program, of_inputs);
    if (difference.where.empty() || (!difference.lost && next_random(seed) % kAsked != 0)) continue;
    Allowance units(kVerdictUnits);
    const std::string method = proving_method(program, mutant->program, prover, difference.lost);
    if (!method.empty()) return mutant->what + ": " + method + ": " + difference.where;
  }
  return "";
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
    if (trial.outcome != Outcome::Unsound) judge_called(trial, next_random(seed), prover);
    if (next_random(seed) % 4 == 0) mark(trial, false_refutation(trial.fuzz_case.program, prover));
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
    if (step.args.contains("callee")) {
      judge_called(trial, step.args.at("callee").get<uint64_t>(), prover);
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
