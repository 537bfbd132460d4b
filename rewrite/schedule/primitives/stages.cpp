// Stages put into one another.
#include "rewrite/schedule/stages.h"

#include "rewrite/schedule/bound.h"

namespace hexproof::calls {

Value compute_inline(PrimitiveCall& c) {
  hexproof::compute_inline(c.schedule(), c.block("block"));
  return {None{}};
}

Value reverse_compute_at(PrimitiveCall& c) {
  c.args.only("preserve_unit_loops", false);
  if (const Argument* index = c.args.find("index"); index && Bound::as<int64_t>(*index, "an integer") != -1) {
    throw Unsupported(index->span, c.name() + ": an index other than -1 is not supported");
  }
  const BlockRef block = c.block("block");
  hexproof::reverse_compute_at(c.schedule(), block, c.args.loop("loop"));
  return {None{}};
}

Value reverse_compute_inline(PrimitiveCall& c) {
  hexproof::reverse_compute_inline(c.schedule(), c.block("block"));
  return {None{}};
}

Value rfactor(PrimitiveCall& c) {
  return {hexproof::rfactor(c.schedule(), c.args.loop("loop"), c.args.integer("factor_axis"))};
}

Value decompose_padding(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  return {hexproof::decompose_padding(c.schedule(), block, c.args.loop("loop"))};
}

Value can_decompose_padding(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  return {hexproof::can_decompose_padding(c.schedule(), block, c.args.loop("loop"))};
}

}  // namespace hexproof::calls
