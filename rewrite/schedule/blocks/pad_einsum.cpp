// pad_einsum: copies of the operands that are padded with zeros, and the block over the padded domain.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/schedule/buffers/caches.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// Which variables of the block index the buffer, one per dimension.
std::vector<size_t> axes_of(const Steps& steps, const Block& block, const Buffer& buffer) {
  const std::vector<std::vector<Expr>> cells = touched_cells(block, buffer);
  if (cells.size() > 1) steps.fail("'" + buffer->name + "' is touched at several places");
  std::vector<size_t> out;
  for (const Expr& e : cells.empty() ? std::vector<Expr>{} : cells.front()) {
    auto iter =
        std::find_if(block.iters.begin(), block.iters.end(), [&](const IterVar& i) { return e == Expr(i.var); });
    if (iter == block.iters.end()) steps.fail("an index of '" + buffer->name + "' is no variable of the block");
    out.push_back(static_cast<size_t>(iter - block.iters.begin()));
  }
  return out;
}

/// An axis of n cells that grows to `size`; 0: it stays.
struct Growth {
  int64_t extent = 0, size = 0;
};

/// i  ->  (i + size - n) % size of one axis that grows: what there is becomes its end, and padding its start. And from
/// there i  ->  (i + n) % size: padding is the end.
IndexMap rotated(size_t rank, size_t axis, const Growth& growth, bool back) {
  IndexMap out;
  for (size_t k = 0; k < rank; ++k) {
    const Var i = Var::fresh("i" + std::to_string(k), kInt32);
    out.inputs.push_back(i);
    const int64_t by = back ? growth.extent : growth.size - growth.extent;
    out.outputs.push_back(k == axis ? floormod(Expr(i) + i32(by), i32(growth.size)) : Expr(i));
  }
  return out;
}

/// for i in [0, n): S(i)   ->   for i in [0, size): if i < n: S(i)
void lengthen(Steps& steps, const Var& loop, int64_t size) {
  const std::optional<Path> at = find_loop(steps.func(), loop);
  if (!at) steps.fail("a variable of the block is not bound to a loop alone");
  steps.apply(SplitArgs{.at = *at, .factor = size, .outer = "o", .inner = loop.name()});
  steps.apply(UnitLoopArgs{.at = *at});
  steps.simplify(*at);
}

}  // namespace

void pad_einsum(Schedule& schedule, const BlockRef& block, const std::vector<int64_t>& padding) {
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    const Path at = steps.path_of_block(block);
    const Stmt stmt = stmt_at(steps.func(), at);
    const Block b = *stmt.as<Block>();
    if (padding.size() != b.iters.size()) {
      steps.fail("the block has " + std::to_string(b.iters.size()) + " variables, and the padding " +
                 std::to_string(padding.size()) + " numbers");
    }
    std::vector<Growth> domains;
    for (size_t k = 0; k < padding.size(); ++k) {
      const IterVar& iter = b.iters[k];
      const int64_t* extent = as_int(iter.dom.extent);
      if (padding[k] < 1 || padding[k] > INT32_MAX) steps.fail("a padding is a positive number");
      if (!extent || !is_int(iter.dom.min, 0)) {
        steps.fail("the domain of " + iter.var.name() + " does not run from 0 to a constant");
      }
      const Wide size = (Wide{*extent} + padding[k] - 1) / padding[k] * padding[k];
      if (size > INT32_MAX / 2) steps.fail("the padded domain of " + iter.var.name() + " is too long");
      domains.push_back({*extent, size == *extent ? 0 : static_cast<int64_t>(size)});
    }
    const auto stays = [](const Growth& axis) { return axis.size == 0; };
    if (std::all_of(domains.begin(), domains.end(), stays)) return;
    const std::vector<Buffer> written = buffers_stored(stmt);
    std::vector<Buffer> buffers = written;
    for (const Buffer& buffer : buffers_read(stmt)) {
      if (std::find(buffers.begin(), buffers.end(), buffer) == buffers.end()) buffers.push_back(buffer);
    }
    for (const Buffer& buffer : buffers) {
      std::vector<Growth> axes;
      for (size_t k : axes_of(steps, b, buffer)) axes.push_back(domains[k]);
      if (std::all_of(axes.begin(), axes.end(), stays)) continue;
      if (!buffer->dtype.is_scalar()) steps.fail("the elements of " + buffer->name + " are vectors");
      const bool write = std::find(written.begin(), written.end(), buffer) != written.end();
      write ? schedule.cache_write(block, {.name = buffer->name}, "global")
            : schedule.cache_read(block, {.name = buffer->name}, "global");
      const BufferChoice cache{.name = cache_of(buffer, "global")->name};
      std::optional<PadArg> pad;
      if (!write) pad = zero(buffer->dtype);
      for (size_t d = 0; d < axes.size(); ++d) {
        if (stays(axes[d])) continue;
        schedule.transform_layout(block, cache, rotated(axes.size(), d, axes[d], false), pad);
        schedule.transform_layout(block, cache, rotated(axes.size(), d, axes[d], true));
      }
    }
    for (size_t k = 0; k < domains.size(); ++k) {
      if (stays(domains[k])) continue;
      const Expr& binding = b.iters[k].binding;
      if (binding->op != Op::Var) steps.fail(b.iters[k].var.name() + " is not bound to a loop alone");
      lengthen(steps, binding->var(), domains[k].size);
    }
    schedule.remove_branching_through_overcompute(block, false);
    steps.simplify(stage_around(steps.func(), steps.path_of_block(block)).at);
  });
}

}  // namespace hexproof
