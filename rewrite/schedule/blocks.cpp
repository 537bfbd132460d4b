// decompose_reduction, compute_at, reverse_compute_at, compute_inline.
#include "rewrite/find.h"
#include "rewrite/schedule/schedule.h"

namespace hexproof {

BlockRef Schedule::decompose_reduction(const BlockRef& block, const LoopRef& loop) {
  BlockRef out;
  primitive([&] {
    std::string name = current_name(block);
    for (const char* suffix : {"_init", "_update"}) {
      if (!find_blocks(func(), name + suffix).empty()) fail("there is a block '" + name + suffix + "' already");
    }
    apply("decompose-reduction", {{"at", path_of(block)}, {"loop", path_of(loop)}});
    rename(name, name + "_update");
    out = {name + "_init"};
    renamed_.erase(out.name);
  });
  return out;
}

void Schedule::compute_at(const BlockRef& block, const LoopRef& loop) {
  require_rule("compute-at");
  primitive([&] { apply("compute-at", {{"block", path_of(block)}, {"loop", path_of(loop)}}); });
}

void Schedule::reverse_compute_at(const BlockRef& block, const LoopRef& loop) {
  require_rule("reverse-compute-at");
  primitive([&] { apply("reverse-compute-at", {{"block", path_of(block)}, {"loop", path_of(loop)}}); });
}

void Schedule::compute_inline(const BlockRef& block) {
  require_rule("compute-inline");
  primitive([&] { apply("compute-inline", {{"block", path_of(block)}}); });
}

}  // namespace hexproof
