// Element types: bool, signed and unsigned integers, IEEE floats, handles, and vectors of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/base/wide.h"

namespace hexproof {

/// BFloat: the floats with the exponent of float32 and a short significand. Arithmetic on them is that of float32,
/// rounded once.
enum class TypeCode : uint8_t { Bool, Int, UInt, Float, BFloat, Handle };

/// A machine type. `bits` is the width of one lane (1 for bool), `lanes` > 1 makes a vector.
struct DType {
  TypeCode code = TypeCode::Int;
  uint8_t bits = 32;
  uint16_t lanes = 1;

  friend bool operator==(const DType&, const DType&) = default;

  bool is_bool() const { return code == TypeCode::Bool; }
  bool is_int() const { return code == TypeCode::Int; }
  bool is_uint() const { return code == TypeCode::UInt; }
  /// Signed or unsigned integer; bool is not an integer.
  bool is_integer() const { return is_int() || is_uint(); }
  bool is_float() const { return code == TypeCode::Float || code == TypeCode::BFloat; }
  bool is_handle() const { return code == TypeCode::Handle; }
  bool is_scalar() const { return lanes == 1; }
  /// Bytes of one lane in memory; a bool takes one byte.
  int bytes() const { return bits <= 8 ? 1 : bits / 8; }
  DType element() const { return {code, bits, 1}; }
  DType with_lanes(int n) const { return {code, bits, static_cast<uint16_t>(n)}; }

  /// TVM's spelling: "int32", "float16", "bool", "uint8x4", "handle".
  std::string str() const;
};

#define DTYPE(constant, name, class_, bits_, exponent, significand) \
  inline constexpr DType constant{TypeCode::class_, bits_};
#include "ir/dtypes.def"
#undef DTYPE

/// Every row of ir/dtypes.def, in its order.
inline constexpr DType kDTypes[] = {
#define DTYPE(constant, ...) constant,
#include "ir/dtypes.def"
#undef DTYPE
};

/// The type that TVM spells `text`, or nothing. Those of ir/dtypes.def; lanes run from 1 to 4096.
std::optional<DType> parse_dtype(std::string_view text);

/// Smallest and largest value of an integer or bool type, as mathematical integers. The largest uint64
/// does not fit int64_t, so both are 128 bits wide.
Wide min_value(DType type);
Wide max_value(DType type);
inline bool fits_type(DType type, Wide value) { return min_value(type) <= value && value <= max_value(type); }
/// `value` modulo 2^bits, read as a number of integer type `type` (two's complement; LangRef `trunc`).
Wide wrap_to(DType type, Wide value);
std::string to_string(Wide value);

}  // namespace hexproof
