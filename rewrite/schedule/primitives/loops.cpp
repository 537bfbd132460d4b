// Loops: their number, their order, their kind.
#include "rewrite/schedule/blocks/tiles.h"
#include "rewrite/schedule/bound.h"

namespace hexproof::calls {

Value split(PrimitiveCall& c) {
  std::vector<std::optional<int64_t>> factors;
  for (const Argument& item : c.args.items("factors", "a list of factors")) {
    factors.push_back(item.value.as<None>() ? std::nullopt
                                            : std::optional(Bound::as<int64_t>(item, "an integer or None")));
  }
  return list_of(c.schedule().split(c.args.loop("loop"), factors));
}

Value fuse(PrimitiveCall& c) { return {c.schedule().fuse(c.args.loops())}; }

Value reorder(PrimitiveCall& c) {
  c.schedule().reorder(c.args.loops());
  return {None{}};
}

Value unroll(PrimitiveCall& c) {
  c.schedule().unroll(c.args.loop("loop"));
  return {None{}};
}

Value vectorize(PrimitiveCall& c) {
  c.schedule().vectorize(c.args.loop("loop"));
  return {None{}};
}

Value parallel(PrimitiveCall& c) {
  c.schedule().parallel(c.args.loop("loop"));
  return {None{}};
}

Value tensorize(PrimitiveCall& c) {
  c.args.flag("preserve_unit_iters", true);
  std::vector<std::string> unaligned;
  if (c.args.find("unaligned")) {
    for (const Argument& item : c.args.items("unaligned", "a list of operands")) {
      unaligned.push_back(Bound::as<std::string>(item, "the name of an operand"));
    }
  }
  const BlockRef where = c.nest("block_or_loop");
  hexproof::tensorize(c.schedule(), where, c.args.text("tensor_intrin", "the name of an intrinsic"), unaligned);
  return {None{}};
}

namespace {

using Pairwise = LoopRef (Schedule::*)(const LoopRef&, const LoopRef&);

Value merge_all(PrimitiveCall& c, Pairwise two) {
  std::vector<LoopRef> loops = c.args.loops();
  if (loops.size() < 2) throw Error(c.span, c.name() + " takes at least two loops");
  Schedule& s = c.schedule();
  for (size_t k = 1; k < loops.size(); ++k) loops[0] = (s.*two)(loops[0], loops[k]);
  return {loops[0]};
}

}  // namespace

Value merge(PrimitiveCall& c) { return merge_all(c, &Schedule::merge); }

Value merge_adjacent_loops(PrimitiveCall& c) { return merge_all(c, &Schedule::merge_adjacent_loops); }

Value distribute(PrimitiveCall& c) {
  return list_of(c.schedule().distribute(c.args.loop("loop"), c.args.integer("count")));
}

}  // namespace hexproof::calls
