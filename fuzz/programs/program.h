// Random programs: small, well formed, mostly free of errors.
#pragma once
#include "fuzz/choices.h"
#include "ir/function.h"
#include "ir/interpreter/inputs/random_inputs.h"

namespace hexproof {

/// Up to three stages over buffers of up to three dimensions: loop nests or blocks, guards, reductions, lets,
/// temporaries; all integer types and float32; constants half from the edges. The same choices give the same
/// program.
PrimFunc random_program(Choices& choices);

}  // namespace hexproof
