// Blocks by what they have to do with others.
#include "rewrite/schedule/relations.h"

#include "rewrite/schedule/bound.h"
#include "rewrite/schedule/steps.h"

namespace hexproof::calls {
namespace {

Value blocks_of(PrimitiveCall& c, const std::vector<Path>& paths) {
  Sequence out;
  for (const Path& at : paths) {
    out.items.push_back({c.schedule().get_block(stmt_at(c.schedule().func(), at).as<Block>()->name)});
  }
  return {out};
}

Path place(PrimitiveCall& c, const std::string& parameter) {
  const BlockRef where = c.nest(parameter);
  Path at;
  Steps steps(c.schedule());
  steps.all_or_nothing([&] { at = where.loop ? steps.path_of(LoopRef{where.loop}) : steps.path_of(where); });
  return at;
}

}  // namespace

Value get_child_blocks(PrimitiveCall& c) {
  return blocks_of(c, child_blocks(c.schedule().func(), place(c, "block_or_loop")));
}
Value get_producers(PrimitiveCall& c) { return blocks_of(c, producer_blocks(c.schedule().func(), place(c, "block"))); }
Value get_consumers(PrimitiveCall& c) { return blocks_of(c, consumer_blocks(c.schedule().func(), place(c, "block"))); }
Value get_output_blocks(PrimitiveCall& c) {
  return blocks_of(c, output_blocks(c.schedule().func(), place(c, "scope_block")));
}

}  // namespace hexproof::calls
