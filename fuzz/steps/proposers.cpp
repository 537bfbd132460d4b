#include "fuzz/steps/proposers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/rules/args/windows.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// One of the expression rules that match in a statement; its condition may well fail.
std::vector<Application> random_applications(Proposal& p, const Path& at) {
  std::vector<Application> all;
  ExprSite site(p.func, at);
  std::function<void(const Path&)> look = [&](const Path& where) {
    for (const Candidate& c : site.candidates(where)) all.push_back({c.match.rule, c.ordinal, at, where});
    for (const Candidate& c : site.candidates(where, kSeparateDigits)) {
      all.push_back({kSeparateDigits, c.ordinal, at, where});
    }
    size_t operands = site.expr(where)->args.size();
    for (size_t i = 0; i < operands; ++i) {
      Path below = where;
      below.push_back(static_cast<int>(i));
      look(below);
    }
  };
  for (size_t root = 0; root < site.roots().size(); ++root) {
    if (site.may_rewrite(root)) look({static_cast<int>(root)});
  }
  return all.empty() ? all : std::vector<Application>{p.choices.pick(all)};
}

/// The buffer of the load that stands there, if one does.
std::optional<Buffer> loaded_at(const PrimFunc& func, const Path& at, const Path& where) {
  std::vector<Expr> args = expressions(stmt_at(func, at));
  Expr e;
  for (int step : where) {
    if (step < 0 || static_cast<size_t>(step) >= args.size()) return std::nullopt;
    e = args[static_cast<size_t>(step)];
    if (!e) return std::nullopt;
    args = e->args;
  }
  return e && e->op == Op::Load ? std::optional<Buffer>(e->buffer()) : std::nullopt;
}

}  // namespace

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

