// blockize: a loop with all in it, or blocks next to one another, as one block.
#include <algorithm>

#include "rewrite/rules/args/blocks.h"
#include "rewrite/schedule/blocks/tiles.h"
#include "rewrite/schedule/relations.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

std::vector<Path> blocks_within(const PrimFunc& func, const Path& at) {
  std::vector<Path> out;
  for (const Path& path : find_all(func, [](const Stmt& s) { return s.as<Block>() != nullptr; })) {
    if (is_within(path, at) && path != at && child_blocks(func, path).empty()) out.push_back(path);
  }
  return out;
}

/// The statements from `at` on become a block. The init of the only block in it becomes the new one's, and the blocks
/// inside are bound within it.
BlockRef as_block(Steps& steps, const Path& at, int64_t count, const std::string& name, bool unit_iters) {
  steps.apply(BlockizeArgs{.at = at, .count = count, .name = name, .unit_iters = unit_iters});
  const std::vector<Path> found = find_blocks(steps.func(), name);
  const Path outer = found.at(0), body = below(outer, 0);
  const std::vector<Path> inside = blocks_within(steps.func(), outer);
  if (inside.size() == 1) {
    const Block& block = record_at<Block>(steps.func(), inside[0], "a block");
    if (block.init && stmt_at(steps.func(), body).as<For>()) {
      if (!find_blocks(steps.func(), block.name + "_init").empty()) {
        steps.fail("there is a block '" + block.name + "_init' already");
      }
      steps.apply(DecomposeReductionArgs{.at = inside[0], .loop = body, .into = true});
    }
  }
  for (const Path& block : blocks_within(steps.func(), outer)) {
    steps.try_apply(RebindBlockArgs{.at = block, .unit_iters = unit_iters});
  }
  return steps.fresh(name);
}

/// The number of leading steps that the paths share.
size_t common_length(const Path& a, const Path& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

BlockRef blockize(Schedule& schedule, const LoopRef& loop, bool unit_iters) {
  Steps steps(schedule);
  BlockRef out;
  steps.all_or_nothing([&] {
    const Path at = steps.path_of(loop);
    const std::vector<Path> inside = blocks_within(steps.func(), at);
    if (inside.empty()) steps.fail("in the loop over '" + loop.var.name() + "' stands no block");
    std::string name;
    for (const Path& path : inside) name += record_at<Block>(steps.func(), path, "a block").name + "_";
    out = as_block(steps, at, 1, name + "o", unit_iters);
  });
  return out;
}

BlockRef blockize(Schedule& schedule, const std::vector<BlockRef>& blocks, bool unit_iters) {
  Steps steps(schedule);
  BlockRef out;
  steps.all_or_nothing([&] {
    if (blocks.empty()) steps.fail("blockize takes at least one block");
    std::vector<Path> places;
    std::string name;
    for (const BlockRef& block : blocks) {
      places.push_back(steps.path_of_block(block));
      name += steps.name_of(block) + "_";
    }
    std::sort(places.begin(), places.end());
    size_t common = places[0].size();
    for (const Path& place : places) common = std::min(common, common_length(places[0], place));
    for (const Path& place : places) {
      if (place.size() == common && places.size() > 1) steps.fail("one of the blocks stands in another one");
    }
    Path at(places[0].begin(), places[0].begin() + static_cast<long>(common));
    int64_t count = 1;
    if (places.size() > 1) {
      if (!stmt_at(steps.func(), at).as<Seq>()) steps.fail("the blocks do not stand next to one another");
      count = places.back()[common] - places[0][common] + 1;
      at = below(at, places[0][common]);
    }
    out = as_block(steps, at, count, name + "o", unit_iters);
  });
  return out;
}

}  // namespace hexproof
