#include "rewrite/rules/args/blocks.h"

#include "fuzz/steps/proposers/tables.h"
#include "rewrite/rules/args/buffers.h"

namespace hexproof {

std::vector<Proposer> block_proposers() {
  return {
      {DecomposeReductionArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Path at = p.at(p.places.reductions, p.places.blocks);
         DecomposeReductionArgs args{.at = at, .loop = p.around(at)};
         if (p.choices.chance(20)) args.into = true;
         return args;
       }},
      {LowerBlockArgs::kRule, [](Proposal& p) -> RuleCall { return LowerBlockArgs{.at = p.at(p.places.blocks)}; }},
      {ComputeAtArgs::kRule,
       [](Proposal& p) -> RuleCall {
         ComputeAtArgs args{.block = p.block(), .loop = p.at(p.places.loops)};
         if (p.choices.chance(40)) args.clip = true;
         return args;
       }},
      {ReverseComputeAtArgs::kRule,
       [](Proposal& p) -> RuleCall {
         ReverseComputeAtArgs args{.block = p.block(), .loop = p.at(p.places.loops)};
         if (p.choices.chance(40)) args.clip = true;
         if (p.choices.chance(20)) args.witness = p.choices.below(3);
         return args;
       }},
      {ReorderBlockVarsArgs::kRule,
       [](Proposal& p) -> RuleCall { return ReorderBlockVarsArgs{.at = p.at(p.places.blocks), .order = p.order()}; }},
      {BlockizeArgs::kRule,
       [](Proposal& p) -> RuleCall {
         BlockizeArgs args{.at = p.at(p.places.nests, p.places.all), .name = p.name()};
         if (p.choices.chance(30)) args.at = p.at(p.places.blocks), args.unit_iters = false;
         if (p.choices.chance(20)) args.at = p.at(p.places.in_sequence), args.count = 2;
         return args;
       }},
      {RebindBlockArgs::kRule,
       [](Proposal& p) -> RuleCall {
         RebindBlockArgs args{.at = p.at(p.places.blocks), .unit_iters = p.choices.below(2) != 0};
         if (p.choices.chance(60)) args.map = p.block_map(args.at);
         return args;
       }},
      {CacheIndexArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return CacheIndexArgs{.block = p.at(p.places.blocks), .number = p.choices.below(2), .name = p.name()};
       }},
      {RfactorArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const std::vector<Path>& sums = p.places.reductions;
         const Path loop = sums.empty() ? p.at(p.places.loops) : p.around(p.choices.pick(sums));
         return RfactorArgs{.loop = loop, .axis = p.choices.below(2)};
       }},
      {SplitSumArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const std::vector<Path>& sums = p.places.reductions;
         return SplitSumArgs{.block = sums.empty() ? BlockArg(p.block()) : BlockArg(p.choices.pick(sums))};
       }},
      {DecomposePaddingArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Path block = p.at(p.places.blocks, p.places.stores);
         return DecomposePaddingArgs{.at = block, .loop = p.around(block)};
       }},
  };
}

}  // namespace hexproof
