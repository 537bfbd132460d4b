#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {

BlockRef decompose_padding(Schedule& schedule, const BlockRef& block, const LoopRef& loop) {
  Steps steps(schedule);
  BlockRef out;
  steps.all_or_nothing([&] {
    const std::string name = steps.name_of(block) + "_pad_const";
    if (!find_blocks(steps.func(), name).empty()) steps.fail("there is a block '" + name + "' already");
    steps.apply(DecomposePaddingArgs{.at = steps.path_of_block(block), .loop = steps.path_of(loop)});
    // The loops of the rest run where the condition holds, as far as that is proved.
    for (const LoopRef& around : schedule.get_loops(block))
      steps.try_apply(ReduceExtentArgs{.at = steps.path_of(around)});
    Path at = steps.path_of_block(block);
    at.pop_back();
    steps.try_apply(EliminateBranchArgs{.at = at, .takes = true});
    out = steps.fresh(name);
  });
  return out;
}

bool can_decompose_padding(Schedule& schedule, const BlockRef& block, const LoopRef& loop) {
  Steps steps(schedule);
  Derivation copy = steps.derivation();
  Schedule trial(copy, steps.prover());
  try {
    decompose_padding(trial, {steps.name_of(block)}, loop);
    return true;
  } catch (const Refused&) {
    return false;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace hexproof
