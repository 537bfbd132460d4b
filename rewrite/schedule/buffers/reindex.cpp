// reindex, reindex_cache_read, reindex_cache_write, cache_inplace, cache_index, transform_block_layout.
#include "rewrite/layout/reindex.h"

#include "ir/visit.h"
#include "rewrite/memory/computed_indices.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/schedule/buffers/caches.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// A buffer of the block by name or by position, as rules take it.
template <class A>
A chosen_args(Steps& steps, Schedule& schedule, const BlockRef& block, const BufferChoice& choice) {
  A args;
  args.block = steps.path_of_block(block);
  if (choice.name.empty()) {
    args.index = choice.index;
  } else {
    args.buffer = schedule.buffer_of(block, choice);
  }
  return args;
}

/// reindex-write or reindex-read.
RuleCall reindexed(const ReindexedArgs& args, bool write) {
  return write ? RuleCall(ReindexWriteArgs{args}) : RuleCall(ReindexReadArgs{args});
}

/// The block of that name, which must be free.
std::string free_name(const Steps& steps, const std::string& name) {
  if (!find_blocks(steps.func(), name).empty()) steps.fail("there is a block '" + name + "' already");
  return name;
}

/// What the map makes of the block's bindings, for the map that the rule applies.
std::vector<Expr> bindings_through(const Block& block, const IndexMap& map) {
  std::vector<Expr> bindings;
  for (const IterVar& iter : block.iters) bindings.push_back(iter.binding);
  if (bindings.size() != map.inputs.size()) {
    throw NotApplicable("the index map takes " + std::to_string(map.inputs.size()) + " indices, and the block has " +
                        std::to_string(bindings.size()) + " variables");
  }
  return apply_map(map, bindings);
}

bool speaks_of_loops(const PrimFunc& func, Path nest, int64_t count, const Expr& e) {
  for (; count > 0; --count, nest = below(nest, 0)) {
    if (uses_var(e, record_at<For>(func, nest, "a loop").var)) return true;
  }
  return false;
}

/// At how many places the block computes its k-th index; nothing when it computes no such.
std::optional<size_t> computed_index(const PrimFunc& func, const Path& block, int64_t k) {
  const std::vector<ComputedIndex> found = computed_indices(func, record_at<Block>(func, block, "a block"));
  if (k >= static_cast<int64_t>(found.size())) return std::nullopt;
  return found[static_cast<size_t>(k)].often;
}

}  // namespace

BlockRef reindex(Schedule& schedule, const BlockRef& block, const BufferChoice& choice) {
  Steps steps(schedule);
  BlockRef out;
  steps.all_or_nothing([&] {
    const Buffer buffer = schedule.buffer_of(block, choice);
    const Path at = steps.path_of_block(block);
    const bool write = choice.write ? *choice.write : stores_to_buffer(stmt_at(steps.func(), at), buffer);
    const std::string name = free_name(steps, buffer->name + "_reindex");
    steps.apply(reindexed({.block = at, .buffer = buffer, .name = name}, write));
    out = steps.fresh(name);
  });
  return out;
}

BlockRef reindex_cache(Schedule& schedule, const BlockRef& block, const BufferChoice& choice, const std::string& scope,
                       const IndexMap& map, bool write) {
  Steps steps(schedule);
  BlockRef out;
  steps.all_or_nothing([&] {
    if (choice.write && *choice.write != write) {
      steps.fail(std::string("the buffer is to be one that the block ") + (write ? "writes" : "reads"));
    }
    auto args = chosen_args<ReindexedArgs>(steps, schedule, block, choice);
    args.scope = scope, args.map = map;
    std::vector<Path> before = find_all(steps.func(), [](const Stmt& s) { return s.as<Block>() != nullptr; });
    std::set<std::string> names;
    for (const Path& at : before) names.insert(stmt_at(steps.func(), at).as<Block>()->name);
    steps.apply(reindexed(args, write));
    for (const Path& at : find_all(steps.func(), [](const Stmt& s) { return s.as<Block>() != nullptr; })) {
      const std::string& name = stmt_at(steps.func(), at).as<Block>()->name;
      if (!names.count(name)) out = steps.fresh(name);
    }
  });
  return out;
}

std::vector<BlockRef> cache_inplace(Schedule& schedule, const BlockRef& block, const BufferChoice& choice,
                                    const std::string& scope) {
  Steps steps(schedule);
  std::vector<BlockRef> out;
  steps.all_or_nothing([&] {
    auto args = chosen_args<CacheInplaceArgs>(steps, schedule, block, choice);
    args.scope = scope;
    CacheInplaceArgs together = args;
    together.cover = "all";
    if (!steps.try_apply(args) && !steps.try_apply(together)) steps.apply(args);
    // The copies stand next to the nest of the block, inside of the allocation of the cache.
    Path at = steps.path_of_block(block);
    while (!at.empty() && !stmt_at(steps.func(), above(at)).as<AllocBuffer>()) at = above(at);
    const std::string cache = record_at<AllocBuffer>(steps.func(), above(at), "the cache").buffer->name;
    out = {steps.fresh(cache + "_read"), steps.fresh(cache + "_write")};
  });
  return out;
}

std::vector<BlockRef> cache_index(Schedule& schedule, const BlockRef& block, const std::string& scope,
                                  int64_t threshold) {
  Steps steps(schedule);
  std::vector<BlockRef> out;
  steps.all_or_nothing([&] {
    for (int64_t k = 0, next = 0;; ++next) {
      std::string name = "index_" + std::to_string(next);
      if (!find_blocks(steps.func(), name).empty()) continue;
      const std::optional<size_t> often = computed_index(steps.func(), steps.path_of_block(block), k);
      if (!often) break;
      if (static_cast<int64_t>(*often) <= threshold) {
        ++k, --next;
        continue;
      }
      steps.apply(CacheIndexArgs{.block = steps.path_of_block(block), .number = k, .name = name, .scope = scope});
      out.push_back(steps.fresh(name));
    }
  });
  return out;
}

void transform_block_layout(Schedule& schedule, const BlockRef& block, const IndexMap& map) {
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    Path at = steps.path_of_block(block), nest = at;
    int64_t count = 0;
    while (!nest.empty() && stmt_at(steps.func(), above(nest)).as<For>()) nest = above(nest), ++count;
    if (count == 0) steps.fail("the block stands in no loop");
    RebindBlockArgs rebind{.at = at, .map = map};
    // An output that speaks of the loops gets one of its own.
    std::vector<Expr> bindings = bindings_through(record_at<Block>(steps.func(), at, "a block"), map);
    std::vector<bool> own;
    for (const Expr& e : bindings) own.push_back(speaks_of_loops(steps.func(), nest, count, e));
    Path replaced;
    for (int k = 0; k < count; ++k) replaced.push_back(k);
    ReindexLoopsArgs args{.at = nest, .count = count, .replaced = replaced, .map = map, .image = true};
    try {
      if (!steps.try_apply(args)) {
        args.image = false;
        steps.apply(args);
      }
      Path loop = nest;
      for (size_t k = 0; k < bindings.size(); ++k) {
        if (!own[k]) continue;
        bindings[k] = Expr(record_at<For>(steps.func(), loop, "a loop").var);
        loop = below(loop, 0);
      }
      rebind.bindings = bindings;
    } catch (const InMemoryOrder&) {
      // The loops are as they are to be: only the variables of the block will be others.
    }
    rebind.at = steps.path_of_block(block);
    steps.apply(rebind);
    steps.simplify(nest);
  });
}

}  // namespace hexproof
