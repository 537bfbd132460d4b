// Random programs over padded buffers: what layout transforms leave behind, and what may be done about it.
#pragma once
#include "fuzz/choices.h"
#include "ir/function.h"

namespace hexproof {

/// A few stages over buffers of tiles in which fewer elements lie than fit, at an offset: assumes about the padding of
/// inputs, stages that fill padding with a value or T.undef(), guarded computations cell by cell, over windows and
/// over rows, stages that read the results. Predicates are now and then wrong by one, values now and then not the
/// neutral ones. Integers and floats, float16 among them. The same choices give the same program.
PrimFunc random_padded_program(Choices& choices);

}  // namespace hexproof
