// Which constants padding may hold so that what is computed from it has no effect: guesses for suggest_pad_value.
#pragma once
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// Constants of the buffer's type, the likeliest first, without duplicates; at most a dozen. They are read off the
/// statement at `at`:
///  - where an accumulator is combined with something that is computed from the buffer, `T[c] = T[c] + e(A[i])`, the
///    values at which `e` is the identity of the operator: 0 of sums, 1 of products, the greatest or least value of
///    minima and maxima (an infinity on floats). `e` is solved for the cell through `+ - * / //`, casts and choices;
///  - where a comparison looks at the buffer, the value that it is compared with, its neighbours, and the extremes;
///  - where the buffer is stored to, 0 (any value would do, since the padding is stored to last).
/// Nothing relies on them: whoever uses one proves what it is good for. Source: RFC 77, "Future possibilities".
std::vector<Expr> pad_candidates(const PrimFunc& func, const Path& at, const Buffer& buffer);

}  // namespace hexproof
