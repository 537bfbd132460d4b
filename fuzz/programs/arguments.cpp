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

}  // namespace

RunArguments arguments_of(const PrimFunc& func, uint64_t seed, Values values) {
  RunArguments out = random_arguments(func, seed, values);
  Valuation scalars;
  const std::vector<Var> names = func.scalars();
  for (size_t k = 0; k < names.size(); ++k) {
    if (k < out.scalars.size()) scalars.vars.emplace(names[k], out.scalars[k]);
  }
  const std::vector<Buffer> buffers = func.buffer_params();
  for (size_t b = 0; b < buffers.size(); ++b) {
    for (size_t d = 0; d < buffers[b]->ndim(); ++d) {
      const Expr& extent = buffers[b]->shape[d];
      if (extent->op == Op::Var) scalars.vars.emplace(extent->var(), out.buffers.at(b).shape[d]);
    }
  }
  size_t buffer = 0;
  for (size_t p = 0; p < func.params.size(); ++p) {
    if (!func.params[p].buffer) continue;
    Tensor& tensor = out.buffers.at(buffer++);
    const std::optional<ArgumentPadding> padding = argument_padding(func, p);
    if (padding && padding->indices.size() == tensor.shape.size()) empty_padding(*padding, scalars, &tensor);
  }
  return out;
}

}  // namespace hexproof
