// Blocks: where they are computed, and what of them.
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/bound.h"

namespace hexproof::calls {

Value compute_at(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const int64_t index = c.args.find("index") ? c.args.integer("index") : -1;
  hexproof::compute_at(c.schedule(), block, c.args.loop("loop"), c.args.flag("preserve_unit_loops", false), index);
  return {None{}};
}

Value decompose_reduction(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  return {c.schedule().decompose_reduction(block, c.args.loop("loop"))};
}

Value eliminate_branch(PrimitiveCall& c) {
  c.schedule().eliminate_branch(c.block("block"));
  return {None{}};
}

}  // namespace hexproof::calls
