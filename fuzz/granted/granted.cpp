#include "fuzz/granted/granted.h"

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/inputs/random_values.h"

namespace hexproof {

namespace {

constexpr size_t kMostBefore = 3000, kMostAfter = 300;

}  // namespace

std::vector<Tensor> granted_inputs(const PrimFunc& func, uint64_t seed) {
  std::vector<Tensor> out;
  for (const Buffer& b : func.buffer_params()) {
    std::vector<int64_t> shape;
    for (const Expr& e : b->shape) shape.push_back(evaluate(e, {}).i());
    Tensor t = make_tensor(b->dtype, shape);
    for (size_t at = 0; at < t.data.size(); at += static_cast<size_t>(t.dtype.bytes())) {
      const uint64_t r = next_random(seed);
      const double edges[] = {1.0, -1.0, 0.0, -0.0, 2.0, 0.5};
      double value = r % 8 == 0 ? edges[(r >> 8) % 6] : 1.0 + static_cast<double>(r >> 11) * 0x1p-53;
      if (r % 3 == 0) value = -value;
      store_scalar(float_scalar(b->dtype, value), &t.data[at]);
    }
    out.push_back(std::move(t));
  }
  return out;
}

std::optional<Outcomes> allowed_outcomes(const PrimFunc& func, const std::vector<Tensor>& inputs) {
  std::optional<Outcomes> all = outcomes(func, inputs, kMostBefore);
  const bool promised = func.granted("nnan") || func.granted("ninf");
  if (!all || !all->complete || all->erroneous || (promised && all->special)) return std::nullopt;
  return all;
}

std::string forbidden_outcome(const Outcomes& allowed, const PrimFunc& after, const std::vector<Tensor>& inputs) {
  const std::optional<Outcomes> got = outcomes(after, inputs, kMostAfter);
  if (!got) return "";
  if (got->erroneous) return "the transformed program reaches an error";
  for (const auto& values : got->all) {
    if (!allowed.all.count(values)) return "the granted flags do not allow what the transformed program may compute";
  }
  return "";
}

}  // namespace hexproof