const std::vector<Proposer>& proposers() {
  static const std::vector<Proposer> list = {
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
      {EliminateBranchArgs::kRule,
       [](Proposal& p) -> RuleCall {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(70);
         return EliminateBranchArgs{.at = of_if ? p.at(p.places.ifs) : p.at(p.places.predicated, p.places.blocks),
                                    .takes = p.choices.below(2)};
       }},
      {MergeBranchesArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return MergeBranchesArgs{.at = p.at(p.places.adjacent_ifs, p.places.in_sequence),
                                  .complementary = p.choices.below(2)};
       }},
      {JoinConditionsArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return JoinConditionsArgs{.at = p.at(p.places.nested_ifs, p.places.ifs), .back = p.choices.below(2)};
       }},
      {InlineLetArgs::kRule, [](Proposal& p) -> RuleCall { return InlineLetArgs{.at = p.at(p.places.lets)}; }},
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
      {SwapStatementsArgs::kRule,
       [](Proposal& p) -> RuleCall { return SwapStatementsArgs{.at = p.at(p.places.in_sequence)}; }},
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
      {RemoveStoreArgs::kRule,
       [](Proposal& p) -> RuleCall {
         static const std::vector<std::string> kKinds = {"overwritten", "already-there", "dead"};
         RemoveStoreArgs args{.at = p.at(p.places.stores), .kind = p.choices.pick(kKinds)};
         if (args.kind == "overwritten") args.by = p.at(p.places.stores), args.witness = p.choices.below(2);
         return args;
       }},
      {DecomposeReductionArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Path at = p.at(p.places.reductions, p.places.blocks);
         DecomposeReductionArgs args{.at = at, .loop = p.around(at)};
         if (p.choices.chance(20)) args.into = true;
         return args;
       }},
      {SimplifyArgs::kRule,
       [](Proposal& p) -> RuleCall {
         Path at = p.choices.pick(p.places.all);
         return SimplifyArgs{.at = at, .applications = random_applications(p, at)};
       }},
      {LowerBlockArgs::kRule, [](Proposal& p) -> RuleCall { return LowerBlockArgs{.at = p.at(p.places.blocks)}; }},
      {TransformLayoutArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Buffer& b = p.buffer();
         TransformLayoutArgs args{.buffer = b->name, .map = p.layout(b)};
         if (std::optional<PadArg> pad = p.pad_value(b->dtype)) args.pad_value = *pad;
         if (!p.inverse.empty() && p.choices.chance(60)) args.inverse = index_map_of(p.inverse);
         return args;
       }},
      {ComputeAtArgs::kRule,
       [](Proposal& p) -> RuleCall {
         ComputeAtArgs args{.block = p.block(), .loop = p.at(p.places.loops)};
         if (p.choices.chance(40)) args.clip = true;
         return args;
       }},
      {SinkAllocArgs::kRule,
       [](Proposal& p) -> RuleCall {
         SinkAllocArgs args{.buffer = p.allocation()};
         if (p.choices.chance(50)) args.loop = p.at(p.places.loops);
         return args;
       }},
      {CompactBufferArgs::kRule,
       [](Proposal& p) -> RuleCall {
         CompactBufferArgs args{.buffer = p.allocation()};
         if (p.places.allocations.empty() || !p.choices.chance(60)) return args;
         const Buffer& b = p.choices.pick(p.places.allocations);
         args.buffer = b->name;
         p.region(b, &args);
         return args;
       }},
      {SetScopeArgs::kRule,
       [](Proposal& p) -> RuleCall {
         static const std::vector<std::string> kScopes = {"local", "global", "global.vtcm"};
         return SetScopeArgs{.buffer = p.allocation(), .scope = p.choices.pick(kScopes)};
       }},
      {FlattenArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return p.choices.chance(50) ? FlattenArgs{.buffer = p.buffer()->name} : FlattenArgs{};
       }},
      {CacheReadArgs::kRule,
       [](Proposal& p) -> RuleCall {
         CacheReadArgs args{.block = p.block(), .buffer = p.buffer()->name};
         if (p.choices.chance(40)) args.block = p.at(p.places.loops, p.places.all);
         if (p.choices.chance(30)) args.cover = "all";
         return args;
       }},
      {ReduceExtentArgs::kRule,
       [](Proposal& p) -> RuleCall {
         ReduceExtentArgs args{.at = p.at(p.places.guarded_loops, p.places.loops)};
         if (p.choices.chance(30)) args.min = p.choices.below(4), args.extent = p.choices.below(8);
         return args;
       }},
      {HoistConditionArgs::kRule,
       [](Proposal& p) -> RuleCall {
         auto [statement, e] = p.expr_that([](const Expr& e) { return e->dtype == kBool && !as_int(e); });
         return HoistConditionArgs{
             .at = p.around(statement), .statement = statement, .expr = e, .block_vars = p.choices.below(2)};
       }},
      {HoistIndexArgs::kRule,
       [](Proposal& p) -> RuleCall {
         auto [statement, e] = p.expr_that([](const Expr& e) {
           return e->dtype.is_integer() && e->dtype.is_scalar() && !e->args.empty() && !e->data;
         });
         return HoistIndexArgs{.at = p.around(statement), .statement = statement, .expr = e, .name = p.name()};
       }},
      {HoistLetArgs::kRule,
       [](Proposal& p) -> RuleCall {
         if (!p.places.lets.empty() && p.choices.chance(60)) {
           Path statement = p.choices.pick(p.places.lets);
           return HoistLetArgs{.at = p.around(statement), .statement = statement};
         }
         auto [statement, e] = p.expr_that([](const Expr& e) { return e->op == Op::Let; });
         return HoistLetArgs{.at = p.around(statement), .statement = statement, .expr = e};
       }},
      {SameBranchesArgs::kRule,
       [](Proposal& p) -> RuleCall { return SameBranchesArgs{.at = p.at(p.places.closed_ifs, p.places.ifs)}; }},
      {RemoveEmptyArgs::kRule,
       [](Proposal& p) -> RuleCall {
         RemoveEmptyArgs args{.at = p.at(p.places.empties, p.places.all)};
         if (p.choices.chance(30)) args.kind = p.choices.chance(50) ? "no-iteration" : "unused";
         return args;
       }},
      {ClampIndexArgs::kRule,
       [](Proposal& p) -> RuleCall {
         bool back = p.choices.chance(30);
         auto [at, e] = p.expr_that([](const Expr& e) { return e->dtype.is_integer() && e->dtype.is_scalar(); });
         ClampIndexArgs args{.at = at, .expr = e};
         if (back) args.back = true;
         if (p.choices.chance(50)) args.extent = 1 + p.choices.below(12);
         return args;
       }},
      {OvercomputeArgs::kRule,
       [](Proposal& p) -> RuleCall {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(80);
         return OvercomputeArgs{.at = of_if ? p.at(p.places.ifs) : p.at(p.places.predicated, p.places.blocks),
                                .takes = p.choices.below(4) > 0,
                                .stores = p.traces()};
       }},
      {IntroduceBranchArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return IntroduceBranchArgs{
             .at = p.choices.pick(p.places.all), .by = p.at(p.places.stores), .stores = p.traces()};
       }},
      {InsertStoreArgs::kRule,
       [](Proposal& p) -> RuleCall {
         InsertStoreArgs args{
             .at = p.at(p.places.open_ifs, p.places.ifs), .like = p.at(p.places.stores), .value = p.choices.below(3)};
         if (p.choices.chance(50)) args.by = p.at(p.places.stores), args.witness = p.choices.below(2);
         return args;
       }},
      {RemoveAssumeArgs::kRule, [](Proposal&) -> RuleCall { return RemoveAssumeArgs{}; }},
      {RemoveUndefStoreArgs::kRule,
       [](Proposal& p) -> RuleCall {
         if (p.choices.chance(30)) return RemoveUndefStoreArgs{.kind = "choose"};
         return RemoveUndefStoreArgs{.at = p.at(p.places.undef_stores, p.places.stores)};
       }},
      {ForwardStoreArgs::kRule,
       [](Proposal& p) -> RuleCall {
         auto [at, where] = p.expr_that([](const Expr& e) { return e->op == Op::Load; });
         std::vector<Path> fitting;  // stores of the same buffer that stand in front
         std::optional<Buffer> buffer = loaded_at(p.func, at, where);
         for (const Path& store : p.places.stores) {
           if (buffer && store < at && stmt_at(p.func, store).as<Store>()->buffer == *buffer) fitting.push_back(store);
         }
         return ForwardStoreArgs{
             .at = at, .expr = where, .store = p.at(fitting, p.places.stores), .witness = p.choices.below(3)};
       }},
      {ReverseComputeAtArgs::kRule,
       [](Proposal& p) -> RuleCall {
         ReverseComputeAtArgs args{.block = p.block(), .loop = p.at(p.places.loops)};
         if (p.choices.chance(40)) args.clip = true;
         if (p.choices.chance(20)) args.witness = p.choices.below(3);
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
      {PartitionLoopArgs::kRule,
       [](Proposal& p) -> RuleCall {
         PartitionLoopArgs args{.at = p.at(p.places.loops), .count = p.choices.below(6), .rest = p.name()};
         if (p.choices.chance(40)) args.front = p.name();
         return args;
       }},
      {ReindexReadArgs::kRule,
       [](Proposal& p) -> RuleCall { return ReindexReadArgs{p.reindexed(p.choices.below(2))}; }},
      {ReindexWriteArgs::kRule, [](Proposal& p) -> RuleCall { return ReindexWriteArgs{p.reindexed(0)}; }},
      {CacheIndexArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return CacheIndexArgs{.block = p.at(p.places.blocks), .number = p.choices.below(2), .name = p.name()};
       }},
      {CacheInplaceArgs::kRule,
       [](Proposal& p) -> RuleCall {
         CacheInplaceArgs args{.block = p.at(p.places.blocks, p.places.loops), .index = 0};
         if (p.choices.chance(40)) args.block = p.at(p.places.loops, p.places.all);
         if (p.choices.chance(30)) args.cover = "all";
         return args;
       }},
      {GrowBufferArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Buffer& b = p.places.allocations.empty() ? p.buffer() : p.choices.pick(p.places.allocations);
         std::vector<Expr> shape;
         for (const Expr& e : b->shape) {
           const int64_t extent = (as_int(e) ? *as_int(e) : 4) + p.choices.below(4) - (p.choices.chance(10) ? 1 : 0);
           shape.push_back(imm(e->dtype, extent));
         }
         return GrowBufferArgs{.buffer = b->name, .shape = shape};
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
      {MakeAsyncArgs::kRule,
       [](Proposal& p) -> RuleCall {
         // Statements that follow one another, and some that stand elsewhere.
         MakeAsyncArgs args{.copies = {p.at(p.places.in_sequence, p.places.all)}, .waits = {}, .inflight = {}};
         Path behind = args.copies[0];
         if (!behind.empty()) ++behind.back();
         if (p.choices.chance(30)) args.copies.push_back(p.at(p.places.all));
         for (uint32_t k = p.choices.below(3); k-- > 0;) {
           args.waits.push_back(p.choices.chance(70) ? behind : p.at(p.places.all));
           args.inflight.push_back(i32(p.choices.chance(60) ? 0 : p.choices.below(3)));
         }
         return args;
       }},
      {FoldBufferArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Buffer& b = p.places.allocations.empty() ? p.buffer() : p.choices.pick(p.places.allocations);
         return FoldBufferArgs{.buffer = b->name,
                               .axis = p.choices.below(static_cast<uint32_t>(b->ndim()) + 1) % 2,
                               .factor = 1 + p.choices.below(5)};
       }},
      {SetDtypeArgs::kRule,
       [](Proposal& p) -> RuleCall {
         static const std::vector<std::string> kTypes = {"int8", "int16", "int64", "uint8", "float64"};
         SetDtypeArgs args{.buffer = p.allocation(), .dtype = p.choices.pick(kTypes)};
         if (p.choices.chance(30)) args.flip = p.choices.below(256);
         return args;
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
      {ElidePaddingArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Buffer& b = p.places.allocations.empty() ? p.buffer() : p.choices.pick(p.places.allocations);
         int64_t cells = 1, width = 1;
         for (const Expr& e : b->shape) cells *= as_int(e) ? *as_int(e) : 1;
         if (b->ndim() > 0 && as_int(b->shape.back())) width = std::max<int64_t>(1, *as_int(b->shape.back()));
         bool flat = b->ndim() < 2;
         std::string map = flat ? "lambda i: [i]" : fmt::format("lambda i: [i // {0}, i % {0}]", width);
         return ElidePaddingArgs{.buffer = b->name,
                                 .shape = {i32(std::max<int64_t>(0, cells - p.choices.below(4)))},
                                 .map = index_map_of(map)};
       }},
      {SkipComputedArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Path inner = p.at(p.places.loops), outer = p.around(inner);
         return SkipComputedArgs{
             .at = below(inner, 0), .loop = outer, .kept = p.choices.below(5), .step = p.choices.below(4)};
       }},
      {CacheWriteArgs::kRule,
       [](Proposal& p) -> RuleCall {
         CacheWriteArgs args{.block = p.block(), .buffer = p.buffer()->name};
         if (p.choices.chance(40)) args.block = p.at(p.places.loops, p.places.all);
         if (p.choices.chance(40)) args.cover = p.choices.chance(50) ? "all" : "guard";
         return args;
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
  return list;
}

}  // namespace hexproof
