// Handles: blocks and loops by name and place. And what does nothing.
#include "rewrite/schedule/bound.h"

namespace hexproof::calls {

Value get_block(PrimitiveCall& c) { return {c.schedule().get_block(c.args.text("name", "the name of a block"))}; }

Value get_loops(PrimitiveCall& c) { return list_of(c.schedule().get_loops(c.block("block"))); }

Value get_child_loops(PrimitiveCall& c) { return list_of(c.schedule().get_child_loops(c.nest("block"))); }

Value get_loop(PrimitiveCall& c) {
  const Argument* index = c.args.find("index");
  return {c.schedule().get_loop(c.args.text("name", "the name of a loop variable"),
                                index ? std::optional(Bound::as<int64_t>(*index, "an integer")) : std::nullopt)};
}

Value show(PrimitiveCall&) { return {None{}}; }

}  // namespace hexproof::calls
