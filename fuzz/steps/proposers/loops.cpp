#include "rewrite/rules/args/loops.h"

#include "fuzz/steps/proposers/tables.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/rules/args/windows.h"
#include "rewrite/site/places.h"

namespace hexproof {

std::vector<std::pair<Path, std::string>> fitting_intrinsics(const Proposal& p) {
  std::vector<std::pair<Path, std::string>> out;
  for (const Path& at : p.places.constant_loops) {
    const For* loop = stmt_at(p.func, at).as<For>();
    for (const Intrinsic* row : all_intrinsics()) {
      if (loop && std::holds_alternative<NestMatch>(match_nest(*loop, description_of(*row))))
        out.emplace_back(at, row->name);
    }
  }
  return out;
}

std::vector<Proposer> loop_proposers() {
  return {
      {SplitArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return SplitArgs{
             .at = p.at(p.places.loops), .factor = 2 + p.choices.below(4), .outer = p.name(), .inner = p.name()};
       }},
      {FuseArgs::kRule,
       [](Proposal& p) -> RuleCall { return FuseArgs{.at = p.at(p.places.nests, p.places.loops), .name = p.name()}; }},
      {ReorderArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return ReorderArgs{.at = p.at(p.places.nests, p.places.loops), .order = p.order()};
       }},
      {UnitLoopArgs::kRule,
       [](Proposal& p) -> RuleCall { return UnitLoopArgs{.at = p.at(p.places.unit_loops, p.places.loops)}; }},
      {DistributeLoopArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return DistributeLoopArgs{.at = p.at(p.places.loops_of_several, p.places.loops),
                                   .count = 1 + p.choices.below(2)};
       }},
      {MergeLoopsArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return MergeLoopsArgs{.at = p.at(p.places.adjacent_loops, p.places.in_sequence)};
       }},
      {ParallelizeArgs::kRule, [](Proposal& p) -> RuleCall { return ParallelizeArgs{.at = p.at(p.places.loops)}; }},
      {VectorizeArgs::kRule,
       [](Proposal& p) -> RuleCall { return VectorizeArgs{.at = p.at(p.places.constant_loops, p.places.loops)}; }},
      {UnrollArgs::kRule,
       [](Proposal& p) -> RuleCall { return UnrollArgs{.at = p.at(p.places.constant_loops, p.places.loops)}; }},
      {TensorizeArgs::kRule,
       [](Proposal& p) -> RuleCall {
         if (p.choices.chance(70)) {
           const std::vector<std::pair<Path, std::string>> fitting = fitting_intrinsics(p);
           if (!fitting.empty()) {
             const auto& [at, name] = p.choices.pick(fitting);
             return TensorizeArgs{.at = at, .intrinsic = name};
           }
         }
         return TensorizeArgs{.at = p.at(p.places.constant_loops, p.places.loops),
                              .intrinsic = p.choices.pick(all_intrinsics())->name};
       }},
      {ReduceExtentArgs::kRule,
       [](Proposal& p) -> RuleCall {
         ReduceExtentArgs args{.at = p.at(p.places.guarded_loops, p.places.loops)};
         if (p.choices.chance(30)) args.min = p.choices.below(4), args.extent = p.choices.below(8);
         return args;
       }},
      {AddUnitLoopArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return AddUnitLoopArgs{.at = p.at(p.places.loops, p.places.blocks), .name = p.name()};
       }},
      {AnnotateArgs::kRule,
       [](Proposal& p) -> RuleCall {
         static const std::vector<std::string> keys = {"pragma_auto_unroll_max_step", "note", "software_pipeline_stage",
                                                       "double_buffer_scope"};
         AnnotateArgs args{.key = p.choices.pick(keys)};
         if (p.choices.chance(90)) args.at = p.at(p.places.loops, p.places.blocks);
         if (p.choices.chance(70)) args.value = p.choices.below(9);
         return args;
       }},
      {BindArgs::kRule,
       [](Proposal& p) -> RuleCall {
         static const std::vector<std::string> axes = {"threadIdx.x", "blockIdx.y", "vthread", "thread"};
         return BindArgs{.at = p.at(p.places.loops), .thread = p.choices.pick(axes)};
       }},
      {PartitionLoopArgs::kRule,
       [](Proposal& p) -> RuleCall {
         PartitionLoopArgs args{.at = p.at(p.places.loops), .count = p.choices.below(6), .rest = p.name()};
         if (p.choices.chance(40)) args.front = p.name();
         return args;
       }},
      {FillAheadArgs::kRule,
       [](Proposal& p) -> RuleCall {
         std::vector<Path> fitting;  // loops that allocate
         for (const Path& at : p.places.loops) {
           const For* loop = stmt_at(p.func, at).as<For>();
           if (loop && loop->body.as<AllocBuffer>()) fitting.push_back(at);
         }
         const int64_t ahead = p.choices.below(4), slots = p.choices.chance(60) ? ahead + 1 : 1 + p.choices.below(4);
         return FillAheadArgs{.loop = p.at(fitting, p.places.loops), .slots = slots, .ahead = ahead};
       }},
      {SkipComputedArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Path inner = p.at(p.places.loops), outer = p.around(inner);
         return SkipComputedArgs{
             .at = below(inner, 0), .loop = outer, .kept = p.choices.below(5), .step = p.choices.below(4)};
       }},
      {ReindexLoopsArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Path at = p.at(p.places.nests, p.places.loops);
         ReindexLoopsArgs args{.at = at,
                               .count = p.choices.chance(70) ? 2 : 1 + p.choices.below(3),
                               .replaced = {},
                               .buffer = p.stored_below(at)};
         for (int loop = 0; loop < static_cast<int>(args.count); ++loop) {
           if (p.choices.chance(60)) args.replaced.push_back(loop);
         }
         args.access = p.choices.below(3), args.image = p.choices.below(2);
         return args;
       }},
  };
}

}  // namespace hexproof
