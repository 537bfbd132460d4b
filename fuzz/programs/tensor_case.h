// Random pipelines of tensor expressions with random schedules.
#pragma once
#include <cstdint>
#include <string>

#include "fuzz/choices.h"
#include "rewrite/te/lower/lower.h"

namespace hexproof {

struct TensorCase {
  te::Script script;
  std::string text;  // what was made, for a person
};

/// Two to six stages: stencils, sums, broadcasts, gathers, guards, stages of two values, recurrences, several
/// consumers; splits by any factor, fused and reordered loops, stages attached or inlined, caches, aligned rows,
/// windows that slide, second slots. The same choices give the same case.
TensorCase random_tensor_case(Choices choices);
TensorCase random_tensor_case(uint64_t seed);

}  // namespace hexproof
