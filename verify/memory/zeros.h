// The sign of zeros in sums: "this cell is not -0.0".
#pragma once
#include "verify/access/footprint.h"
#include "verify/memory/content.h"

namespace hexproof {

/// Proof-only: the cell holds another value than -0.0 (a NaN is another one).
Expr not_minus_zero(const Expr& load);
/// Is the value of this float expression never -0.0, whatever it reads? (Sums as written: not contracted.) By IEEE-754
/// under round to nearest even, a sum is -0.0 only when both of its operands are.
bool never_minus_zero(const Expr& e);
/// Is `cell` what the fact says is not -0.0, and the access a store that keeps it so: of a value that is never -0.0, or
/// `cell = cell + e` (or e + cell)? If it hits the cell, the sum has an operand that is not -0.0. (Not to be asked
/// where sums may be contracted: e = a * b could then lose its own rounding, and a tiny negative product added to +0.0
/// in one step rounds to -0.0.)
bool keeps_sign(const MemoryFact& fact, const Expr& cell, const Access& access);

}  // namespace hexproof
