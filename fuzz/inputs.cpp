#include <cstring>

#include "fuzz/program.h"

namespace hexproof {

std::vector<Tensor> random_inputs(const PrimFunc& func, uint64_t seed, Values values) {
  std::vector<Tensor> out;
  for (const Buffer& buffer : func.buffer_params()) {
    std::vector<int64_t> shape;
    if (!constant_shape(buffer, &shape)) {
      throw Unsupported(func.span, "'" + buffer->name + "' has a symbolic shape: there are no random inputs for it");
    }
    Tensor tensor = make_tensor(buffer->dtype, shape);
    size_t width = buffer->dtype.bytes();
    for (int64_t i = 0; i < tensor.size(); ++i) {
      uint64_t random = next_random(seed);
      if (values == Values::Ordinary) random &= ~1ull;
      uint64_t bits = random_value(buffer->dtype, random);
      std::memcpy(tensor.data.data() + i * width, &bits, width);
    }
    out.push_back(std::move(tensor));
  }
  if (func.scalars().empty()) satisfy_assumes(func, out);
  return out;
}

}  // namespace hexproof
