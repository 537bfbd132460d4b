#include "backend/arguments.h"

#include "backend/alignment.h"
#include "ir/interpreter/arguments.h"

namespace hexproof {

ScalarValues bind_scalars(const PrimFunc& func, const std::vector<Tensor>& buffers, const ScalarArguments& scalars) {
  Arguments bound = bind_arguments(func, buffers, scalars);
  for (size_t i = 0; i < bound.buffers.size(); ++i) {
    const BoundBuffer& b = bound.buffers[i];
    if (!b.compact) {
      throw Unsupported(func.span,
                        "running a compiled program whose parameter '" + b.buffer->name + "' has strides or an offset");
    }
    size_t bytes =
        static_cast<size_t>(b.elements) * static_cast<size_t>(b.buffer->dtype.bytes() * b.buffer->dtype.lanes);
    if (buffers[i].data.size() != bytes) throw Error("the tensor for '" + b.buffer->name + "' has a wrong size");
  }
  return std::move(bound.scalars);
}

std::vector<uint64_t> scalar_words(const PrimFunc& func, const ScalarValues& values) {
  std::vector<uint64_t> words;
  for (const Var& v : func.scalars()) {
    auto it = values.find(v);
    if (it == values.end()) throw Error("nothing gives a value to '" + v.name() + "' of " + func.name);
    uint8_t bytes[8] = {};
    store_scalar(it->second, bytes);
    uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    words.push_back(word);
  }
  return words;
}

void demand_alignment(const PrimFunc& func, const std::vector<uint64_t>& addresses) {
  std::vector<Buffer> buffers = func.buffer_params();
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (addresses[i] % kParameterAlignment == 0) continue;
    std::string what = i < buffers.size() ? "parameter '" + buffers[i]->name + "'" : "the workspace";
    throw Error(what + " of " + func.name + " is at an address that is no multiple of " +
                std::to_string(kParameterAlignment) + " bytes, as the kernel's calling contract asks");
  }
}

}  // namespace hexproof
