// Blocks of tiles, and parts of loops.
#include "rewrite/schedule/blocks/tiles.h"

#include "rewrite/schedule/bound.h"

namespace hexproof::calls {

Value blockize(PrimitiveCall& c) {
  const bool units = c.args.flag("preserve_unit_iters", true);
  const Argument& target = c.args.at("target");
  if (const LoopRef* loop = target.value.as<LoopRef>()) return {hexproof::blockize(c.schedule(), *loop, units)};
  std::vector<BlockRef> blocks;
  for (const Argument& item : c.args.items("target", "a loop or a list of blocks")) {
    const std::string* name = item.value.as<std::string>();
    blocks.push_back(name ? c.schedule().get_block(*name) : Bound::as<BlockRef>(item, "a block"));
  }
  return {hexproof::blockize(c.schedule(), blocks, units)};
}

Value loop_partition(PrimitiveCall& c) {
  c.args.flag("preserve_unit_iters", true);
  std::vector<std::optional<int64_t>> factors;
  for (const Argument& item : c.args.items("factors", "a list of factors")) {
    factors.push_back(item.value.as<None>() ? std::nullopt
                                            : std::optional(Bound::as<int64_t>(item, "an integer or None")));
  }
  return list_of(hexproof::loop_partition(c.schedule(), c.args.loop("loop"), factors));
}

}  // namespace hexproof::calls
