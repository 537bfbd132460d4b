#include "verify/check/replay_inputs.h"

#include <cstring>

#include "ir/float_format.h"
#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/layout/cells.h"
#include "ir/visit.h"
#include "verify/prove/model_value.h"

namespace hexproof {

namespace {

constexpr int64_t kElements = int64_t{1} << 22;  // of all arguments together

void fill(Tensor* tensor, int kind, std::mt19937_64& random) {
  DType type = tensor->dtype;
  for (int64_t i = 0; i < tensor->size(); ++i) {
    uint64_t r = random();
    int64_t small = static_cast<int64_t>(r % 9) - (type.is_uint() ? 0 : 3);
    uint8_t* at = tensor->data.data() + i * type.bytes();
    uint64_t bits = r;
    if (type.is_bool()) {
      bits = r & 1;
    } else if (type.is_float()) {
      double value =
          kind % 2 == 1 ? static_cast<double>(small) : static_cast<double>(static_cast<int64_t>(r)) / 65536.0;
      bits = float_to_raw(type, value);
    } else if (kind % 2 == 1) {
      bits = static_cast<uint64_t>(small);
    } else if (r % 4 == 0) {
      bits = static_cast<uint64_t>(static_cast<int64_t>(r % 8 < 4 ? min_value(type) : max_value(type)));
    }
    std::memcpy(at, &bits, static_cast<size_t>(type.bytes()));
  }
}

}  // namespace

ReplayInputs::ReplayInputs(const PrimFunc& func, const Model& model) : func_(func) {
  std::set<Var> params;
  for (const Param& p : func.params) {
    if (!p.buffer) params.insert(p.var);
  }
  for (const Var& v : func.scalars()) {
    const DType type = v.dtype();
    values_[v] = type.is_float() ? float_scalar(type, 1) : int_scalar(type, params.count(v) ? 1 : 4);
  }
  for (const auto& [var, value] : model) {
    auto it = values_.find(var);
    if (it != values_.end()) it->second = scalar_of_model(var.dtype(), value);
  }
}

ReplayInputs ReplayInputs::with_layouts() const {
  ReplayInputs out = *this;
  for (const Buffer& b : func_.buffer_params()) {
    if (b->strides.empty()) continue;
    try {
      std::vector<int64_t> shape;
      for (const Expr& e : b->shape) shape.push_back(static_cast<int64_t>(wide_value(evaluate(e, out.values_))));
      std::map<Var, Scalar> vars = out.values_;
      try {
        bind_layout(b, shape, vars);
        continue;
      } catch (const Error&) {
        vars = out.values_;
      }
      const std::vector<int64_t> compact = compact_strides(shape);
      for (size_t d = 0; d < shape.size(); ++d) {
        if (b->strides[d]->op != Op::Var) continue;
        auto it = vars.find(b->strides[d]->var());
        if (it != vars.end()) it->second = int_scalar(it->first.dtype(), compact[d]);
      }
      out.values_ = std::move(vars);
    } catch (const Fault&) {
      continue;  // there are no such arguments
    }
  }
  return out;
}

ScalarArguments ReplayInputs::scalars() const {
  std::vector<ScalarArgument> out;
  for (const Param& p : func_.params) {
    if (p.buffer) continue;
    const Scalar& value = values_.at(p.var);
    out.push_back(value.type.is_float() ? ScalarArgument(value.d()) : ScalarArgument(value.i()));
  }
  return out;
}

std::optional<std::vector<Tensor>> ReplayInputs::tensors(int kind) const {
  std::vector<Tensor> out;
  Wide total = 0;
  std::mt19937_64 random(static_cast<uint64_t>(kind) * 77 + 5);
  for (size_t k = 0; k < func_.params.size(); ++k) {
    const Buffer& b = func_.params[k].buffer;
    if (!b) continue;
    std::vector<int64_t> shape;
    Wide size = 1;
    for (const Expr& e : b->shape) {
      Wide extent = wide_value(evaluate(e, values_));
      if (extent < 0 || extent > kElements) return std::nullopt;
      size *= extent;
      if (size > kElements) return std::nullopt;
      shape.push_back(static_cast<int64_t>(extent));
    }
    total += size;
    if (total > kElements || !b->dtype.is_scalar()) return std::nullopt;
    out.push_back(make_tensor(b->dtype, shape));
    if (kind > 0) fill(&out.back(), kind, random);
    if (std::optional<ArgumentPadding> padding = argument_padding(func_, k)) {
      if (!leave_open(*padding, &out.back())) return std::nullopt;
    }
  }
  return out;
}

bool ReplayInputs::leave_open(const ArgumentPadding& padding, Tensor* tensor) const {
  if (tensor->size() > kElements / 64) return true;
  tensor->initialised.assign(static_cast<size_t>(tensor->size()), 1);
  Valuation scalars;
  for (const auto& [var, value] : values_) scalars.vars.emplace(var, model_value(value));
  for (int64_t flat = 0; flat < tensor->size(); ++flat) {
    const std::optional<bool> open = padding.holds(scalars, index_of(flat, tensor->shape));
    if (!open) return false;
    tensor->initialised[static_cast<size_t>(flat)] = *open ? 0 : 1;
  }
  return true;
}

bool ReplayInputs::small(const CheckContext& context) const {
  for (const auto& [data, memory] : context.memories) {
    std::optional<Wide> size = number(memory.elements);
    if (!size && !memory.strided) {
      size = 1;
      for (const Expr& e : memory.extents) {
        if (*size <= kElements) *size *= number(e).value_or(1);
      }
    }
    bool exists = size && *size * memory.dtype.bytes() * memory.dtype.lanes <= kMaxBufferBytes;
    if (exists && *size > kElements) return false;
  }
  return true;
}

std::vector<std::pair<std::string, std::string>> ReplayInputs::shown() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [var, value] : values_) {
    out.emplace_back(var.name(), value.type.is_float() ? text_of(value) : to_string(wide_value(value)));
  }
  return out;
}

std::optional<Wide> ReplayInputs::number(const Expr& e) const {
  for (const Var& v : free_vars(e)) {
    if (!values_.count(v)) return std::nullopt;
  }
  if (is_data(e)) return std::nullopt;
  try {
    return wide_value(evaluate(e, values_));
  } catch (const Fault&) {
    return std::nullopt;
  }
}

}  // namespace hexproof
