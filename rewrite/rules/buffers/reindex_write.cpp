// reindex-write {block: Path or name, buffer: Buffer or name | index: n, map: IndexMap over the block's variables
//                (optional), name: of the cache and its block (optional), scope: text (optional, "global")}
//
//                                      C = alloc_buffer(box of g, scope)
//   nest with block: A[e(v)] = x   ->  nest with block: C[g(v)] = x
//                                      for v: with T.block("C"): A[e(v)] = C[g(v)]
//
// e(v) is the one place at which the block touches A, over variables v of the block. g is `map`, or else the variables
// of which e speaks. The nest is the outermost statement around the block below the function's allocations; the copy
// runs over the domains of v.
//
// Side conditions
//  1. In each instance v lies in the box of the copy; there e and g are no error, and g leads into C.
//  2. Cells and places are one to one: e(v) == e(w) exactly where g(v) == g(w).
//  3. Each v of the box is that of an instance that stores to A[e(v)]: the cache holds a value there, and no other cell
//     of A is written.
//  4. What the nest reads from A it has written before: the cache starts without content.
//  5. Nothing else in the nest touches A (checked here).
//  6. The extents of the box are no error behind the nest, and the cache fits in memory.
#include "ir/visit.h"
#include "rewrite/memory/must_write.h"
#include "rewrite/memory/reindexed_cache.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kReindexWrite = "reindex-write";

Rewrite reindex_write(const PrimFunc& func, const ReindexWriteArgs& args) {
  const ReindexedCache c = reindexed_cache(func, args, true);
  const Stmt nest = stmt_at(func, c.stage.at), block = stmt_at(func, c.block_path);
  Rewrite out{.after = func, .needs = {}};
  std::vector<Access> in_block = accesses_between(func, c.stage.at, c.block_path);
  std::erase_if(in_block, [&](const Access& a) { return !may_alias(a.buffer, c.buffer); });
  std::vector<Access> in_nest = footprint(nest, facts_at(func, c.stage.at));
  std::erase_if(in_nest, [&](const Access& a) { return !may_alias(a.buffer, c.buffer); });
  if (in_block.size() != in_nest.size()) {
    throw NotApplicable("'" + c.buffer->name + "' is touched in the nest outside of the block, too");
  }
  for (const Access& a : in_nest) {
    if (a.stmt.get() == block.get()) throw NotApplicable("what decides of the block reads '" + c.buffer->name + "'");
    if (a.stmt.as<Assume>()) throw NotApplicable("an assume in the nest speaks of '" + c.buffer->name + "'");
  }
  owe_places(kReindexWrite, func, c, true, &out.needs);
  owe_visited(kReindexWrite, "each cell that is copied back was written by an instance", func, c, stores_of(in_block),
              &out.needs);
  for (Obligation& o : written_before_read(kReindexWrite, func, c.stage.at, c.buffer))
    out.needs.push_back(std::move(o));
  const PrimFunc changed = replace_at(func, c.block_path, through_cache(c, block, true));
  out.after = with_copies(kReindexWrite, func, c.stage,
                          {.cache = c.cache,
                           .like = c.buffer,
                           .before = {},
                           .changed = stmt_at(changed, c.stage.at),
                           .after = copy_of_box(c, true)},
                          &out.needs);
  return out;
}

}  // namespace

extern const Rule k_reindex_write{
    rule<reindex_write>("A[e(v)] = x in a block  ->  C[g(v)] = x, then A[e(v)] = C[g(v)]")};

}  // namespace hexproof
