#include "fuzz/hunt/hunt_seeds.h"

#include "fuzz/hunt/tempter.h"
#include "fuzz/module_verdicts.h"
#include "fuzz/seeds/seeds.h"
#include "fuzz/steps/disturb.h"
#include "fuzz/steps/mutate.h"
#include "fuzz/steps/mutate_text.h"
#include "fuzz/verdicts.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

/// Changed in a token; one time of three in two.
PrimFunc nearly(const PrimFunc& program, uint64_t& random) {
  PrimFunc out = program;
  for (uint64_t left = next_random(random) % 3 == 0 ? 2 : 1; left > 0; --left) {
    const uint64_t number = next_random(random);
    if (next_random(random) % 3 == 0) {
      out = some_text_mutant(out, number).value_or(out);
    } else if (std::optional<Mutant> mutant = some_mutant(out, number)) {
      out = mutant->program;
    }
  }
  return is_small(out) ? out : program;
}

std::string with_text(const std::string& wrong, std::initializer_list<PrimFunc> programs) {
  if (wrong.empty()) return wrong;
  std::string out = wrong + "\n";
  for (const PrimFunc& program : programs) out += print(program);
  return out;
}

std::string probe_checked(const CheckedSeed& seed, bool as_it_stands, uint64_t random, Prover& prover) {
  if (as_it_stands && seed.refuted) return with_text(proved_though_refuted(seed.program, prover), {seed.program});
  const PrimFunc program = as_it_stands ? seed.program : nearly(seed.program, random);
  try {
    return with_text(wrong_check(program, next_random(random) % (1u << 31), prover), {program});
  } catch (const Error&) {  // it takes none of the arguments that runs have, as strides that are too large
    return "";
  }
}

std::string probe_compared(const ComparedSeed& seed, bool as_it_stands, uint64_t random, Prover& prover) {
  if (as_it_stands && seed.refuted) {
    return with_text(proved_though_refuted(seed.before, seed.after, prover), {seed.before, seed.after});
  }
  PrimFunc before = seed.before, after = seed.after;
  if (!as_it_stands) {
    PrimFunc& changed = next_random(random) % 2 == 0 ? before : after;
    changed = nearly(changed, random);
  }
  try {
    return with_text(wrong_equiv(before, after, next_random(random) % (1u << 31), prover), {before, after});
  } catch (const Error&) {  // one takes none of the arguments that runs have, or not those of the other one
    return "";
  }
}

std::string probe_module(const ModuleSeed& seed, uint64_t random, Prover& prover) {
  const bool entered = seed.module.functions[0].name == seed.entry;
  std::string wrong;
  try {
    if (seed.refuted) wrong = proved_though_refuted(seed.module, seed.entry, prover);
    if (!seed.refuted && entered) wrong = wrong_module_check(seed.module, random % (1u << 31), prover);
  } catch (const Error&) {  // arguments that are too large for a run
  } catch (const Unsupported&) {
  }
  return wrong.empty() ? wrong : wrong + "\n" + print(seed.module);
}

std::string probe_step(const StepSeed& seed, bool as_it_stands, uint64_t random, Prover& prover) {
  PrimFunc program = seed.fuzz_case.program;
  StepRequest step = seed.step();
  uint64_t input_seed = seed.fuzz_case.input_seed;
  if (!as_it_stands) {
    input_seed = next_random(random) % (1u << 31);
    if (next_random(random) % 3 != 0) program = nearly(program, random);
    if (next_random(random) % 3 == 0) step = disturbed(step, next_random(random)).value_or(step);
    // Runs are cheap: what goes right whatever the kernel says is not asked.
    const std::optional<Rewrite> rewrite = unproved(program, step);
    if (!rewrite) return "";
    const QuickLook look = look_quickly(program, *rewrite, input_seed, 4);
    if (!look.seed) return "";
    input_seed = *look.seed;
  }
  const Trial trial = try_step(program, step, input_seed, prover, 0);
  return trial.outcome == Outcome::Unsound ? trial.finding + "\n" + to_text(trial.fuzz_case) : "";
}

/// It is known to be wrong: accepted, it needs no run. Near misses of it are judged by runs.
std::string probe_wrong_step(const WrongStep& seed, bool as_it_stands, uint64_t random, Prover& prover) {
  const FuzzCase& of = seed.fuzz_case;
  if (!as_it_stands) return probe_step({of, ""}, false, random, prover);
  const Trial trial = try_step(of.program, of.steps.at(0), of.input_seed, prover, 0);
  if (trial.accepted.empty()) return "";
  return (trial.finding.empty() ? "the kernel accepts a step that is wrong" : trial.finding) + "\n" + to_text(of);
}

}  // namespace

size_t seed_count() {
  const ProgramSeeds& programs = program_seeds();
  return programs.checked.size() + programs.compared.size() + programs.wrong_steps.size() + programs.modules.size() +
         step_seeds().size();
}

std::string probe_seed(uint64_t number, Prover& prover) {
  const ProgramSeeds& programs = program_seeds();
  uint64_t random = number * 0x9e3779b97f4a7c15ull + 1;
  const bool as_it_stands = number < seed_count();
  size_t k = number % seed_count();
  if (k < programs.wrong_steps.size()) return probe_wrong_step(programs.wrong_steps[k], as_it_stands, random, prover);
  k -= programs.wrong_steps.size();
  if (k < programs.checked.size()) return probe_checked(programs.checked[k], as_it_stands, random, prover);
  k -= programs.checked.size();
  if (k < programs.compared.size()) return probe_compared(programs.compared[k], as_it_stands, random, prover);
  k -= programs.compared.size();
  if (k < programs.modules.size()) return as_it_stands ? probe_module(programs.modules[k], random, prover) : "";
  k -= programs.modules.size();
  return probe_step(step_seeds()[k], as_it_stands, random, prover);
}

}  // namespace hexproof
