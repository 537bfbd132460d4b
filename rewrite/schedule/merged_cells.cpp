#include "rewrite/schedule/merged_cells.h"

#include <cmath>
#include <cstring>
#include <map>

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/interpreter/interpreter.h"
#include "ir/layout/cells.h"
#include "verify/equiv/pair.h"
#include "verify/prove/model_value.h"

namespace hexproof {
namespace {

constexpr uint64_t kMostSteps = 20'000'000;
constexpr Wide kMostCells = 1 << 16;

/// The shape as numbers; nothing where there is none, or many cells.
std::optional<std::vector<int64_t>> shape_at(const Buffer& buffer, const std::map<Var, Scalar>& sizes) {
  std::vector<int64_t> out;
  Wide cells = 1;
  for (const Expr& e : buffer->shape) {
    const Wide extent = wide_value(evaluate(e, sizes));
    if (extent < 0 || extent > kMostCells || (cells *= extent) > kMostCells) return std::nullopt;
    out.push_back(static_cast<int64_t>(extent));
  }
  return out;
}

/// The arguments of a run of the program without an error, with another value in each cell of one of them as far as the
/// assumes and its type let it; nothing where no such run is seen.
std::optional<Tensor> argument_of_a_run(const PrimFunc& func, size_t param, const std::vector<int64_t>& scalars,
                                        const std::map<Var, Scalar>& sizes) {
  std::vector<Tensor> tensors;
  size_t changed = 0;
  for (size_t k = 0; k < func.params.size(); ++k) {
    const Buffer& buffer = func.params[k].buffer;
    if (!buffer) continue;
    const auto shape = shape_at(buffer, sizes);
    if (!shape || !buffer->dtype.is_scalar()) return std::nullopt;
    if (k == param) changed = tensors.size();
    tensors.push_back(make_tensor(buffer->dtype, *shape));
  }
  Tensor& tensor = tensors[changed];
  const size_t width = static_cast<size_t>(tensor.dtype.bytes());
  for (int64_t cell = 0; cell < tensor.size(); ++cell) {
    const Scalar value = tensor.dtype.is_float() ? float_scalar(tensor.dtype, static_cast<double>(cell + 1))
                                                 : int_scalar(tensor.dtype, cell + 1);
    store_scalar(value, &tensor.data[static_cast<size_t>(cell) * width]);
  }
  const std::vector<int64_t> parameters = parameter_values(func, scalars);
  satisfy_assumes(func, tensors, parameters);
  Tensor out = tensors[changed];
  const RunResult result = run(func, tensors, parameters, {.max_steps = kMostSteps});
  if (result.error || result.out_of_steps) return std::nullopt;
  return out;
}

/// Do two cells of `tensor` that hold two values go to one cell, by the first layers or by all? (Whether the new box
/// holds all cells does not matter: a search proposed it.)
bool sends_two_to_one(const InterfaceChange& change, const Tensor& tensor, std::map<Var, Scalar> values) {
  const size_t width = static_cast<size_t>(tensor.dtype.bytes());
  std::vector<std::vector<Wide>> at;
  for (int64_t cell = 0; cell < tensor.size(); ++cell) {
    const std::vector<int64_t> index = index_of(cell, tensor.shape);
    at.emplace_back(index.begin(), index.end());
  }
  for (const LayoutChange& layer : change.layers) {
    std::map<std::vector<Wide>, size_t> images;
    for (size_t cell = 0; cell < at.size(); ++cell) {
      for (size_t d = 0; d < at[cell].size(); ++d)
        values.insert_or_assign(layer.map.inputs[d], int_scalar(layer.map.inputs[d].dtype(), at[cell][d]));
      std::vector<Wide> image;
      for (const Expr& e : layer.map.outputs) image.push_back(wide_value(evaluate(e, values)));
      const auto [first, fresh] = images.emplace(image, cell);
      if (!fresh && std::memcmp(&tensor.data[first->second * width], &tensor.data[cell * width], width) != 0)
        return true;
      at[cell] = std::move(image);
    }
  }
  return false;
}

}  // namespace

std::vector<int64_t> scalars_of(const PrimFunc& func, const Answer& answer) {
  std::map<Var, int64_t> model;
  for (const auto& [var, value] : answer.model) {
    if (var.dtype().is_float()) {
      constexpr double kExact = 1 << 24;  // (an instance has whole numbers)
      const double number = scalar_of_model(var.dtype(), value).d();
      if (std::abs(number) <= kExact && std::trunc(number) == number) model[var] = static_cast<int64_t>(number);
    } else if (fits_type(kInt64, value) || fits_type(kUInt64, value)) {
      model[var] = static_cast<int64_t>(value);  // the bits
    }
  }
  std::vector<int64_t> out;
  for (const Var& v : func.scalars()) out.push_back(model.count(v) ? model.at(v) : 1);
  return out;
}

bool merges_cells(const RefusedStep& step, const Answer& answer) {
  if (step.interface_changes.empty()) return false;
  const std::vector<int64_t> scalars = scalars_of(step.before, answer);
  std::map<Var, Scalar> sizes;
  const std::vector<Var> vars = step.before.scalars();
  for (size_t k = 0; k < vars.size(); ++k) {
    if (vars[k].dtype().is_integer()) sizes.emplace(vars[k], int_scalar(vars[k].dtype(), scalars[k]));
  }
  try {
    for (const InterfaceChange& change : step.interface_changes) {
      const std::optional<Tensor> tensor = argument_of_a_run(step.before, change.param, scalars, sizes);
      if (tensor && sends_two_to_one(change, *tensor, sizes)) return true;
    }
  } catch (const std::runtime_error&) {
  } catch (const Fault&) {
  }
  return false;
}

}  // namespace hexproof
