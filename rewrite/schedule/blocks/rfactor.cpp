#include "rewrite/rules/args/blocks.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {

BlockRef rfactor(Schedule& schedule, const LoopRef& loop, int64_t axis) {
  Steps steps(schedule);
  BlockRef out;
  steps.all_or_nothing([&] {
    const Path at = steps.path_of(loop);
    std::vector<Path> blocks;
    for (const Path& path : find_all(steps.func(), [](const Stmt& s) { return s.as<Block>() != nullptr; })) {
      if (is_within(path, at)) blocks.push_back(path);
    }
    if (blocks.size() != 1) {
      steps.fail("in the loop stand " + std::to_string(blocks.size()) + " blocks, and not one that accumulates");
    }
    const Block block = *stmt_at(steps.func(), blocks[0]).as<Block>();
    const Store* store = block.body.as<Store>();
    if (!store) steps.fail("the block '" + block.name + "' is not one store");
    const int64_t axes = static_cast<int64_t>(store->buffer->ndim()) + 1;
    if (axis < -axes || axis >= axes) {
      steps.fail("the partial results have " + std::to_string(axes) + " axes, and none at " + std::to_string(axis));
    }
    const std::string name = block.name + "_rf";
    if (!find_blocks(steps.func(), name).empty()) steps.fail("there is a block '" + name + "' already");
    steps.apply(RfactorArgs{.loop = at, .axis = axis < 0 ? axis + axes : axis});
    out = steps.fresh(name);
  });
  return out;
}

}  // namespace hexproof
