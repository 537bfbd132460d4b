#include "rewrite/rules/args/buffers.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/steps/proposers/tables.h"

namespace hexproof {

std::vector<Proposer> buffer_proposers() {
  return {
      {TransformLayoutArgs::kRule,
       [](Proposal& p) -> RuleCall {
         const Buffer& b = p.buffer();
         TransformLayoutArgs args{.buffer = b->name, .map = p.layout(b)};
         if (std::optional<PadArg> pad = p.pad_value(b->dtype)) args.pad_value = *pad;
         if (!p.inverse.empty() && p.choices.chance(60)) args.inverse = index_map_of(p.inverse);
         return args;
       }},
      {SinkAllocArgs::kRule,
       [](Proposal& p) -> RuleCall {
         SinkAllocArgs args{.buffer = p.allocation()};
         if (p.choices.chance(50)) args.loop = p.at(p.places.loops);
         return args;
       }},
      {ShareStorageArgs::kRule,
       [](Proposal& p) -> RuleCall { return ShareStorageArgs{.buffer = p.allocation(), .with = p.allocation()}; }},
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
      {ReindexReadArgs::kRule,
       [](Proposal& p) -> RuleCall { return ReindexReadArgs{p.reindexed(p.choices.below(2))}; }},
      {ReindexWriteArgs::kRule, [](Proposal& p) -> RuleCall { return ReindexWriteArgs{p.reindexed(0)}; }},
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
      {CacheWriteArgs::kRule,
       [](Proposal& p) -> RuleCall {
         CacheWriteArgs args{.block = p.block(), .buffer = p.buffer()->name};
         if (p.choices.chance(40)) args.block = p.at(p.places.loops, p.places.all);
         if (p.choices.chance(40)) args.cover = p.choices.chance(50) ? "all" : "guard";
         return args;
       }},
  };
}

}  // namespace hexproof
