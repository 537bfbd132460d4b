// cache-write {block: name, or Path to any statement, buffer: Buffer or name | index: n, scope: text (optional,
//              "global"), cover: "one" (default), "all" or "guard"}
//
//                                   A_scope = alloc_buffer(shape of A, scope)
//   nest with block: A[e] = v   ->  nest with block: A_scope[e] = v
//                                   for ax: with T.block("A_scope"): A[b + ax] = A_scope[b + ax]
//
// The nest is the outermost statement around the block below the function's allocations. Every load and store of A in
// the nest changes. The region that is copied back is the box of the cells that the nest writes; the cache keeps the
// shape of A (compact-buffer makes it smaller). `index` counts the buffers that the block writes from 0, in program
// order. With "guard", the copy runs only for cells that a store of the nest writes (T.where), which the index map of
// that store tells: the padding of a layout stays as it was.
//
// Side conditions
//  1. Every cell that the nest writes, or gives some value by a permission to read, lies in the region.
//  2. The region lies inside of A, and every cell of it is written by the nest (by one store; with "all", by one or
//     another): the cache holds a value there, and nothing else in A is changed. With "guard": every cell under the
//     guard is, and every store of the nest writes cells under the guard; computing it is no error.
//  3. What the nest reads from A it has written before: the cache starts without content.
//  4. The cache, which is as large as A, fits in memory, and the bounds of the copy are no error.
#include "ir/visit.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/memory/must_write.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kCacheWrite = "cache-write";

struct Guard {
  const std::vector<Var>& cell;
  const Expr& condition;
  const std::vector<DimRange>& region;
};

/// Condition 2 with a guard. That cells under it are written is how cells_written found it; it is proved nevertheless.
std::vector<Obligation> owe_guard(const PrimFunc& func, const Stmt& nest, const Facts& facts, const Guard& guard,
                                  const std::vector<Access>& writes, const std::vector<Access>& stores) {
  std::vector<Obligation> out;
  std::vector<Expr> in_region = facts.given();
  Access cell = access_of(writes.at(0).buffer, {}, writes.at(0).layout);
  for (size_t d = 0; d < guard.cell.size(); ++d) {
    const DimRange& r = guard.region[d];
    in_region = join(in_region, range_of(Expr(guard.cell[d]), facts.resolve(r.base), facts.resolve(r.extent)));
    cell.indices.emplace_back(guard.cell[d]);
  }
  out.push_back(need(kCacheWrite, "the guard of the copy is no error", func, nest, in_region, fits(guard.condition)));
  std::vector<std::vector<Obligation>> ways =
      covers(kCacheWrite, "every cell that is copied back was written by the nest", place_of(func, nest),
             join(in_region, {guard.condition}), stores, cell);
  if (ways.empty()) throw NotApplicable("no store is seen to write the cells under the guard");
  for (Obligation& o : ways.front()) out.push_back(std::move(o));
  for (const Access& write : writes) {
    VarMap here;
    for (size_t d = 0; d < guard.cell.size(); ++d) {
      if (write.indices[d]->dtype != guard.cell[d].dtype())
        throw EngineLimit("a guard over stores whose indices have several types");
      here.emplace(guard.cell[d], write.indices[d]);
    }
    out.push_back(need(kCacheWrite, "what the nest writes is copied back", func, write.stmt,
                       join(facts.given(), domain_of(write)), substitute(guard.condition, here)));
  }
  return out;
}

Rewrite cache_write(const PrimFunc& func, const CacheWriteArgs& args) {
  Path block = scope_arg(func, args.block);
  Buffer buffer = accessed_arg(func, args.buffer, args.index, block, true);
  std::string scope = args.scope.value_or("global");
  Stage stage = stage_around(func, block);
  Stmt nest = stmt_at(func, stage.at);
  BufferSource source = buffer_arg(func, buffer);
  if (source.alloc && !is_within(stage.at, *source.alloc)) {
    throw NotApplicable("'" + buffer->name + "' is allocated inside of the nest");
  }
  demand_own_memory(func, buffer);
  demand_scalar_indices(nest, buffer);

  Facts facts = facts_at(func, stage.at);
  // A permission moves to the cache, too: it must be of a cell that a store fills, and that is copied back.
  std::vector<Access> writes = writes_of(footprint(nest, facts));
  std::erase_if(writes, [&](const Access& a) { return !(a.buffer == buffer); });
  std::vector<Access> stores = stores_of(writes);
  std::vector<DimRange> region = region_of(buffer, stores);
  std::vector<Expr> base, extent;
  for (const DimRange& r : region) base.push_back(r.base), extent.push_back(r.extent);

  Rewrite out{.after = func, .needs = {}};
  std::vector<Expr> given = facts.given();
  for (const Access& write : writes) {
    owe_inside(kCacheWrite, "what the nest writes is in the region that is copied back", func, given, write, region,
               &out.needs);
  }
  owe_region_in_box(kCacheWrite, func, nest, given, buffer, region, &out.needs);
  auto add = [&](std::vector<Obligation> more) {
    for (Obligation& o : more) out.needs.push_back(std::move(o));
  };
  std::string cover = args.cover.value_or("one");
  std::string filled = "every cell that is copied back was written by the nest";
  std::vector<Var> cell;
  Expr guard;
  if (cover == "one") {
    add(writes_whole_region(kCacheWrite, filled, func, stage.at, buffer, base, extent));
  } else if (cover == "all") {
    add(write_whole_region(kCacheWrite, filled, func, {stage.at}, buffer, base, extent));
  } else if (cover == "guard") {
    for (const Expr& e : base) cell.push_back(Var::fresh("c" + std::to_string(cell.size()), e->dtype));
    guard = cells_written(func, stage.at, buffer, cell, base, extent);
    if (as_int(guard) || !is_repeatable(guard))
      throw NotApplicable("no condition is seen under which a cell is written");
    add(owe_guard(func, nest, facts, {cell, guard, region}, writes, stores));
  } else {
    throw NotApplicable("cover is none of one, all, guard");
  }
  add(written_before_read(kCacheWrite, func, stage.at, buffer));

  Buffer cache = cache_of(buffer, scope);
  const Stmt back = copy_nest(has_blocks(func) ? cache->name : "", cache, buffer, region, cell, guard);
  out.after = with_copies(
      kCacheWrite, func, stage,
      {.cache = cache, .like = buffer, .before = {}, .changed = rename_buffer(nest, buffer, cache), .after = back},
      &out.needs);
  return out;
}

}  // namespace

extern const Rule k_cache_write{rule<cache_write>("A[e] = v in a nest  ->  write a cache, then copy it back to A")};

}  // namespace hexproof
