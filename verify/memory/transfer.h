// What statements establish about cells, and what conditions say of them.
#pragma once
#include "verify/memory/clobber.h"

namespace hexproof {

/// Fills `established` of every statement: what holds at its end because it ran.
void transfer(ContentProgram* program);
/// From just before the statement to just behind it.
void run(const ContentProgram& program, const ContentNode& node, FactList* facts);
/// `facts` hold only where `condition` does (was true before the statements of `ran` ran).
void guard(const ContentProgram& program, const Expr& condition, bool negated,
           const std::vector<const ContentNode*>& ran, FactList* facts);
/// What `condition` says of memory, as facts of the place.
void learn(const ContentProgram& program, const Expr& condition, bool negated, FactList* facts);

}  // namespace hexproof
