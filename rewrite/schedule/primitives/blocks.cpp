// Blocks: where they are computed, and what of them.
#include "rewrite/schedule/bound.h"

namespace hexproof::calls {

Value compute_at(PrimitiveCall& c) {
  c.args.only("preserve_unit_loops", false);
  if (const Argument* index = c.args.find("index"); index && Bound::as<int64_t>(*index, "an integer") != -1) {
    throw Unsupported(index->span, c.name() + ": an index other than -1 is not supported");
  }
  const BlockRef block = c.block("block");
  c.schedule().compute_at(block, c.args.loop("loop"));
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
