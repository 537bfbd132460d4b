// Element types: bool, signed and unsigned integers, IEEE floats, handles, and vectors of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/wide.h"

namespace hexproof {

enum class TypeCode : uint8_t { Bool, Int, UInt, Float, Handle };

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
  bool is_float() const { return code == TypeCode::Float; }
  bool is_handle() const { return code == TypeCode::Handle; }
  bool is_scalar() const { return lanes == 1; }
  /// Bytes of one lane in memory; a bool takes one byte.
  int bytes() const { return bits <= 8 ? 1 : bits / 8; }
  DType element() const { return {code, bits, 1}; }
  DType with_lanes(int n) const { return {code, bits, static_cast<uint16_t>(n)}; }

  /// TVM's spelling: "int32", "float16", "bool", "uint8x4", "handle".
  std::string str() const;
};

inline constexpr DType kBool{TypeCode::Bool, 1}, kInt8{TypeCode::Int, 8}, kInt16{TypeCode::Int, 16},
    kInt32{TypeCode::Int, 32}, kInt64{TypeCode::Int, 64}, kUInt8{TypeCode::UInt, 8}, kUInt16{TypeCode::UInt, 16},
    kUInt32{TypeCode::UInt, 32}, kUInt64{TypeCode::UInt, 64}, kFloat16{TypeCode::Float, 16},
    kFloat32{TypeCode::Float, 32}, kFloat64{TypeCode::Float, 64}, kHandle{TypeCode::Handle, 64};

/// The type that TVM spells `text`, or nothing. Only the widths of semantics are types: 8, 16, 32, 64
/// for integers and 16, 32, 64 for floats; lanes run from 1 to 4096.
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
