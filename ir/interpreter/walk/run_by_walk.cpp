#include "ir/interpreter/concrete.h"
#include "ir/interpreter/paths.h"
#include "ir/interpreter/walk/bind.h"

namespace hexproof {

std::vector<int64_t> element_positions(const BoundBuffer& bound) {
  std::vector<int64_t> out{bound.offset};
  for (size_t axis = 0; axis < bound.shape.size(); ++axis) {
    std::vector<int64_t> next;
    next.reserve(out.size() * static_cast<size_t>(bound.shape[axis]));
    for (int64_t base : out) {
      for (int64_t i = 0; i < bound.shape[axis]; ++i) next.push_back(base + i * bound.strides[axis]);
    }
    out = std::move(next);
  }
  return out;
}

namespace {

using ConcreteWalk = Walk<ConcreteDomain>;

void read_back(const ConcreteWalk::Memory& memory, const BoundBuffer& bound, Tensor& tensor) {
  const size_t width = static_cast<size_t>(tensor.dtype.bytes());
  bool plain = true;
  std::vector<uint8_t> states(static_cast<size_t>(tensor.size()), 1);
  each_cell(bound, [&](size_t at, size_t i) {
    const ConcreteCell& cell = memory.cells[at];
    states[i] = memory.filled[at] ? (cell.undef ? 2 : 1) : 0;
    plain &= states[i] == 1;
    if (states[i] != 0) store_scalar(cell.value, &tensor.data[i * width]);
  });
  tensor.initialised = plain ? std::vector<uint8_t>{} : std::move(states);
}

/// The walk as its observer sees it.
class WalkState : public RunState {
 public:
  explicit WalkState(const ConcreteWalk& walk) : walk_(walk) {}

  std::optional<SeenValue> value(const Var& var) const override {
    const ConcreteWalk::Value* value = walk_.value_of(var);
    if (!value) return std::nullopt;
    if (const Scalar* number = std::get_if<Scalar>(value)) return SeenValue{*number};
    const ConcreteCell& cell = std::get<ConcreteCell>(*value);
    return SeenValue{cell.value, cell.undef};
  }

  std::optional<SeenCell> cell(const Buffer& buffer, const std::vector<int64_t>& indices, int lane) const override {
    const ConcreteWalk::View* view = walk_.view_of(buffer);
    if (!view || indices.size() != view->shape.size()) return std::nullopt;
    try {
      size_t at = view->position(false, *buffer, indices, lane);
      SeenCell out{static_cast<int64_t>(at), std::nullopt};
      const ConcreteCell& cell = view->memory->cells[at];
      if (view->memory->filled[at]) out.value = SeenValue{cell.value, cell.undef};
      return out;
    } catch (const Fault&) {
      return std::nullopt;
    }
  }

 private:
  const ConcreteWalk& walk_;
};

}  // namespace

RunResult run_by_walk(const PrimFunc& func, std::vector<Tensor>& buffers, const Arguments& arguments,
                      const RunOptions& options, RunObserver* observer) {
  ConcreteDomain domain(options.undef_seed);
  ConcreteWalk walk(domain, options);
  const std::vector<ConcreteWalk::Memory*> memories = bind_to_walk(walk, func, buffers, arguments);
  WalkState state(walk);
  if (observer) {
    walk.observe(observer);
    observer->start(state);
  }
  RunResult result = walk.run(func.body, true);
  for (size_t i = 0; i < buffers.size(); ++i) read_back(*memories[i], arguments.buffers[i], buffers[i]);
  return result;
}

}  // namespace hexproof
