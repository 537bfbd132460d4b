// Does anything that depends on an undef decide?
#pragma once
#include "ir/function.h"

namespace hexproof {

/// May a condition, a bound or an index of the function depend on an undef, as far as its stores tell? In an execution
/// that is an error. Where none may, it makes no difference whether a value depends on one.
bool undef_may_decide(const PrimFunc& func);
/// May it make a difference which of two values of equal bits stands somewhere, since one of them depends on an undef?
bool undef_tells_apart(const PrimFunc& func, const Expr& a, const Expr& b);

}  // namespace hexproof
