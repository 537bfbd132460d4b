// Gives a walk its arguments: numbers, and memories that hold tensors.
#pragma once
#include "ir/interpreter/arguments.h"
#include "ir/interpreter/paths.h"
#include "ir/interpreter/walk/walk.h"

namespace hexproof {

/// Calls `f` with each element's place in the memory and in the tensor.
template <class F>
void each_cell(const BoundBuffer& bound, F f) {
  const int lanes = bound.buffer->dtype.lanes;
  size_t in_tensor = 0;
  for (int64_t element : element_positions(bound)) {
    for (int lane = 0; lane < lanes; ++lane) f(static_cast<size_t>(element * lanes + lane), in_tensor++);
  }
}

/// The memories of the buffers, in order. A cell of the domain is {value, is it computed from an undef}.
template <class Domain>
std::vector<typename Walk<Domain>::Memory*> bind_to_walk(Walk<Domain>& walk, const PrimFunc& func,
                                                         const std::vector<Tensor>& buffers,
                                                         const Arguments& arguments) {
  for (const auto& [var, value] : arguments.scalars) walk.bind_scalar(var, value);
  std::vector<typename Walk<Domain>::Memory*> out;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Tensor& tensor = buffers[i];
    auto& memory = walk.bind_buffer(arguments.buffers[i]);
    const size_t width = static_cast<size_t>(tensor.dtype.bytes());
    each_cell(arguments.buffers[i], [&](size_t at, size_t k) {
      const uint8_t state = tensor.initialised.empty() ? 1 : tensor.initialised[k];
      if (state == 0) return;
      memory.cells[at] = {load_scalar(tensor.dtype, &tensor.data[k * width]), state == 2};
      memory.filled[at] = 1;
    });
    out.push_back(&memory);
  }
  size_t next = 0;
  for (const Param& p : func.params) {
    if (p.buffer) walk.bind_handle(p.var, *out[next++]);
  }
  return out;
}

}  // namespace hexproof
