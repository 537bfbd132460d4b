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
struct SharedLayoutArgs {
  Buffer buffer;
  IndexMap map;
  std::optional<PadArg> pad_value = {};
  HEXPROOF_RULE_ARGS("shared-layout", buffer, map, pad_value)
};

/// The statements `parts` (positions, without a gap) of the sequence of stages at `seq` become a function `name`,
/// called where they stood (RFC 77, "Points of Communication"). What they use and do not declare becomes parameters:
/// buffers in the order of the function's, then scalars that are no extent of these. Allocations that nothing else uses
/// move along.
struct HoistStageArgs {
  Path seq;
  std::vector<int> parts;
  std::string name;
  HEXPROOF_RULE_ARGS("hoist-stage", seq, parts, name)
};

/// The function, which others call, is told that the cells of a parameter for which `where` holds, over `indices` (its
/// own scalars may be in it), hold `value` (an undef: that they may be read) when it starts:
/// for p: T.assume(not where or B[p] == value). Its calls then owe the proof.
struct ExposeCellsArgs {
  Buffer buffer;
  std::vector<Var> indices;
  Expr where, value;
  HEXPROOF_RULE_ARGS("expose-cells", buffer, indices, where, value)
};

/// The same for all that is known at the (first) call of the function of cells of its arguments, from the stores of the
/// stages before it, and can be said over its parameters: the values that these cells hold, or only that they may be
/// read. NotApplicable when nothing is.
struct ExposeKnownArgs {
  bool values = false;
  HEXPROOF_RULE_ARGS("expose-known", values)
};

/// The function, which others call, may leave anything in those cells: for p: if where: B[p] = T.undef() behind its
/// last store. Whoever calls it must not rely on them.
struct PermitCellsArgs {
  Buffer buffer;
  std::vector<Var> indices;
  Expr where;
  HEXPROOF_RULE_ARGS("permit-cells", buffer, indices, where)
};

/// What one of these makes of the module, where `function` is the one that it is about. NotApplicable as they say.
JointChange joint_change(const ModuleDerivation& module, const std::string& function, const RuleCall& call,
                         Prover& prover, const std::string& primitive, const Span& span);

JointChange transform_shared_layout(const ModuleDerivation& module, const std::string& function,
                                    const SharedLayoutArgs& args, Prover& prover, const std::string& primitive,
                                    const Span& span);
JointChange hoist_stage(const ModuleDerivation& module, const std::string& function, const HoistStageArgs& args);
JointChange expose_cells(const ModuleDerivation& module, const std::string& function, const ExposeCellsArgs& args);
JointChange expose_known(const ModuleDerivation& module, const std::string& function, const ExposeKnownArgs& args,
                         Prover& prover);
JointChange permit_cells(const ModuleDerivation& module, const std::string& function, const PermitCellsArgs& args);

/// Do other functions get the buffer (owned by `function`) through calls, or does a function with calls own it?
bool is_shared(const IRModule& module, const std::string& function, const Buffer& buffer);

}  // namespace hexproof
