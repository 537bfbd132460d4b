// rolling_buffer: a stage in a loop of tiles computes only what the tile before has not, into a circular buffer.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/buffers/caches.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "rewrite/site/region.h"

namespace hexproof {
namespace {

/// An axis of which one iteration of a loop needs a window, which moves with the loop by less than its extent.
struct Rolling {
  size_t axis = 0;
  Path loop;
  int64_t extent = 0, overlap = 0;
};

/// The innermost loop around all that touches the buffer.
Path loop_around_all(const Steps& steps, const Buffer& buffer) {
  const std::vector<Path> used = find_all(
      steps.func(), [&](const Stmt& s) { return names_buffer(s, [&](const Buffer& b) { return b == buffer; }); });
  Path place = used.front();
  for (const Path& at : used) {
    place.erase(std::mismatch(place.begin(), place.end(), at.begin(), at.end()).first, place.end());
  }
  while (!place.empty() && !stmt_at(steps.func(), place).as<For>()) place.pop_back();
  if (!stmt_at(steps.func(), place).as<For>()) {
    steps.fail("no loop is around all that touches '" + buffer->name + "'",
               "compute_at puts the block into the loop over the tiles that read it");
  }
  return place;
}

std::optional<Rolling> rolling_at(const Steps& steps, const Path& at, const Path& all, const Expr& index, size_t axis) {
  std::vector<LoopRange> inner;
  for (const Path& path : loops_around(steps.func(), at)) {
    if (path.size() <= all.size()) continue;
    const For& loop = *stmt_at(steps.func(), path).as<For>();
    inner.push_back({loop.var, loop.min, loop.extent, loop.kind});
  }
  const std::optional<IndexRange> window = range_over(index, inner);
  if (!window || window->base.terms.size() != 1) return std::nullopt;
  const auto& [atom, stride] = window->base.terms[0];
  const std::optional<Path> loop = atom->op == Op::Var ? find_loop(steps.func(), atom->var()) : std::nullopt;
  if (!loop || stride < 1 || stride >= window->extent || !fits_type(kInt32, window->extent)) return std::nullopt;
  return Rolling{axis, *loop, static_cast<int64_t>(window->extent), static_cast<int64_t>(window->extent - stride)};
}

}  // namespace

void rolling_buffer(Schedule& schedule, const BlockRef& block, int64_t buffer_index) {
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    const Buffer buffer = schedule.buffer_of(block, {.write = true, .index = buffer_index});
    if (buffer_arg(steps.func(), buffer).param) {
      steps.fail("'" + buffer->name + "' is an argument: all of it is seen outside");
    }
    const Path at = steps.path_of_block(block), all = loop_around_all(steps, buffer);
    const Block body = *stmt_at(steps.func(), at).as<Block>();
    VarMap bound;
    for (const IterVar& iter : body.iters) bound.emplace(iter.var, iter.binding);
    std::vector<Rolling> rolling;
    const std::vector<std::vector<Expr>> cells = touched_cells(body, buffer);
    for (size_t d = 0; cells.size() == 1 && d < buffer->ndim(); ++d) {
      if (auto found = rolling_at(steps, at, all, substitute(cells[0][d], bound), d)) rolling.push_back(*found);
    }
    if (rolling.empty()) {
      steps.fail("no axis of '" + buffer->name +
                     "' rolls: of none is a window computed that moves with a loop by less than its extent",
                 "a window is i * stride + [0, extent) with a loop i around all that touches the buffer");
    }
    for (const Rolling& r : rolling) {
      steps.apply(
          SkipOverlapArgs{.block = at, .loop = r.loop, .axis = static_cast<int64_t>(r.axis), .overlap = r.overlap});
    }
    const Rolling outermost = *std::min_element(rolling.begin(), rolling.end(), [](const Rolling& a, const Rolling& b) {
      return a.loop.size() < b.loop.size();
    });
    const int64_t* whole = as_int(buffer->shape[outermost.axis]);
    if (whole && *whole <= outermost.extent) return;
    steps.apply(
        FoldBufferArgs{.buffer = buffer, .axis = static_cast<int64_t>(outermost.axis), .factor = outermost.extent});
  });
}

}  // namespace hexproof
