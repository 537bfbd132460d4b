// cache-write {block: name, or Path to any statement, buffer: Buffer or name | index: n, scope: text (optional,
// "global")}
//
//                                   A_scope = alloc_buffer(shape of A, scope)
//   nest with block: A[e] = v   ->  nest with block: A_scope[e] = v
//                                   for ax: with T.block("A_scope"): A[b + ax] = A_scope[b + ax]
//
// The nest is the outermost statement around the block below the function's allocations. Every load and store of A in
// the nest changes. The region that is copied back is the box of the cells that the nest writes; the cache keeps the
// shape of A (compact-buffer makes it smaller). `index` counts the buffers that the block writes from 0, in program
// order.
//
// Side conditions
//  1. Every cell that the nest writes lies in the region.
//  2. The region lies inside of A, and every cell of it is written by the nest: the cache holds a value there, and
//     nothing else in A is changed.
//  3. What the nest reads from A it has written before: the cache starts without content.
#include "ir/visit.h"
#include "rewrite/buffers.h"
#include "rewrite/cache_stage.h"
#include "rewrite/find.h"
#include "rewrite/initialised.h"

namespace hexproof {
namespace {

constexpr const char* kRule = "cache-write";

Rewrite cache_write(const PrimFunc& func, const Args& args) {
  Path block = scope_arg(func, args, "block");
  Buffer buffer = accessed_arg(func, args, block, true);
  std::string scope = args.count("scope") ? arg<std::string>(args, "scope") : "global";
  Stage stage = stage_around(func, block);
  Stmt nest = stmt_at(func, stage.at);
  BufferSource source = buffer_arg(func, {{"buffer", buffer}}, "buffer");
  if (source.alloc && !is_within(stage.at, *source.alloc)) {
    throw NotApplicable("'" + buffer->name + "' is allocated inside of the nest");
  }
  demand_own_memory(func, buffer);
  demand_scalar_indices(nest, buffer);

  Facts facts = facts_at(func, stage.at);
  std::vector<Access> writes = writes_of(footprint(nest, facts));
  std::erase_if(writes, [&](const Access& a) { return !(a.buffer == buffer); });
  std::vector<DimRange> region = region_of(buffer, writes);
  std::vector<Expr> base, extent;
  for (const DimRange& r : region) base.push_back(r.base), extent.push_back(r.extent);

  Rewrite out{.after = func, .needs = {}};
  std::vector<Expr> given = facts.given();
  for (const Access& write : writes) {
    owe_inside(kRule, "what the nest writes is in the region that is copied back", func, given, write, region,
               &out.needs);
  }
  owe_region_in_box(kRule, func, nest, given, buffer, region, &out.needs);
  auto add = [&](std::vector<Obligation> more) {
    for (Obligation& o : more) out.needs.push_back(std::move(o));
  };
  add(writes_whole_region(kRule, "every cell that is copied back was written by the nest", func, stage.at, buffer, base,
                          extent));
  add(written_before_read(kRule, func, stage.at, buffer));

  Buffer cache = cache_of(buffer, scope);
  out.after = with_copies(func, stage, cache, {}, rename_buffer(nest, buffer, cache),
                          copy_nest(has_blocks(func) ? cache->name : "", cache, buffer, region));
  return out;
}

}  // namespace

extern const Rule k_cache_write{"cache-write", "A[e] = v in a nest  ->  write a cache, then copy it back to A",
                                &cache_write};

}  // namespace hexproof
