// The first stage: most obligations are settled by bounds and linear normal forms, in microseconds.
#pragma once
#include <vector>

#include "verify/prove/obligation.h"

namespace hexproof {

/// Proved ("interval" when bounds alone settle it, else "normal-form"), Refuted by values from a few corners of the
/// ranges ("evaluation"), or Unknown. Formulas are prepared and `given` is split. Looks for a contradiction between
/// what is given and the negated goal: substitutes equations, takes equations in mixed radix apart level by level,
/// tightens ranges, and adds up pairs of inequalities. Sound, and far from complete. `guess`: looks for values that
/// refute it elsewhere, too (refute.h).
Answer decide_quickly(const std::vector<Expr>& given, const Expr& goal, bool guess = false);
/// Would it say Proved? For who does not ask for values that refute it.
bool proved_quickly(const std::vector<Expr>& given, const Expr& goal);

}  // namespace hexproof
