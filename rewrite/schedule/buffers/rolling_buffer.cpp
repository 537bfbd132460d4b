// rolling_buffer: a stage in a loop of tiles computes only what the tile before has not, into a circular buffer.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/windows.h"
#include "rewrite/schedule/buffers/caches.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "rewrite/site/region.h"

namespace hexproof {
namespace {

/// An axis of which one iteration of a loop needs a window, which moves with the loop by `stride`, less than its
/// extent. The loop over the window is `tile`.
struct Rolling {
  size_t axis = 0;
  Path loop;
  Var tile;
  int64_t extent = 0, stride = 0;
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
  std::optional<Path> tile;
  for (const Path& path : loops_around(steps.func(), at)) {
    if (path.size() <= all.size()) continue;
    const For& loop = *stmt_at(steps.func(), path).as<For>();
    inner.push_back({loop.var, loop.min, loop.extent, loop.kind});
    if (!uses_var(index, loop.var)) continue;
    if (tile) return std::nullopt;
    tile = path;
  }
  const std::optional<IndexRange> window = range_over(index, inner);
  if (!tile || !window || window->base.terms.size() != 1) return std::nullopt;
  const auto& [atom, stride] = window->base.terms[0];
  const std::optional<Path> loop = atom->op == Op::Var ? find_loop(steps.func(), atom->var()) : std::nullopt;
  const int64_t* extent = as_int(stmt_at(steps.func(), *tile).as<For>()->extent);
  if (!loop || !extent || *extent != window->extent || stride < 1 || stride >= window->extent) return std::nullopt;
  return Rolling{axis, *loop, stmt_at(steps.func(), *tile).as<For>()->var, *extent, static_cast<int64_t>(stride)};
}

/// The statement that computes one cell: in the innermost loop that decides which one.
Path place_of_a_cell(const Steps& steps, const Path& at, const std::vector<Expr>& cell) {
  Path out = at;
  for (const Path& path : loops_around(steps.func(), at)) {
    const Var& var = stmt_at(steps.func(), path).as<For>()->var;
    if (std::any_of(cell.begin(), cell.end(), [&](const Expr& e) { return uses_var(e, var); })) out = below(path, 0);
  }
  while (out.size() < at.size() && stmt_at(steps.func(), out).as<If>()) out.push_back(at[out.size()]);
  return out;
}

/// Leaves out what the iteration of the loop before has computed: there the same cells were `stride` further on.
void skip_overlap(Steps& steps, const Rolling& rolling, const Path& statement) {
  const Path tile_at = *find_loop(steps.func(), rolling.tile);
  const For &loop = *stmt_at(steps.func(), rolling.loop).as<For>(), &tile = *stmt_at(steps.func(), tile_at).as<For>();
  const auto plus = [&](const Expr& e, int64_t by) {
    Linear sum = linear(e);
    sum.constant += by;
    const Expr out = sum.expr(e->dtype);
    if (!out) steps.fail("the window does not fit the type of its loop");
    return out;
  };
  std::vector<Expr> earlier;
  for (const Path& path : loops_around(steps.func(), statement)) {
    if (!is_within(path, rolling.loop)) continue;
    const Expr var(stmt_at(steps.func(), path).as<For>()->var);
    earlier.push_back(path == rolling.loop ? plus(var, -1) : path == tile_at ? plus(var, rolling.stride) : var);
  }
  const Expr fresh =
      lor(le(Expr(loop.var), loop.min), le(plus(tile.min, rolling.extent - rolling.stride), Expr(tile.var)));
  steps.apply(SkipComputedArgs{.at = statement, .loop = loop.var, .condition = fresh, .earlier = earlier});
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
    if (cells.size() != 1) steps.fail("the block writes several cells of '" + buffer->name + "'");
    std::vector<Expr> cell;
    for (const Expr& index : cells[0]) cell.push_back(substitute(index, bound));
    for (size_t d = 0; d < cell.size(); ++d) {
      if (auto found = rolling_at(steps, at, all, cell[d], d)) rolling.push_back(*found);
    }
    if (rolling.empty()) {
      steps.fail("no axis of '" + buffer->name +
                     "' rolls: of none is a window computed that moves with a loop by less than its extent",
                 "a window is i * stride + [0, extent) with a loop i around all that touches the buffer");
    }
    // From the outermost loop on: for a loop further in, what the conditions of outer ones say does not change.
    std::sort(rolling.begin(), rolling.end(),
              [](const Rolling& a, const Rolling& b) { return a.loop.size() < b.loop.size(); });
    for (const Rolling& r : rolling) {
      skip_overlap(steps, r, place_of_a_cell(steps, steps.path_of_block(block), cell));
    }
    const Rolling& outermost = rolling.front();
    const int64_t* whole = as_int(buffer->shape[outermost.axis]);
    if (whole && *whole <= outermost.extent) return;
    steps.apply(
        FoldBufferArgs{.buffer = buffer, .axis = static_cast<int64_t>(outermost.axis), .factor = outermost.extent});
  });
}

}  // namespace hexproof
