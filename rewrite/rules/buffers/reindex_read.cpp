// reindex-read {block: Path or name, buffer: Buffer or name | index: n, map: IndexMap over the block's variables
//               (optional), name: of the cache and its block (optional), scope: text (optional, "global")}
//
//                                    C = alloc_buffer(box of g, scope)
//                                    for v: with T.block("C"): C[g(v)] = A[e(v)]
//   nest with block: ... A[e(v)] ... ->  nest with block: ... C[g(v)] ...
//
// e(v) is the one place at which the body of the block reads A, over variables v of the block. g is `map`, or else the
// variables of which e speaks. The nest is the outermost statement around the block below the function's allocations;
// the copy runs over the domains of v.
//
// Side conditions
//  1. In each instance v lies in the box of the copy; there e and g are no error, and g leads into C.
//  2. A place of the cache stands for one cell: where g(v) == g(w), e(v) == e(w).
//  3. Each v of the box is that of an instance that reads A[e(v)]: so the cell is in bounds and holds a value.
//  4. Nothing in the nest stores to A, and no assume in it speaks of A (checked here): the cell holds the same value
//     from the copy on.
//  5. The extents of the box are no error in front of the nest, and the cache fits in memory.
//  6. The copy relies on no assume in the nest, which stands behind it.
#include "ir/visit.h"
#include "rewrite/memory/reindexed_cache.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kReindexRead = "reindex-read";

Rewrite reindex_read(const PrimFunc& func, const ReindexReadArgs& args) {
  const ReindexedCache c = reindexed_cache(func, args, false);
  const Stmt nest = stmt_at(func, c.stage.at);
  Rewrite out{.after = func, .needs = {}};
  for (const Access& a : footprint(nest, facts_at(func, c.stage.at))) {
    if (!may_alias(a.buffer, c.buffer)) continue;
    if (a.write || a.stmt.as<Assume>())
      throw NotApplicable("the nest writes '" + c.buffer->name + "', or assumes of it");
  }
  owe_places(kReindexRead, func, c, false, &out.needs);
  std::vector<Access> reads = reads_of(accesses_between(func, c.stage.at, c.block_path));
  // What decides of the block, and binds its variables, may read other cells, and does where nothing of it runs.
  const Stmt block = stmt_at(func, c.block_path);
  std::erase_if(reads, [&](const Access& a) { return !(a.buffer == c.buffer) || a.stmt.get() == block.get(); });
  owe_visited(kReindexRead, "each cell that is copied was read by an instance", func, c, reads, &out.needs);
  const PrimFunc changed = replace_at(func, c.block_path, through_cache(c, stmt_at(func, c.block_path), false));
  out.after = with_copies(kReindexRead, func, c.stage,
                          {.cache = c.cache,
                           .like = c.buffer,
                           .before = copy_of_box(c, false),
                           .changed = stmt_at(changed, c.stage.at),
                           .after = {}},
                          &out.needs);
  return out;
}

}  // namespace

extern const Rule k_reindex_read{
    rule<reindex_read>("A[e(v)] in a block  ->  C[g(v)] = A[e(v)] first, then read C[g(v)]")};

}  // namespace hexproof
