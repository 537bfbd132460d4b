// Programs as people schedule them.
#pragma once
#include <string>

#include "fuzz/choices.h"
#include "ir/function.h"

namespace hexproof {

/// Blocks under loops of their own: the naive program of a random pipeline of tensor expressions (stencils, sums,
/// broadcasts, gathers, several readers; fuzz/programs/tensor_case.h), a product of matrices, one of random_program,
/// padded stages, or constructs in which a rule behind the primitive `wanted` finds its shape.
PrimFunc random_pipeline(Choices& choices, const std::string& wanted);

}  // namespace hexproof
