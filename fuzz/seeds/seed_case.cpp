#include "fuzz/seeds/seed_case.h"

#include "fuzz/steps/disturb.h"
#include "fuzz/steps/mutate.h"

namespace hexproof {

StepSeed random_seed_case(Choices& choices, const std::string& wanted) {
  const std::vector<size_t>& own = step_seeds_of(wanted);
  const uint32_t number = choices.below(1u << 30);
  StepSeed seed = step_seeds().at(own.empty() ? number % step_seeds().size() : own[number % own.size()]);
  if (!choices.chance(50)) return seed;
  if (std::optional<Mutant> mutant = some_mutant(seed.fuzz_case.program, choices.below(1u << 30))) {
    seed.fuzz_case.program = mutant->program;
  }
  return seed;
}

SeedSteps::SeedSteps(Choices& choices, StepRequest own, bool passes, const std::string& wanted)
    : own_(std::move(own)), before_(choices.chance(40) ? 1 : 0), others_(choices, passes, wanted) {
  if (choices.chance(25)) own_ = disturbed(own_, choices.below(1u << 30)).value_or(own_);
}

std::optional<StepRequest> SeedSteps::operator()(const PrimFunc& current) {
  return before_-- == 0 ? own_ : others_(current);
}

}  // namespace hexproof
