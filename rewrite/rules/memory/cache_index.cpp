// cache-index {block: Path or name, number: k, name: of the cache and its block, scope: text (optional, "global")}
//
//                                     C = alloc_buffer(domains of v, "int32", scope)
//                                     for v: with T.block("C"): C[v] = e(v)
//   nest with block: ... A[e(v)] ...  ->  nest with block: ... A[C[v]] ...
//
// e is the k-th (from 0, in program order) index that the body of the block computes: no variable and no constant, over
// variables v of the block and scalars alone. It goes wherever it stands in the body. The nest is the outermost
// statement around the block below the function's allocations; the cache is filled over the domains of v.
//
// Side conditions
//  1. In each instance v lies in the box that is filled: the cache holds e(v) there.
//  2. e is no error in the box.
//  3. The extents of the box are no error in front of the nest, and the cache fits in memory.
#include "ir/visit.h"
#include "rewrite/memory/computed_indices.h"
#include "rewrite/memory/reindexed_cache.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kCacheIndex = "cache-index";

Rewrite cache_index(const PrimFunc& func, const CacheIndexArgs& args) {
  ReindexedCache c;
  c.block_path = block_arg(func, args.block);
  c.block = record_at<Block>(func, c.block_path, "a block");
  c.stage = stage_around(func, c.block_path);
  const std::string& name = args.name;
  const std::string scope = args.scope.value_or("global");
  const int64_t k = args.number;
  if (name.empty() || !find_blocks(func, name).empty()) throw NotApplicable("the cache needs a name that is free");
  const std::vector<ComputedIndex> found = computed_indices(func, c.block);
  if (k < 0 || k >= static_cast<int64_t>(found.size())) {
    throw NotApplicable("the block computes no index number " + std::to_string(k));
  }
  const Expr e = found[static_cast<size_t>(k)].e;
  std::vector<Expr> shape;
  for (const IterVar& iter : c.block.iters) {
    if (!uses_var(e, iter.var)) continue;
    require_index(func, iter.binding, "a binding of the block");
    demand_box(func, iter);
    c.used.push_back(iter);
    c.place.emplace_back(iter.var);
    shape.push_back(iter.dom.extent);
  }
  if (c.used.empty()) throw NotApplicable("the index speaks of no variable of the block");
  c.cell = {e};
  c.cache = make_buffer(name, e->dtype, shape, {.scope = scope.empty() ? "global" : scope});
  Rewrite out{.after = func, .needs = {}};
  owe_places(kCacheIndex, func, c, false, &out.needs);

  const Expr cell = load(c.cache, c.place);
  auto expr = [&](const Expr& x) { return rewrite_expr(x, [&](const Expr& y) { return y == e ? cell : y; }); };
  Block changed = c.block;
  if (changed.init) changed.init = rewrite_stmt(changed.init, expr);
  changed.body = rewrite_stmt(changed.body, expr);
  changed.reads.reset(), changed.writes.reset();
  const Stmt block = stmt_at(func, c.block_path);
  const PrimFunc renamed = replace_at(func, c.block_path, make_stmt(std::move(changed), block->span));
  out.after = with_copies(
      kCacheIndex, func, c.stage,
      {.cache = c.cache, .like = {}, .before = fill_of_box(c, e), .changed = stmt_at(renamed, c.stage.at), .after = {}},
      &out.needs);
  return out;
}

}  // namespace

extern const Rule k_cache_index{rule<cache_index>("A[e(v)] in a block  ->  C[v] = e(v) first, then A[C[v]]")};

}  // namespace hexproof
