#include "rewrite/module/changes.h"

namespace hexproof {

JointChange joint_change(const ModuleDerivation& module, const std::string& function, const RuleCall& call,
                         Prover& prover, const std::string& primitive, const Span& span) {
  auto is = [&](const char* rule) { return call.rule == rule; };
  auto made = [&]() -> JointChange {
    if (is(SharedLayoutArgs::kRule)) {
      return transform_shared_layout(module, function, args_from<SharedLayoutArgs>(call.args), prover, primitive, span);
    }
    if (is(HoistStageArgs::kRule)) return hoist_stage(module, function, args_from<HoistStageArgs>(call.args));
    if (is(ExposeCellsArgs::kRule)) return expose_cells(module, function, args_from<ExposeCellsArgs>(call.args));
    if (is(ExposeKnownArgs::kRule))
      return expose_known(module, function, args_from<ExposeKnownArgs>(call.args), prover);
    if (is(PermitCellsArgs::kRule)) return permit_cells(module, function, args_from<PermitCellsArgs>(call.args));
    throw NotApplicable("there is no joint step '" + call.rule + "'");
  };
  JointChange out = made();
  out.call = call, out.function = function;
  return out;
}

}  // namespace hexproof
