// Joint steps: what changes several functions of a module, or what they promise each other.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rewrite/kernel/rule_args.h"
#include "rewrite/module/derivation.h"

namespace hexproof {

/// A layout transform of a buffer that is shared through calls: the rule transform-layout in every function that gets
/// it, with the same map and pad value, so producers fill the padding and consumers assume it; the callers' own
/// buffer and its direct accesses change with them. NotApplicable where the rule is; see ModuleDerivation::apply.
JointChange transform_shared_layout(const ModuleDerivation& module, const std::string& function, const Buffer& buffer,
                                    const IndexMap& map, const std::optional<PadArg>& pad, Prover& prover,
                                    const std::string& primitive, const Span& span);
/// Do other functions get the buffer (owned by `function`) through calls, or does a function with calls own it?
bool is_shared(const IRModule& module, const std::string& function, const Buffer& buffer);

/// The statements `parts` (positions, without a gap) of the sequence of stages at `seq` become a function `name`,
/// called where they stood (RFC 77, "Points of Communication"). What they use and do not declare becomes parameters:
/// buffers in the order of the function's, then scalars that are no extent of these. Allocations that nothing else uses
/// move along.
JointChange hoist_stage(const ModuleDerivation& module, const std::string& function, const std::vector<int>& seq,
                        const std::vector<int>& parts, const std::string& name);

/// The cells of a parameter for which `where` holds, over indices (its own scalars may be in it).
struct CellsWhere {
  std::vector<Var> indices;
  Expr where;
};

/// `function`, which others call, is told that those cells hold `value` (an undef: that they may be read) when it
/// starts: for p: T.assume(not where or B[p] == value). Its calls then owe the proof.
JointChange expose_cells(const ModuleDerivation& module, const std::string& function, const Buffer& buffer,
                         const CellsWhere& cells, const Expr& value);

/// The same for all that is known at the (first) call of `function` of cells of its arguments, from the stores of the
/// stages before it, and can be said over its parameters: the values that these cells hold, or only that they may be
/// read. NotApplicable when nothing is.
JointChange expose_known(const ModuleDerivation& module, const std::string& function, bool values, Prover& prover);

/// `function`, which others call, may leave anything in those cells: for p: if where: B[p] = T.undef() behind its last
/// store. Whoever calls it must not rely on them.
JointChange permit_cells(const ModuleDerivation& module, const std::string& function, const Buffer& buffer,
                         const CellsWhere& cells);

}  // namespace hexproof
