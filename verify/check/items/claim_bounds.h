// Domains and regions of blocks, as formulas.
#pragma once
#include "verify/facts/facts.h"

namespace hexproof {

/// The index lies in the range. Nobody evaluates the bounds of a claim: that they have values, as numbers do that
/// something computes, is a part of it. Of data no division, shift or cast to an integer is seen to have one.
/// Everything is resolved; `facts` tells the layouts of the buffers that the bounds read.
Expr lies_within(const Expr& index, const Range& range, const Facts& facts);

}  // namespace hexproof
