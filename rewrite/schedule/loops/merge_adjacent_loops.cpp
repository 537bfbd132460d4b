// merge_adjacent_loops(first, second): also loops that only become neighbours, and the nests below them.
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

void Schedule::bring_together(const LoopRef& first, const LoopRef& second) {
  const Path start = path_of(first), end = path_of(second);
  bool siblings = !start.empty() && start.size() == end.size() && above(start) == above(end);
  if (!siblings || start.back() > end.back()) {
    fail("the loop '" + second.var.name() + "' does not follow '" + first.var.name() + "' in one sequence");
  }
  while (path_of(first).back() + 1 < path_of(second).back()) {
    // The second one moves up, or else the first one down.
    Path above_second = path_of(second);
    --above_second.back();
    if (try_apply(SwapStatementsArgs{.at = above_second})) continue;
    apply(SwapStatementsArgs{.at = path_of(first)});
  }
}

LoopRef Schedule::merge_adjacent_loops(const LoopRef& first, const LoopRef& second) {
  LoopRef out;
  primitive([&] {
    bring_together(first, second);
    out = merge(first, second);
    for (Path at = path_of(out);;) {
      const For& merged = record_at<For>(func(), at, "a loop");
      const Seq* list = merged.body.as<Seq>();
      if (!list || list->stmts.size() != 2 || !list->stmts[0].as<For>() || !list->stmts[1].as<For>()) break;
      if (!try_apply(MergeLoopsArgs{.at = below(below(at, 0), 0)})) break;
      at = below(at, 0);
    }
  });
  return out;
}

}  // namespace hexproof
