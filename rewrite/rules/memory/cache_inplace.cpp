// cache-inplace {block: name, or Path to any statement, buffer: Buffer or name | index: n, scope: text (optional,
//                "global"), cover: "one" (default) or "all"}
//
//                                      C = alloc_buffer(shape of A, scope)
//                                      for ax: with T.block("A_scope_read"): C[b + ax] = A[b + ax]
//   nest: A[e] = f(A[d])          ->   nest: C[e] = f(C[d])
//                                      for ax: with T.block("A_scope_write"): A[b + ax] = C[b + ax]
//
// The nest is the outermost statement around the block below the function's allocations. Every load and store of A in
// the nest changes. The region that is copied is the box of the cells that the nest touches. `index` counts the buffers
// that the block both reads and writes, from 0, in program order.
//
// Side conditions
//  1. Every cell of A that the nest touches lies in the region.
//  2. The region lies inside of A, and each of its cells holds a value when the nest starts: the cache has one where
//     A has one, and what the nest leaves alone is copied back as it was. (An argument is initialised, but for padding
//     that an attribute names; of an allocation, an earlier statement has written the region: as in cache-read.)
//  3. No assume in the nest speaks of A (checked here): it would speak of A, and not of the cache.
//  4. The cache fits in memory, and the bounds of the copies are no error.
//  5. The copy in front relies on no assume in the nest, which stands behind it.
#include "ir/visit.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/memory/must_write.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kCacheInplace = "cache-inplace";

/// The buffer that the arguments name, which the block reads and writes.
Buffer updated_arg(const PrimFunc& func, const CacheInplaceArgs& args, const Path& block) {
  if (!args.index) {
    accessed_arg(func, args.buffer, {}, block, false);
    return accessed_arg(func, args.buffer, {}, block, true);
  }
  std::vector<Buffer> both;
  const std::vector<Buffer> written = buffers_stored(stmt_at(func, block));
  for (const Buffer& b : buffers_read(stmt_at(func, block))) {
    const bool known = std::find(both.begin(), both.end(), b) != both.end();
    if (!known && std::find(written.begin(), written.end(), b) != written.end()) both.push_back(b);
  }
  const int64_t index = *args.index;
  if (index < 0 || index >= static_cast<int64_t>(both.size())) {
    throw NotApplicable("the block updates no buffer number " + std::to_string(index) + " in place");
  }
  return both[static_cast<size_t>(index)];
}

Rewrite cache_inplace(const PrimFunc& func, const CacheInplaceArgs& args) {
  const Path block = scope_arg(func, args.block);
  const Buffer buffer = updated_arg(func, args, block);
  const std::string scope = args.scope.value_or("global");
  const std::string cover = args.cover.value_or("one");
  if (cover != "one" && cover != "all") throw NotApplicable("cover is none of one, all");
  const Stage stage = stage_around(func, block);
  const Stmt nest = stmt_at(func, stage.at);
  const BufferSource source = buffer_arg(func, buffer);
  if (source.alloc && !is_within(stage.at, *source.alloc)) {
    throw NotApplicable("'" + buffer->name + "' is allocated inside of the nest");
  }
  demand_own_memory(func, buffer);
  demand_scalar_indices(nest, buffer);

  const Facts facts = facts_at(func, stage.at);
  const std::vector<Expr> given = facts.given();
  std::vector<Access> touched = footprint(nest, facts);
  std::erase_if(touched, [&](const Access& a) { return !(a.buffer == buffer); });
  for (const Access& a : touched) {
    if (a.stmt.as<Assume>()) throw NotApplicable("an assume in the nest speaks of '" + buffer->name + "'");
  }
  const std::vector<DimRange> region = region_of(buffer, touched);
  std::vector<Expr> base, extent;
  for (const DimRange& r : region) base.push_back(r.base), extent.push_back(r.extent);
  Rewrite out{.after = func, .needs = {}};
  for (const Access& a : touched) {
    owe_inside(kCacheInplace, "what the nest touches is in the copied region", func, given, a, region, &out.needs);
  }
  owe_region_in_box(kCacheInplace, func, nest, given, buffer, region, &out.needs);
  std::vector<Obligation> filled;
  if (source.param) {
    filled = argument_region_has_values(kCacheInplace, func, stage.seq, stage.index, *source.param, base, extent);
  } else {
    std::vector<Path> writers;
    for (int earlier = stage.index; earlier-- > 0;) {
      const Path at = below(stage.seq, earlier);
      if (stores_to_buffer(stmt_at(func, at), buffer)) writers.push_back(at);
    }
    if (writers.empty()) throw NotApplicable("nothing before the block writes '" + buffer->name + "'");
    const std::string why = "what is copied from '" + buffer->name + "' was written before";
    filled = cover == "all" ? write_whole_region(kCacheInplace, why, func, writers, buffer, base, extent)
                            : writes_whole_region(kCacheInplace, why, func, writers[0], buffer, base, extent);
  }
  for (Obligation& o : filled) out.needs.push_back(std::move(o));
  const Buffer cache = cache_of(buffer, scope);
  const bool blocks = has_blocks(func);
  const std::string in = blocks ? cache->name + "_read" : "", back = blocks ? cache->name + "_write" : "";
  for (const std::string& name : {in, back}) {
    if (blocks && !find_blocks(func, name).empty()) throw NotApplicable("there is a block '" + name + "' already");
  }
  out.after = with_copies(kCacheInplace, func, stage,
                          {.cache = cache,
                           .like = buffer,
                           .before = copy_nest(in, buffer, cache, region),
                           .changed = rename_buffer(nest, buffer, cache),
                           .after = copy_nest(back, cache, buffer, region)},
                          &out.needs);
  return out;
}

}  // namespace

extern const Rule k_cache_inplace{
    rule<cache_inplace>("A[e] = f(A[d])  ->  the same on a copy of A, which is copied back")};

}  // namespace hexproof
