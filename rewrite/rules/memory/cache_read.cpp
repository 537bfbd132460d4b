// cache-read {block: name, or Path to any statement, buffer: Buffer or name | index: n, scope: text (optional,
//             "global"), cover: "one" (default) or "all"}
//
//                                    A_scope = alloc_buffer(shape of A, scope)
//                                    for ax: with T.block("A_scope"): A_scope[b + ax] = A[b + ax]
//   nest with block: ... A[e] ...  ->  nest with block: ... A_scope[e] ...
//
// The nest is the outermost statement around the block below the function's allocations. Only the loads in the named
// block change. The copied region is the box of the cells that these loads touch, per dimension, as far as it is found,
// else the whole dimension; the cache keeps the shape of A (compact-buffer makes it smaller). `index` counts the
// buffers that the block reads from 0, in program order and without those that it writes.
//
// Side conditions
//  1. Every cell that the block reads lies in the copied region.
//  2. The region lies inside of A.
//  3. If A is allocated here: every cell of the region was written by an earlier statement (the nearest that writes A,
//     or, with cover "all", one or another: a buffer and its padding are filled by two stages; arguments are
//     initialised, but for padding that an attribute of the function names: of that, too).
//  4. No store in the nest hits a cell that the block reads: the copy would hold the old value.
//  5. The cache, which is as large as A, fits in memory, and the bounds of the copy are no error.
//  6. The copy relies on no assume in the nest, which stands behind it.
#include "ir/visit.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/memory/must_write.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kCacheRead = "cache-read";

/// Condition 3.
std::vector<Obligation> owe_initialised(const PrimFunc& func, const Stage& stage, const Buffer& buffer,
                                        const std::vector<DimRange>& region, bool together) {
  std::vector<Expr> base, extent;
  for (const DimRange& r : region) base.push_back(r.base), extent.push_back(r.extent);
  std::vector<Path> writers;
  for (int earlier = stage.index; earlier-- > 0;) {
    Path at = below(stage.seq, earlier);
    if (stores_to_buffer(stmt_at(func, at), buffer)) writers.push_back(at);
  }
  if (writers.empty()) throw NotApplicable("nothing before the block writes '" + buffer->name + "'");
  std::string why = "what is copied from '" + buffer->name + "' was written before";
  if (together) return write_whole_region(kCacheRead, why, func, writers, buffer, base, extent);
  return writes_whole_region(kCacheRead, why, func, writers[0], buffer, base, extent);
}

Rewrite cache_read(const PrimFunc& func, const CacheReadArgs& args) {
  Path block = scope_arg(func, args.block);
  Buffer buffer = accessed_arg(func, args.buffer, args.index, block, false);
  std::string scope = args.scope.value_or("global");
  std::string cover = args.cover.value_or("one");
  if (cover != "one" && cover != "all") throw NotApplicable("cover is none of one, all");
  bool together = cover == "all";
  Stage stage = stage_around(func, block);
  Stmt nest = stmt_at(func, stage.at);
  BufferSource source = buffer_arg(func, buffer);
  if (source.alloc && !is_within(stage.at, *source.alloc)) {
    throw NotApplicable("'" + buffer->name + "' is allocated inside of the nest");
  }
  demand_own_memory(func, buffer);
  demand_scalar_indices(nest, buffer);

  std::vector<Access> in_block = accesses_between(func, stage.at, block);
  std::vector<Access> reads = reads_of(in_block);
  std::erase_if(reads, [&](const Access& a) { return !(a.buffer == buffer); });
  std::vector<DimRange> region = region_of(buffer, reads);

  Rewrite out{.after = func, .needs = {}};
  std::vector<Expr> given = given_at(func, stage.at);
  for (const Access& read : reads) {
    owe_inside(kCacheRead, "what the block reads is in the copied region", func, given, read, region, &out.needs);
  }
  owe_region_in_box(kCacheRead, func, nest, given, buffer, region, &out.needs);
  if (source.alloc) {
    for (Obligation& o : owe_initialised(func, stage, buffer, region, together)) out.needs.push_back(std::move(o));
  } else {
    std::vector<Expr> base, extent;
    for (const DimRange& r : region) base.push_back(r.base), extent.push_back(r.extent);
    for (Obligation& o :
         argument_region_has_values(kCacheRead, func, stage.seq, stage.index, *source.param, base, extent)) {
      out.needs.push_back(std::move(o));
    }
  }
  for (const Access& write : writes_of(footprint(nest, facts_at(func, stage.at)))) {
    if (!may_alias(write.buffer, buffer)) continue;
    for (const Access& read : reads) {
      Access other = rename_apart(read);
      for (Obligation& o : disjoint(kCacheRead, "no store after the copy hits a cell that is read from it",
                                    place_of(func, write.stmt), given, write, other)) {
        out.needs.push_back(std::move(o));
      }
    }
  }

  Buffer cache = cache_of(buffer, scope);
  Stmt changed_block = rename_loads(stmt_at(func, block), buffer, cache);
  PrimFunc renamed = replace_at(func, block, changed_block);
  out.after = with_copies(kCacheRead, func, stage,
                          {.cache = cache,
                           .like = buffer,
                           .before = copy_nest(has_blocks(func) ? cache->name : "", buffer, cache, region),
                           .changed = stmt_at(renamed, stage.at),
                           .after = {}},
                          &out.needs);
  return out;
}

}  // namespace

extern const Rule k_cache_read{rule<cache_read>("A[e] in a block  ->  copy A into a cache first, then read the cache")};

}  // namespace hexproof
