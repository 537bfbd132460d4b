// Inputs on which fast-math flags leave no choice.
#pragma once
#include "verify/equiv/pair.h"

namespace hexproof {

/// Does every way of computing that the flags of `func` grant give the same values on this input (up to the sign of
/// zeros, with nsz)? With nnan, ninf: no NaN, no infinity arises. With nsz: nothing is divided by a zero or called.
/// With reassoc, contract: every float is an integer, and so is every partial result of any order, contraction or
/// distribution of sums and products, all of them small enough to be exact. False when that is not known.
bool unaffected_by_flags(const PrimFunc& func, const std::vector<Tensor>& arguments,
                         const std::vector<int64_t>& scalars);

}  // namespace hexproof
