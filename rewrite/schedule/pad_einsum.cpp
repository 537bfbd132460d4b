// pad_einsum: copies of the operands that are padded with zeros, and the block over the padded domain.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/schedule/caches.h"
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

/// i  ->  i // w, i % w  for each axis of a width; and back.
struct InTiles {
  IndexMap there, back;
};
InTiles in_tiles(const std::vector<int64_t>& widths) {
  InTiles out;
  for (int64_t w : widths) {
    const std::string k = std::to_string(out.there.inputs.size());
    const Var i = Var::fresh("i" + k, kInt32), o = Var::fresh("o" + k, kInt32);
    out.there.inputs.push_back(i), out.back.inputs.push_back(o);
    if (w == 0) {
      out.there.outputs.emplace_back(i), out.back.outputs.emplace_back(o);
      continue;
    }
    out.there.outputs.push_back(floordiv(Expr(i), i32(w)));
    out.there.outputs.push_back(floormod(Expr(i), i32(w)));
    const Var in = Var::fresh("r" + k, kInt32);
    out.back.inputs.push_back(in);
    out.back.outputs.push_back(Expr(o) * i32(w) + Expr(in));
  }
  return out;
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
    std::vector<int64_t> widths;  // 0: the extent is a multiple already
    for (size_t k = 0; k < padding.size(); ++k) {
      const int64_t* extent = as_int(b.iters[k].dom.extent);
      if (padding[k] < 1 || padding[k] > INT32_MAX) steps.fail("a padding is a positive number");
      if (!extent) steps.fail("the domain of " + b.iters[k].var.name() + " is no constant");
      if (padding[k] > *extent) {
        throw EngineLimit(b.iters[k].var.name() + " has " + std::to_string(*extent) + " values, and a tile of " +
                          std::to_string(padding[k]) + " would hold more than all of them");
      }
      widths.push_back(*extent % padding[k] == 0 ? 0 : padding[k]);
    }
    if (std::all_of(widths.begin(), widths.end(), [](int64_t w) { return w == 0; })) return;
    struct Padded {
      std::string cache;
      InTiles maps;
    };
    std::vector<Padded> padded;
    const std::vector<Buffer> written = buffers_written(stmt);
    std::vector<Buffer> buffers = written;
    for (const Buffer& buffer : buffers_read(stmt)) {
      if (std::find(buffers.begin(), buffers.end(), buffer) == buffers.end()) buffers.push_back(buffer);
    }
    for (const Buffer& buffer : buffers) {
      std::vector<int64_t> of_axes;
      for (size_t k : axes_of(steps, b, buffer)) of_axes.push_back(widths[k]);
      if (std::all_of(of_axes.begin(), of_axes.end(), [](int64_t w) { return w == 0; })) continue;
      const bool write = std::find(written.begin(), written.end(), buffer) != written.end();
      write ? schedule.cache_write(block, {.name = buffer->name}, "global")
            : schedule.cache_read(block, {.name = buffer->name}, "global");
      padded.push_back({cache_of(buffer, "global")->name, in_tiles(of_axes)});
      const DType type = buffer->dtype;
      std::optional<PadArg> none;
      if (!write) none = type.is_float() ? fimm(type, 0.0) : zero(type);
      schedule.transform_layout(block, {.name = padded.back().cache}, padded.back().maps.there, none);
    }
    const InTiles domain = in_tiles(widths);
    transform_block_layout(schedule, block, domain.there);
    schedule.remove_branching_through_overcompute(block, false);
    for (const Padded& p : padded) schedule.transform_layout(block, {.name = p.cache}, p.maps.back);
    transform_block_layout(schedule, block, domain.back);
  });
}

}  // namespace hexproof
