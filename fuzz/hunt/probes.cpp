#include "fuzz/hunt/probes.h"

#include <algorithm>
#include <utility>

#include "fuzz/constructs/constructs.h"
#include "fuzz/coverage.h"
#include "fuzz/granted/granted.h"
#include "fuzz/hunt/places.h"
#include "fuzz/hunt/tempter.h"
#include "fuzz/module_verdicts.h"
#include "fuzz/programs/called.h"
#include "fuzz/steps/described_nest.h"
#include "fuzz/steps/module_steps.h"
#include "fuzz/steps/mutate.h"
#include "fuzz/steps/steps.h"
#include "fuzz/verdicts.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

constexpr uint64_t kOneProof = 100'000;  // resource units, as in campaigns

/// One or two constructs, or more; one of them in this row.
PrimFunc some_constructs(uint64_t& seed, int row = -1) {
  std::vector<uint32_t> numbers(100);
  for (uint32_t& n : numbers) n = static_cast<uint32_t>(next_random(seed));
  Choices choices(numbers);
  if (row < 0) row = static_cast<int>(seed % all_constructs().size());
  return random_constructed_program(choices, {row}).func;
}

/// A row whose name has this in it, one time in `of`; else any.
int mostly_any(uint64_t& seed, const std::string& part, uint64_t of) {
  std::vector<int> rows;
  for (size_t k = 0; k < all_constructs().size(); ++k) {
    if (std::string(all_constructs()[k].name).find(part) != std::string::npos) rows.push_back(static_cast<int>(k));
  }
  return next_random(seed) % of != 0 ? -1 : rows.at(next_random(seed) % rows.size());
}

const OracleOptions kCheapOracle{.inside = 0, .units = kOneProof, .deep = false};
const OracleOptions kPatientOracle{.inside = 0, .units = 5 * kOneProof};  // of proofs of whole programs

}  // namespace

std::string probe_check(uint64_t seed, Prover& prover) {
  PrimFunc program = some_constructs(seed, mostly_any(seed, "assume", 6));
  if (seed / 2 % 2 == 0) {
    if (std::optional<Mutant> mutant = some_mutant(program, next_random(seed))) program = mutant->program;
  }
  std::string wrong = wrong_check(program, seed % (1u << 31), prover);
  if (wrong.empty() && seed % 2 == 0) wrong = false_refutation(program, prover);
  return wrong.empty() ? "" : wrong + "\n" + print(program);
}

std::string probe_pairs(uint64_t seed, Prover& prover) {
  const PrimFunc program = some_constructs(seed, mostly_any(seed, "padding-", 3));
  const std::string wrong = wrong_equiv_of_mutants(program, seed % (1u << 31), prover);
  return wrong.empty() ? "" : wrong + "\n" + print(program);
}

std::string probe_module(uint64_t seed, Prover& prover) {
  PrimFunc program = some_constructs(seed, mostly_any(seed, "permission", 2));
  if (seed / 2 % 3 == 0) {
    if (std::optional<Mutant> mutant = some_mutant(program, next_random(seed))) program = mutant->program;
  }
  const std::optional<IRModule> module = with_callee(program, next_random(seed));
  const std::string wrong = module ? wrong_module_check(*module, seed % (1u << 31), prover) : "";
  return wrong.empty() ? "" : wrong + "\n" + print(*module);
}

std::string probe_description(uint64_t seed, Prover& prover) {
  const std::vector<int> homes = habitat("tensorize");
  const PrimFunc program = some_constructs(seed, next_random(seed) % 2 ? homes[seed % homes.size()] : -1);
  const Places places(program);
  if (places.constant_loops.empty()) return "";
  const Path& at = places.constant_loops[next_random(seed) % places.constant_loops.size()];
  std::optional<PrimFunc> description = description_of_nest(program, at);
  if (!description) return "";
  const uint64_t which = next_random(seed);
  if (which % 3 == 0) {
    description = with_smaller_operand(*description, static_cast<uint32_t>(which >> 8)).value_or(*description);
  } else if (std::optional<Mutant> mutant = some_mutant(*description, which >> 8)) {
    description = mutant->program;
  }
  const StepRequest step{"primitive",
                         {{"name", "tensorize"},
                          {"block_or_loop", {{"loop", stmt_at(program, at).as<For>()->var.name()}, {"index", 0}}},
                          {"tensor_intrin", {{"description", print(*description)}}}}};
  bool asked = false;
  auto once = [&](const PrimFunc&) { return std::exchange(asked, true) ? std::nullopt : std::optional(step); };
  const Trial trial = try_in_interpreter(program, seed % (1u << 31), once, prover, kCheapOracle);
  return trial.outcome == Outcome::Unsound ? trial.finding + "\n" + to_text(trial.fuzz_case) : "";
}

