// Cases of campaigns that begin at a seed.
#pragma once
#include "fuzz/choices.h"
#include "fuzz/seeds/seeds.h"
#include "fuzz/steps/steps.h"

namespace hexproof {

/// A seed of the rule `wanted`, where it has one, or of any; half of them changed in a token.
StepSeed random_seed_case(Choices& choices, const std::string& wanted);

/// Steps on it: perhaps one of another rule first, which brings two rules together; its own, or nearly that; then more.
class SeedSteps {
 public:
  SeedSteps(Choices& choices, StepRequest own, bool passes, const std::string& wanted);
  std::optional<StepRequest> operator()(const PrimFunc& current);

 private:
  StepRequest own_;
  int before_ = 0;  // steps in front of its own
  RandomSteps others_;
};

}  // namespace hexproof
