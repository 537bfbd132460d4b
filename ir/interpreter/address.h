// Where an element of a buffer lies in its memory, as the number that it is: no word that it is summed in wraps.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/buffer.h"

namespace hexproof {

/// The offset and the sum of indices times strides. The strides may cancel out, so a sum that has left what any memory
/// has may come back: it is kept in two words, that of the lower 64 bits and that of all above.
inline std::optional<Wide> strided_address(const std::vector<int64_t>& strides, int64_t offset,
                                           const std::vector<int64_t>& indices) {
  constexpr int kHalf = 64;
  Wide high = offset < 0 ? -1 : 0, low = static_cast<uint64_t>(offset);
  for (size_t i = 0; i < strides.size(); ++i) {
    const Wide term = Wide{indices[i]} * strides[i];
    high += term >> kHalf;
    low += static_cast<uint64_t>(term);
  }
  high += low >> kHalf;
  constexpr Wide kFar = Wide{1} << (100 - kHalf);
  if (high < -kFar || high >= kFar) return std::nullopt;
  return high * (Wide{1} << kHalf) + static_cast<uint64_t>(low);
}

/// The same of the compact layout of a shape, whose strides may have any number of bits. `indices` are in bounds, so
/// no part of the sum is negative: what has left 64 bits stays outside of any memory, whatever the offset.
inline std::optional<Wide> compact_address(const std::vector<int64_t>& shape, int64_t offset,
                                           const std::vector<int64_t>& indices) {
  Wide flat = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    flat = flat * shape[i] + indices[i];
    if (flat >> 64) return std::nullopt;
  }
  return flat + offset;
}

/// Where the element at `indices`, which are in bounds, lies in a buffer of this shape, strides and offset. Nothing:
/// outside of any memory.
inline std::optional<Wide> element_address(const BufferNode& buffer, const std::vector<int64_t>& shape,
                                           const std::vector<int64_t>& strides, int64_t offset,
                                           const std::vector<int64_t>& indices) {
  return buffer.strides.empty() ? compact_address(shape, offset, indices) : strided_address(strides, offset, indices);
}

/// As an error names it.
inline std::string address_text(const std::optional<Wide>& element) {
  return element ? to_string(*element) : "beyond 64 bits";
}

}  // namespace hexproof
