#include "fuzz/programs/arguments.h"

#include "ir/layout/cells.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {
namespace {

void empty_padding(const ArgumentPadding& padding, const Valuation& scalars, Tensor* tensor) {
  const auto cells = static_cast<size_t>(tensor->size());
  if (tensor->initialised.empty()) tensor->initialised.assign(cells, 1);
  for (size_t k = 0; k < cells; ++k) {
    if (padding.holds(scalars, index_of(static_cast<int64_t>(k), tensor->shape)).value_or(true)) {
      tensor->initialised[k] = 0;
    }
  }
}

/// Scalars and sizes, with their values.
Valuation valuation_of(const PrimFunc& func, const RunArguments& arguments) {
  Valuation out;
  const std::vector<Var> names = func.scalars();
  for (size_t k = 0; k < names.size(); ++k) {
    if (k < arguments.scalars.size()) out.vars.emplace(names[k], arguments.scalars[k]);
  }
  const std::vector<Buffer> buffers = func.buffer_params();
  for (size_t b = 0; b < buffers.size(); ++b) {
    for (size_t d = 0; d < buffers[b]->ndim(); ++d) {
      const Expr& extent = buffers[b]->shape[d];
      if (extent->op == Op::Var) out.vars.emplace(extent->var(), arguments.buffers.at(b).shape[d]);
    }
  }
  return out;
}

/// Calls `f` with each tensor of an argument, and what the function says of its padding.
template <class F>
void each_tensor(const PrimFunc& func, std::vector<Tensor>* tensors, F f) {
  size_t buffer = 0;
  for (size_t p = 0; p < func.params.size(); ++p) {
    if (func.params[p].buffer) f(p, tensors->at(buffer++), argument_padding(func, p));
  }
}

}  // namespace

RunArguments arguments_of(const PrimFunc& func, uint64_t seed, Values values) {
  RunArguments out = random_arguments(func, seed, values);
  const Valuation scalars = valuation_of(func, out);
  each_tensor(func, &out.buffers, [&](size_t, Tensor& tensor, const std::optional<ArgumentPadding>& padding) {
    if (padding && padding->indices.size() == tensor.shape.size()) empty_padding(*padding, scalars, &tensor);
  });
  return out;
}

void fill_as_named(const PrimFunc& before, const PrimFunc& after, const std::vector<int64_t>& scalars,
                   std::vector<Tensor>* tensors) {
  const Valuation values = valuation_of(after, {*tensors, scalars});
  each_tensor(after, tensors, [&](size_t p, Tensor& tensor, const std::optional<ArgumentPadding>& padding) {
    if (!argument_padding(before, p) || (padding && padding->indices.size() != tensor.shape.size())) return;
    tensor.initialised.assign(static_cast<size_t>(tensor.size()), 1);
    if (padding) empty_padding(*padding, values, &tensor);
  });
}

int64_t first_lost(const Tensor& want, const Tensor& got) {
  for (size_t k = 0; k < got.initialised.size(); ++k) {
    if (got.initialised[k] == 0 && (want.initialised.empty() || want.initialised[k] != 0))
      return static_cast<int64_t>(k);
  }
  return -1;
}

}  // namespace hexproof
