// A failing case made smaller where it stands: statements, expressions and steps that the failure does not need go.
#pragma once
#include "fuzz/oracle.h"

namespace hexproof {

/// Tries smaller programs, each one change away, as long as the case still fails. Statements become empty ones in their
/// place, so that the paths of the steps stay right: branches and blocks their part, loops and lets their body; values
/// an operand or a small constant; parameters that nothing uses go.
Trial reduce(Trial failing, Prover& prover);

/// The changes that `reduce` tries, in order.
std::vector<PrimFunc> smaller_programs(const PrimFunc& func);

}  // namespace hexproof
