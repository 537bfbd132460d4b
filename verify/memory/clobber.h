// How stores that may have run weaken what was known.
#pragma once
#include "verify/memory/program.h"

namespace hexproof {

/// How the iteration of a store relates to that of the fact, at one loop around both.
struct Iteration {
  size_t depth;            // the loops from here on are other iterations
  std::vector<Expr> when;  // over `var`, the other iteration of the first of them
  Var var;
};
/// The iterations i' of the loop at `node` with `i op i'`.
Iteration another_iteration(const ContentNode& node, Op op);

/// Every store below `node` may have run (for a permission, every load, too). A fact that one of them surely hits is
/// forgotten; any other that one may hit gets a Hit. A store that keeps what is said (an addition, of a cell that is
/// not -0.0) is none.
void clobber(const ContentProgram& program, const ContentNode& node, const Iteration& iteration, FactList* facts);
/// In the same iteration of all loops around `node`.
void clobber(const ContentProgram& program, const ContentNode& node, FactList* facts);
/// What `node` evaluates before its parts run (the value of a let, a condition, the bounds of a loop, bindings): its
/// loads alone, which end permissions.
void clobber_at_entry(const ContentProgram& program, const ContentNode& node, FactList* facts);

}  // namespace hexproof
