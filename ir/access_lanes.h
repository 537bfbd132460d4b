// How many lanes an access has: those of the index times those of an element of the buffer.
#pragma once
#include <limits>
#include <optional>
#include <string>

#include "ir/dtype.h"

namespace hexproof {

/// What an access of `lanes` elements of this type reads or writes; nothing when it has more lanes than a type counts.
inline std::optional<DType> type_of_access(DType element, int lanes) {
  const int64_t count = int64_t{element.lanes} * lanes;
  if (count > std::numeric_limits<decltype(DType::lanes)>::max()) return std::nullopt;
  return element.with_lanes(static_cast<int>(count));
}

inline std::string too_many_lanes(const std::string& buffer, DType element, int lanes) {
  return "an access of '" + buffer + "' has " + std::to_string(int64_t{element.lanes} * lanes) + " lanes, more than " +
         std::to_string(std::numeric_limits<decltype(DType::lanes)>::max());
}

}  // namespace hexproof
