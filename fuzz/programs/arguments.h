// Arguments for a run, of which nobody filled the padding.
#pragma once
#include "ir/interpreter/inputs/random_inputs.h"

namespace hexproof {

/// As random_arguments; cells that are padding which nobody promised to fill (verify/memory/argument_padding.h) hold
/// nothing, so that a run sees who reads them.
RunArguments arguments_of(const PrimFunc& func, uint64_t seed, Values values = Values::EdgeHeavy);

/// What the caller of `after` hands over where that of `before` handed over these: of an argument whose padding
/// `before` named, the cells that `after` names hold no value, and all others hold one.
void fill_as_named(const PrimFunc& before, const PrimFunc& after, const std::vector<int64_t>& scalars,
                   std::vector<Tensor>* tensors);

/// The first element that holds a value in `want`, any value too, and none in `got`; -1: none.
int64_t first_lost(const Tensor& want, const Tensor& got);

}  // namespace hexproof
