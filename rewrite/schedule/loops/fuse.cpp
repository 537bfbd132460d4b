// fuse(i, j, ...): two loops at a time, outermost first; then the quotients of quotients are simplified.
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

LoopRef Schedule::fuse(const std::vector<LoopRef>& loops) {
  LoopRef out;
  primitive([&] {
    if (loops.size() < 2) fail("fuse takes at least two loops");
    std::string name;
    Path at = path_of(loops[0]);
    for (size_t k = 0; k < loops.size(); ++k) {
      Path here = path_of(loops[k]);
      if (k > 0 && !is_within(here, at)) {
        fail("the loop '" + loops[k].var.name() + "' does not stand inside of '" + loops[k - 1].var.name() + "'");
      }
      name += loops[k].var.name() + "_";
    }
    name += "fused";
    for (size_t k = 1; k < loops.size(); ++k) {
      std::vector<Path> around = loops_around(func(), path_of(loops[k]));
      if (around.empty() || around.back() != at) {
        fail("the loop '" + loops[k].var.name() + "' does not follow directly inside of the loops before it");
      }
      apply(FuseArgs{.at = at, .name = name});
    }
    hexproof::simplify(derivation_, prover_, at, primitive_, span_);
    out = {record_at<For>(func(), at, "a loop").var};
  });
  return out;
}

}  // namespace hexproof
