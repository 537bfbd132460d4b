// reorder(*loops): any of the loops of one nest; the others keep their places.
#include <algorithm>

#include "rewrite/rules/args/loops.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

void Schedule::reorder(const std::vector<LoopRef>& order) {
  primitive([&] {
    if (order.empty()) fail("reorder takes at least one loop");
    std::vector<Path> wanted;
    for (const LoopRef& loop : order) {
      wanted.push_back(path_of(loop));
      if (std::count(wanted.begin(), wanted.end(), wanted.back()) > 1) {
        fail("the loop '" + loop.var.name() + "' is named twice");
      }
    }
    auto deeper = [](const Path& a, const Path& b) { return a.size() < b.size(); };
    Path outermost = *std::min_element(wanted.begin(), wanted.end(), deeper);
    Path innermost = *std::max_element(wanted.begin(), wanted.end(), deeper);
    std::vector<Path> chain;
    for (const Path& loop : loops_around(func(), innermost)) {
      if (is_within(loop, outermost)) chain.push_back(loop);
    }
    chain.push_back(innermost);
    Path positions;
    size_t next = 0;
    for (size_t k = 0; k < chain.size(); ++k) {
      bool moves = std::find(wanted.begin(), wanted.end(), chain[k]) != wanted.end();
      const Path& taken = moves ? wanted[next++] : chain[k];
      auto it = std::find(chain.begin(), chain.end(), taken);
      if (it == chain.end()) fail("the loops do not stand inside of one another");
      positions.push_back(static_cast<int>(it - chain.begin()));
    }
    if (next != wanted.size()) fail("the loops do not stand inside of one another");
    if (std::is_sorted(positions.begin(), positions.end())) return;
    apply(ReorderArgs{.at = outermost, .order = positions});
  });
}

}  // namespace hexproof
