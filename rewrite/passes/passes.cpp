// The passes by TVM's names.
#include "rewrite/passes/passes.h"

#include "rewrite/kernel/lowering.h"

namespace hexproof {

const std::vector<Pass>& all_passes() {
  static const std::vector<Pass> passes = {
      {"HoistExpression", "conditions and bindings out of loops",
       [](Strategy& s) { return hoist_expression(s, HoistOptions{}); }},
      {"HoistIfThenElse", "conditions of ifs out of loops",
       [](Strategy& s) {
         return hoist_expression(s, {flags({HoistConditional::IfElseStmt}), flags<HoistLetBinding>({}), {}});
       }},
      {"MergeAdjacentLoops", "neighbouring loops into one", &merge_adjacent_loops},
      {"ReduceLoopExtents", "loops that run only where their body does something", &reduce_loop_extents},
      {"RemoveAssume", "lowering: no assume is left",
       [](Strategy& s) { return int{lower_assumes(s.derivation, s.prover)}; }},
      {"RemoveBranchingThroughOvercompute", "branches whose condition need not be asked",
       [](Strategy& s) { return remove_branching_through_overcompute(s); }},
      {"RemoveNoOp", "stores without effect, and what is left empty", &remove_no_op},
      {"RemoveOvercomputeThroughBranching", "nothing is computed that a later store overwrites",
       &remove_overcompute_through_branching},
      {"RemoveStoreUndef", "lowering: no undef is left",
       [](Strategy& s) { return int{lower_undefs(s.derivation, s.prover)}; }},
      {"Simplify", "expressions and branches, by everything that is known", &simplify_everything},
  };
  return passes;
}

const Pass* pass_by_name(const std::string& name) {
  std::string last = name;
  for (const char* prefix : {"tvm.tir.transform.", "tir.transform.", "tir."}) {
    if (last.starts_with(prefix)) {
      last = last.substr(std::string(prefix).size());
      break;
    }
  }
  if (last == "RemoveCompileTimeAssume") last = "RemoveAssume";
  for (const Pass& pass : all_passes()) {
    if (pass.name == last) return &pass;
  }
  return nullptr;
}

}  // namespace hexproof
