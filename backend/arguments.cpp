#include "backend/arguments.h"

#include <bit>

#include "backend/workspace.h"
#include "ir/float16.h"

namespace hexproof {

std::map<Var, int64_t> bind_scalars(const PrimFunc& func, const std::vector<Tensor>& buffers,
                                    const std::vector<int64_t>& scalars) {
  std::map<Var, int64_t> values;
  std::vector<Buffer> params = func.buffer_params();
  if (params.size() != buffers.size()) {
    throw Error(func.name + " takes " + std::to_string(params.size()) + " buffers, " + std::to_string(buffers.size()) +
                " are given");
  }
  size_t next = 0;
  for (const Param& p : func.params) {
    if (p.buffer) continue;
    if (next == scalars.size()) throw Error("no value for scalar parameter '" + p.var.name() + "' of " + func.name);
    values[p.var] = scalars[next++];
  }
  if (next != scalars.size()) throw Error("too many scalar values for " + func.name);
  for (size_t i = 0; i < params.size(); ++i) {
    const Buffer& b = params[i];
    if (b->dtype.element() != buffers[i].dtype.element()) {
      throw Error("buffer '" + b->name + "' is " + b->dtype.str() + ", the tensor is " + buffers[i].dtype.str());
    }
    if (!b->strides.empty() || b->elem_offset) {
      throw Unsupported(func.span, "running a program whose parameter '" + b->name + "' has strides or an offset");
    }
    if (b->ndim() != buffers[i].shape.size()) {
      throw Error("buffer '" + b->name + "' has " + std::to_string(b->ndim()) + " dimensions, the tensor " +
                  std::to_string(buffers[i].shape.size()));
    }
    for (size_t axis = 0; axis < b->ndim(); ++axis) {
      if (b->shape[axis]->op == Op::Var) values.emplace(b->shape[axis]->var(), buffers[i].shape[axis]);
    }
  }
  for (size_t i = 0; i < params.size(); ++i) {
    for (size_t axis = 0; axis < params[i]->ndim(); ++axis) {
      std::optional<Wide> extent = evaluate(params[i]->shape[axis], values);
      if (!extent) {
        throw Unsupported(func.span, "axis " + std::to_string(axis) + " of parameter '" + params[i]->name +
                                         "' is no expression over known values");
      }
      if (*extent != buffers[i].shape[axis]) {
        throw Error("axis " + std::to_string(axis) + " of '" + params[i]->name + "' is " + to_string(*extent) +
                    ", the tensor has " + std::to_string(buffers[i].shape[axis]));
      }
    }
  }
  return values;
}

std::vector<uint64_t> scalar_words(const PrimFunc& func, const std::map<Var, int64_t>& values) {
  std::vector<uint64_t> words;
  for (const Var& v : func.scalars()) {
    auto it = values.find(v);
    if (it == values.end()) throw Error("nothing gives a value to '" + v.name() + "' of " + func.name);
    uint64_t raw = static_cast<uint64_t>(it->second);
    if (v.dtype() == kFloat16) raw = double_to_half(static_cast<double>(it->second));
    if (v.dtype() == kFloat32) raw = std::bit_cast<uint32_t>(static_cast<float>(it->second));
    if (v.dtype() == kFloat64) raw = std::bit_cast<uint64_t>(static_cast<double>(it->second));
    words.push_back(raw);
  }
  return words;
}

}  // namespace hexproof
