// Stages put into one another.
#include "rewrite/schedule/blocks/stages.h"

#include "rewrite/schedule/bound.h"

namespace hexproof::calls {

Value compute_inline(PrimitiveCall& c) {
  hexproof::compute_inline(c.schedule(), c.block("block"));
  return {None{}};
}

Value reverse_compute_at(PrimitiveCall& c) {
  const BlockRef block = c.block("block");
  const int64_t index = c.args.find("index") ? c.args.integer("index") : -1;
  hexproof::reverse_compute_at(c.schedule(), block, c.args.loop("loop"), c.args.flag("preserve_unit_loops", false),
                               index);
  return {None{}};
}

Value reverse_compute_inline(PrimitiveCall& c) {
  hexproof::reverse_compute_inline(c.schedule(), c.block("block"));
  return {None{}};
}

Value rfactor(PrimitiveCall& c) {
  return {hexproof::rfactor(c.schedule(), c.args.loop("loop"), c.args.integer("factor_axis"))};
}

Value split_sum(PrimitiveCall& c) {
  Sequence out;
  for (const BlockRef& made : hexproof::split_sum(c.schedule(), c.block("block"))) out.items.push_back({made});
  return {out};
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