std::string probe_hoisted(uint64_t seed, Prover& prover) {
  const PrimFunc program = some_constructs(seed, mostly_any(seed, "assume", 2));
  std::vector<uint32_t> numbers(30);
  for (uint32_t& n : numbers) n = static_cast<uint32_t>(next_random(seed));
  Choices choices(numbers);
  const Trial trial = try_in_interpreter(program, seed % (1u << 31), RandomModuleSteps(choices, "hoist_stage", 2),
                                         prover, kPatientOracle);
  return trial.outcome == Outcome::Unsound ? trial.finding + "\n" + to_text(trial.fuzz_case) : "";
}

std::string probe_granted(uint64_t seed, Prover& prover) {
  std::vector<uint32_t> numbers(100), more(30);
  for (uint32_t& n : numbers) n = static_cast<uint32_t>(next_random(seed));
  for (uint32_t& n : more) n = static_cast<uint32_t>(next_random(seed));
  Choices choices(numbers), steps(more);
  const PrimFunc program = random_granted_program(choices);
  const std::string rule = random_moving_rule(choices);
  const Trial trial =
      try_in_interpreter(program, seed % (1u << 31), RandomSteps(steps, false, rule), prover, kCheapOracle);
  return trial.outcome == Outcome::Unsound ? trial.finding + "\n" + to_text(trial.fuzz_case) : "";
}

std::string probe_at_home(uint64_t seed, Prover& prover) {
  const int wanted = mostly_any(seed, "padding-", 3);
  std::vector<std::pair<std::string, int>> pairs;  // of a rule and one of its homes
  for (const std::string& step : step_names()) {
    const std::vector<int> homes = habitat(step);
    if (std::count(homes.begin(), homes.end(), wanted) > 0) pairs.emplace_back(step, wanted);
    if (wanted < 0 && !homes.empty()) pairs.emplace_back(step, homes[next_random(seed) % homes.size()]);
  }
  if (pairs.empty()) return "";
  const auto& [step, row] = pairs[next_random(seed) % pairs.size()];
  const PrimFunc program = some_constructs(seed, row);
  std::vector<uint32_t> numbers(30);
  for (uint32_t& n : numbers) n = static_cast<uint32_t>(next_random(seed));
  Choices choices(numbers);
  const Trial trial =
      try_in_interpreter(program, seed % (1u << 31), RandomSteps(choices, false, step), prover, kCheapOracle);
  return trial.outcome == Outcome::Unsound ? trial.finding + "\n" + to_text(trial.fuzz_case) : "";
}

std::string probe_steps(const CampaignOptions& campaign, uint64_t number, Prover& prover,
                        const std::function<bool()>& over) {
  std::string finding;
  auto more = [&] { return finding.empty() && !over(); };
  Tempter tempter(
      campaign.seed + number, [&](const StepRequest&, const Rewrite&) { return more(); },
      [&](const PrimFunc& program, const StepRequest& step, uint64_t input_seed) {
        const Trial trial = try_step(program, step, input_seed, prover, 0);
        if (trial.outcome == Outcome::Unsound) finding = trial.finding + "\n" + to_text(trial.fuzz_case);
      });
  with_campaign_case(campaign, number, [&](const PrimFunc& func, uint64_t seed, const StepSource& next) {
    if (!func.granted_flags().empty()) return;
    while (std::optional<StepRequest> step = more() ? next(func) : std::nullopt) {
      if (step->rule != "pass" && step->rule != "primitive") tempter.tempt(func, *step, seed, more);
    }
  });
  return finding;
}

}  // namespace hexproof
