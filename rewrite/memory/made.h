// What a rule makes: loops, allocations and blocks that the program before does not run where they stand now.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// Where something that a rule makes will stand, and what of it is evaluated anyway.
struct MadePlace {
  std::string rule;
  const PrimFunc& func;  // the program before
  Stmt stmt;             // where needs point to
  const Facts& facts;    // known in the program before at the moment when the made statement will run
  Buffer like = {};      // exists there, so its extents were evaluated (may be missing)
  /// A nest of loops that the program before runs for the same inputs (may be missing). The bounds of one of its loops
  /// were evaluated where those around it ran at least once.
  Stmt nest = {};
};

/// Obligations: whatever `made` evaluates by being there is no error: the bounds of its loops, each under the loops
/// around it; extents, strides and the offset of what it allocates or declares, which also fits in memory; the starts
/// of the reductions of blocks with an init. Domains of blocks are not evaluated: extents that come from one are owed
/// here as any others. Each rule that makes a loop or an allocation owes this of it; what a rule evaluates besides
/// (indices, bindings, conditions) is for the rule to owe. NotApplicable where one of these reads memory.
void owe_made(const MadePlace& place, const Stmt& made, std::vector<Obligation>* needs);

}  // namespace hexproof
