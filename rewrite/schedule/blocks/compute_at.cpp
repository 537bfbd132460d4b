// compute_at and reverse_compute_at: where in the body of the loop the block goes, and loops of one iteration.
#include "ir/visit.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// The statement of the body of the loop in which the block stands.
Path part_of_body(const Steps& steps, const Path& loop, const Path& block) {
  const Path body = below(loop, 0);
  if (!stmt_at(steps.func(), body).as<Seq>() || block.size() <= body.size()) return body;
  return below(body, block[body.size()]);
}

/// The part moves over its neighbours, as far as is proved: to the front, to the back, or to a place.
void move_to(Steps& steps, const BlockRef& block, const LoopRef& loop, int64_t index, bool forward) {
  auto part = [&] { return part_of_body(steps, steps.path_of(loop), steps.path_of_block(block)); };
  auto up = [&] {
    Path before = part();
    if (!stmt_at(steps.func(), above(before)).as<Seq>() || before.back() == 0) return false;
    --before.back();
    return steps.try_apply(SwapStatementsArgs{.at = before});
  };
  auto down = [&] { return steps.try_apply(SwapStatementsArgs{.at = part()}); };
  if (index == -1 && !forward) return;
  if (index == -1) {
    while (down()) {
    }
  } else if (index == -2) {
    if (forward) return;  // it stands right behind what it reads
    while (up()) {
    }
  } else {
    auto place = [&] {
      const Path here = part();
      return stmt_at(steps.func(), above(here)).as<Seq>() ? int64_t{here.back()} : int64_t{0};
    };
    while (place() > index && up()) {
    }
    while (place() < index && down()) {
    }
    if (place() != index) {
      steps.fail("the block cannot stand at place " + std::to_string(index) + " of the loop, only at " +
                 std::to_string(place()));
    }
  }
}

/// A loop of one iteration for each variable of the block that has none inside of the loop.
void add_unit_loops(Steps& steps, const BlockRef& block, const LoopRef& loop) {
  const std::vector<IterVar> iters = record_at<Block>(steps.func(), steps.path_of_block(block), "a block").iters;
  Path at = steps.path_of_block(block);
  const size_t top = steps.path_of(loop).size() + 1;
  for (size_t k = iters.size(); k-- > 0;) {
    const For* around = at.size() > top ? stmt_at(steps.func(), above(at)).as<For>() : nullptr;
    if (around && uses_var(iters[k].binding, around->var)) {
      at = above(at);
    } else {
      steps.apply(AddUnitLoopArgs{.at = at, .name = "ax" + std::to_string(k)});
    }
  }
}

void check_index(const Steps& steps, int64_t index) {
  if (index < -2) steps.fail("an index is a place in the loop, -1 for the last one or -2 for the first");
}

}  // namespace

void compute_at(Schedule& schedule, const BlockRef& block, const LoopRef& loop, bool unit_loops, int64_t index) {
  if (loop.var == location_mark(Location::Inline).var) return compute_inline(schedule, block);
  if (loop.var == location_mark(Location::Root).var) return;
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    check_index(steps, index);
    schedule.compute_at(block, loop);
    move_to(steps, block, loop, index, false);
    if (unit_loops) add_unit_loops(steps, block, loop);
  });
}

void reverse_compute_at(Schedule& schedule, const BlockRef& block, const LoopRef& loop, bool unit_loops,
                        int64_t index) {
  if (loop.var == location_mark(Location::Inline).var) return reverse_compute_inline(schedule, block);
  if (loop.var == location_mark(Location::Root).var) return;
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    check_index(steps, index);
    reverse_compute_at(schedule, block, loop);
    move_to(steps, block, loop, index, true);
    if (unit_loops) add_unit_loops(steps, block, loop);
  });
}

LoopRef location_mark(Location location) {
  static const LoopRef at_once{Var::fresh("inline", kInt32)}, root{Var::fresh("root", kInt32)};
  return location == Location::Inline ? at_once : root;
}

}  // namespace hexproof
