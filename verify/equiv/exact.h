// Inputs on which floats are exact whatever the order of operations.
#pragma once
#include "verify/equiv/pair.h"

namespace hexproof {

/// On this input every float value of the run is an integer, and so is every partial result of any reassociation,
/// contraction or distribution of its sums and products, all of them small enough to be exact: then programs that
/// differ, differ under every fast-math flag. False when that is not known: other operations than + - * on floats and
/// choices, fractions, large magnitudes, an error.
bool exact_in_any_order(const PrimFunc& func, const std::vector<Tensor>& arguments,
                        const std::vector<int64_t>& scalars);

}  // namespace hexproof
