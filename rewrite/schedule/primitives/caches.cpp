// Copies of buffers in another form, and what the rows of an allocation are apart.
#include "rewrite/schedule/buffers/caches.h"

#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/bound.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof::calls {
namespace {

/// The argument "index_map", on the variables of the block.
IndexMap map_of_block(PrimitiveCall& c, const BlockRef& block) {
  const Argument& map = c.args.at("index_map");
  Steps steps(c.schedule());
  size_t count = 0;
  steps.all_or_nothing(
      [&] { count = record_at<Block>(steps.func(), steps.path_of_block(block), "a block").iters.size(); });
  return index_map(map.value, map.span, count);
}

Value reindexed(PrimitiveCall& c, const std::string& parameter, bool write) {
  const BlockRef block = c.block("block");
  const std::string& scope = c.args.text("storage_scope", "the name of a scope");
  const IndexMap map = map_of_block(c, block);
  return {hexproof::reindex_cache(c.schedule(), block, c.args.buffer(parameter), scope, map, write)};
}

}  // namespace

Value reindex(PrimitiveCall& c) {
  c.args.flag("skip_simplify", false);
  const BlockRef block = c.block("block");
  return {hexproof::reindex(c.schedule(), block, c.args.buffer("buffer"))};
}

Value reindex_cache_read(PrimitiveCall& c) { return reindexed(c, "read_buffer_index", false); }

Value reindex_cache_write(PrimitiveCall& c) { return reindexed(c, "write_buffer_index", true); }

Value cache_inplace(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const std::string& scope = c.args.text("storage_scope", "the name of a scope");
  Sequence out;
  for (const BlockRef& made : hexproof::cache_inplace(c.schedule(), block, c.args.buffer("read_buffer_index"), scope)) {
    out.items.push_back({made});
  }
  return {out};
}

Value cache_index(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const std::string& scope = c.args.text("storage_scope", "the name of a scope");
  const int64_t threshold = c.args.find("cse_thresh") ? c.args.integer("cse_thresh") : 0;
  Sequence out;
  for (const BlockRef& made : hexproof::cache_index(c.schedule(), block, scope, threshold)) out.items.push_back({made});
  return {out};
}

Value transform_block_layout(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  hexproof::transform_block_layout(c.schedule(), block, map_of_block(c, block));
  return {None{}};
}

Value pad_einsum(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  std::vector<int64_t> padding;
  for (const Argument& item : c.args.items("padding", "a list of numbers")) {
    padding.push_back(Bound::as<int64_t>(item, "an integer"));
  }
  hexproof::pad_einsum(c.schedule(), block, padding);
  return {None{}};
}

Value storage_align(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  hexproof::storage_align(c.schedule(), block, c.args.integer("buffer_index"), c.args.integer("axis"),
                          c.args.integer("factor"), c.args.integer("offset"));
  return {None{}};
}

Value rolling_buffer(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  hexproof::rolling_buffer(c.schedule(), block, c.args.integer("write_buffer_index"));
  return {None{}};
}

Value unsafe_set_dtype(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const int64_t index = c.args.integer("buffer_index");
  const std::string& dtype = c.args.text("dtype", "the name of a type, such as \"int8\"");
  Steps steps(c.schedule());
  steps.all_or_nothing([&] {
    SetDtypeArgs args{.buffer = c.schedule().buffer_of(block, {.write = true, .index = index}), .dtype = dtype};
    if (c.args.find("flip")) args.flip = c.args.integer("flip");
    steps.apply(args);
  });
  return {None{}};
}

}  // namespace hexproof::calls
