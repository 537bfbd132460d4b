// Arguments for a run, of which nobody filled the padding.
#pragma once
#include "ir/interpreter/inputs/random_inputs.h"

namespace hexproof {

/// As random_arguments; cells that are padding which nobody promised to fill (verify/memory/argument_padding.h) hold
/// nothing, so that a run sees who reads them.
RunArguments arguments_of(const PrimFunc& func, uint64_t seed, Values values = Values::EdgeHeavy);

}  // namespace hexproof
