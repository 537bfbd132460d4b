#include "rewrite/schedule/merged_cells.h"

#include <cmath>
#include <map>
#include <set>

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

bool runs(const PrimFunc& func, const std::vector<int64_t>& scalars, const std::map<Var, Scalar>& sizes) {
  std::vector<Tensor> tensors;
  for (const Buffer& buffer : func.buffer_params()) {
    const auto shape = shape_at(buffer, sizes);
    if (!shape) return false;
    tensors.push_back(make_tensor(buffer->dtype, *shape));
  }
  const std::vector<int64_t> parameters = parameter_values(func, scalars);
  satisfy_assumes(func, tensors, parameters);
  const RunResult result = run(func, tensors, parameters, {.max_steps = kMostSteps});
  return !result.error && !result.out_of_steps;
}

/// (Whether the new box holds all cells does not matter: a search proposed it.)
bool sends_two_to_one(const LayoutChange& layer, std::map<Var, Scalar> values) {
  const auto from = shape_at(layer.before, values);
  if (!from) return false;
  int64_t cells = 1;
  for (const int64_t extent : *from) cells *= extent;
  std::set<std::vector<Wide>> images;
  for (int64_t cell = 0; cell < cells; ++cell) {
    const std::vector<int64_t> index = index_of(cell, *from);
    for (size_t d = 0; d < index.size(); ++d)
      values.insert_or_assign(layer.map.inputs[d], int_scalar(layer.map.inputs[d].dtype(), index[d]));
    std::vector<Wide> image;
    for (const Expr& e : layer.map.outputs) image.push_back(wide_value(evaluate(e, values)));
    if (!images.insert(std::move(image)).second) return true;
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
      for (const LayoutChange& layer : change.layers) {
        if (sends_two_to_one(layer, sizes)) return runs(step.before, scalars, sizes);
      }
    }
  } catch (const std::runtime_error&) {
  } catch (const Fault&) {
  }
  return false;
}

}  // namespace hexproof
