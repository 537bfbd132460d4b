// The meaning of every operator on single values, exactly as ops.def says in words. The interpreter, constant
// evaluation and the tests of the solver's encoding and of the code generator all use these functions.
#pragma once
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/base/diagnostic.h"
#include "ir/dtype.h"
#include "ir/float_format.h"
#include "ir/op.h"

namespace hexproof {

/// A value of a scalar type. `bits` holds a signed integer sign-extended, an unsigned one and a bool zero-extended,
/// a float of any width as the double of the same value (every narrower float is one); the only NaN is the
/// canonical quiet one.
struct Scalar {
  DType type;
  uint64_t bits = 0;

  int64_t i() const { return static_cast<int64_t>(bits); }
  double d() const { return std::bit_cast<double>(bits); }
  bool truth() const { return bits != 0; }  // of a bool
  /// Equal types and equal values: -0.0 differs from +0.0, the NaN equals itself.
  friend bool operator==(const Scalar&, const Scalar&) = default;
};

/// What can go wrong in one operation.
enum class ScalarError : uint8_t { None, Overflow, DivisionByZero, DivisionOverflow, ShiftRange, CastRange, CastNan };

inline const char* describe(ScalarError error) {
  switch (error) {
    case ScalarError::None:
      return "no error";
    case ScalarError::Overflow:
      return "integer overflow in index arithmetic";
    case ScalarError::DivisionByZero:
      return "division by zero";
    case ScalarError::DivisionOverflow:
      return "overflow of a division: the smallest integer divided by -1";
    case ScalarError::ShiftRange:
      return "shift by less than zero or by the width or more";
    case ScalarError::CastRange:
      return "the float does not fit the integer type that it is cast to";
    case ScalarError::CastNan:
      return "cast of a NaN to an integer type";
  }
  internal_error(__FILE__, __LINE__, "no such error");
}

/// The value when `error` is None.
struct ScalarResult {
  Scalar value;
  ScalarError error = ScalarError::None;
  explicit operator bool() const { return error == ScalarError::None; }
};

/// Index arithmetic may not overflow; data arithmetic wraps.
enum class Arith : uint8_t { Index, Data };

/// `bits` modulo 2^width, in the representation of Scalar.
inline uint64_t wrap_bits(DType type, uint64_t bits) {
  int drop = 64 - type.bits;
  return type.is_int() ? static_cast<uint64_t>(static_cast<int64_t>(bits << drop) >> drop) : bits << drop >> drop;
}

/// An integer or bool, wrapped to its type.
inline Scalar int_scalar(DType type, Wide value) { return {type, wrap_bits(type, static_cast<uint64_t>(value))}; }
inline Scalar bool_scalar(bool value) { return {kBool, value ? 1u : 0u}; }

/// A float, rounded once to `type` (to nearest even), its NaN made canonical.
inline Scalar float_scalar(DType type, double value) {
  if (type.bits == 32)
    value = static_cast<float>(value);
  else if (type.bits < 32)
    value = round_float(type, value);
  if (value != value) value = std::numeric_limits<double>::quiet_NaN();
  return {type, std::bit_cast<uint64_t>(value)};
}
inline Scalar zero_scalar(DType type) { return {type, 0}; }

/// The mathematical value of an integer or bool.
inline Wide wide_value(const Scalar& s) { return s.type.is_int() ? Wide{s.i()} : Wide{s.bits}; }

/// The machine bytes (little endian; a bool is one byte).
inline Scalar load_scalar(DType type, const uint8_t* bytes) {
  uint64_t raw = 0;
  std::memcpy(&raw, bytes, static_cast<size_t>(type.bytes()));
  if (type.is_bool()) return bool_scalar(raw != 0);
  if (!type.is_float()) return {type, wrap_bits(type, raw)};
  return float_scalar(type, raw_to_float(type, raw));
}
inline void store_scalar(const Scalar& s, uint8_t* bytes) {
  uint64_t raw = s.bits;
  if (s.type.is_float()) raw = float_to_raw(s.type, s.d());
  std::memcpy(bytes, &raw, static_cast<size_t>(s.type.bytes()));
}

namespace scalar_detail {

template <class Float>
double float_arith(Op op, Float a, Float b) {
  return op == Op::Add ? a + b : op == Op::Sub ? a - b : op == Op::Mul ? a * b : a / b;
}

/// Sum, difference and product of integers.
inline ScalarResult int_arith(Op op, const Scalar& a, const Scalar& b, Arith mode) {
  auto run = [&](auto x, auto y) -> ScalarResult {
    decltype(x) r;  // of 64 bits, so overflow of a narrower type shows when the result is wrapped
    bool lost = op == Op::Add   ? __builtin_add_overflow(x, y, &r)
                : op == Op::Sub ? __builtin_sub_overflow(x, y, &r)
                                : __builtin_mul_overflow(x, y, &r);
    uint64_t wrapped = wrap_bits(a.type, static_cast<uint64_t>(r));
    if (mode == Arith::Index && (lost || wrapped != static_cast<uint64_t>(r))) return {{}, ScalarError::Overflow};
    return {{a.type, wrapped}};
  };
  return a.type.is_int() ? run(a.i(), b.i()) : run(a.bits, b.bits);
}

/// The four divisions. An overflowing quotient is an error also of the remainder, whatever kind of arithmetic.
inline ScalarResult divide(Op op, const Scalar& a, const Scalar& b) {
  if (b.bits == 0) return {{}, ScalarError::DivisionByZero};
  bool quotient = op == Op::FloorDiv || op == Op::TruncDiv;
  if (!a.type.is_int()) return {{a.type, quotient ? a.bits / b.bits : a.bits % b.bits}};
  int64_t x = a.i(), y = b.i();
  if (y == -1 && x == static_cast<int64_t>(min_value(a.type))) return {{}, ScalarError::DivisionOverflow};
  int64_t q = x / y, r = x % y;
  bool floors = op == Op::FloorDiv || op == Op::FloorMod;
  if (floors && r != 0 && (r < 0) != (y < 0)) --q, r += y;
  return {{a.type, static_cast<uint64_t>(quotient ? q : r)}};
}

inline ScalarResult shift(Op op, const Scalar& a, const Scalar& b, Arith mode) {
  Wide by = wide_value(b);
  if (by < 0 || by >= a.type.bits) return {{}, ScalarError::ShiftRange};
  if (op == Op::Shr) {
    return {{a.type, a.type.is_int() ? static_cast<uint64_t>(a.i() >> int(by)) : a.bits >> int(by)}};
  }
  uint64_t wrapped = wrap_bits(a.type, a.bits << int(by));
  if (mode == Arith::Index && wide_value({a.type, wrapped}) != wide_value(a) * (Wide{1} << int(by))) {
    return {{}, ScalarError::Overflow};
  }
  return {{a.type, wrapped}};
}

/// -1 less, 0 equal, 1 greater, 2 unordered.
inline int compare(const Scalar& a, const Scalar& b) {
  auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2; };
  if (a.type.is_float()) return order(a.d(), b.d());
  return a.type.is_int() ? order(a.i(), b.i()) : order(a.bits, b.bits);
}

}  // namespace scalar_detail

/// A binary operator (arithmetic, comparison, logic, bits) on two values of one type. `mode` matters to
/// integer +, -, * and << only. Narrower floats are computed in float32 and rounded
/// once more, which is correctly rounded.
inline ScalarResult apply_binary(Op op, const Scalar& a, const Scalar& b, Arith mode) {
  using namespace scalar_detail;
  switch (op) {
    case HEXPROOF_CASES(Ring):
    case Op::Div:
      if (!a.type.is_float()) return int_arith(op, a, b, mode);
      if (a.type.bits == 64) return {float_scalar(a.type, float_arith(op, a.d(), b.d()))};
      return {float_scalar(a.type, float_arith(op, static_cast<float>(a.d()), static_cast<float>(b.d())))};
    case HEXPROOF_CASES(IntegerDivision):
      return divide(op, a, b);
    case Op::Min:
      return {compare(a, b) == -1 ? a : b};
    case Op::Max:
      return {compare(a, b) == 1 ? a : b};
    case Op::EQ:
      return {bool_scalar(compare(a, b) == 0)};
    case Op::NE:
      return {bool_scalar(compare(a, b) != 0)};
    case Op::LT:
      return {bool_scalar(compare(a, b) == -1)};
    case Op::LE:
      return {bool_scalar(compare(a, b) <= 0)};
    case Op::GT:
      return {bool_scalar(compare(a, b) == 1)};
    case Op::GE:
      return {bool_scalar(compare(a, b) == 0 || compare(a, b) == 1)};
    case Op::And:
      return {bool_scalar(a.truth() && b.truth())};
    case Op::Or:
      return {bool_scalar(a.truth() || b.truth())};
    case Op::BitAnd:
      return {{a.type, a.bits & b.bits}};
    case Op::BitOr:
      return {{a.type, a.bits | b.bits}};
    case Op::BitXor:
      return {{a.type, a.bits ^ b.bits}};
    case HEXPROOF_CASES(Shift):
      return shift(op, a, b, mode);
    case HEXPROOF_CASES(Leaf):
    case Op::Not:
    case Op::BitNot:
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  internal_error(__FILE__, __LINE__, std::string(info(op).name) + " is not binary");
}

/// Not and BitNot.
inline Scalar apply_unary(Op op, const Scalar& a) {
  if (op == Op::Not) return bool_scalar(!a.truth());
  HEXPROOF_CHECK(op == Op::BitNot, std::string(info(op).name) + " is not unary");
  return {a.type, wrap_bits(a.type, ~a.bits)};
}

/// Conversion to the scalar type `to`. Every integer rounds once to a float type.
inline ScalarResult apply_cast(DType to, const Scalar& a) {
  const DType from = a.type;
  if (to.is_bool()) return {bool_scalar(from.is_float() ? a.d() != 0 : a.bits != 0)};
  if (from.is_float() && to.is_float()) return {float_scalar(to, a.d())};
  if (from.is_float()) {
    if (a.d() != a.d()) return {{}, ScalarError::CastNan};
    double value = std::trunc(a.d());
    double end = std::ldexp(1.0, to.is_int() ? to.bits - 1 : to.bits);  // one past the largest
    if (value >= end || value < (to.is_int() ? -end : 0.0)) return {{}, ScalarError::CastRange};
    return {{to, to.is_int() ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value)}};
  }
  if (!to.is_float()) return {{to, wrap_bits(to, a.bits)}};
  if (to.bits == 32) {
    float value = from.is_int() ? static_cast<float>(a.i()) : static_cast<float>(a.bits);
    return {float_scalar(to, value)};
  }
  if (to.bits < 32) return {float_scalar(to, double_for_rounding(wide_value(a)))};
  return {float_scalar(to, from.is_int() ? static_cast<double>(a.i()) : static_cast<double>(a.bits))};
}

/// `base + lane * stride`, the lane of a Ramp.
inline ScalarResult ramp_lane(const Scalar& base, const Scalar& stride, int lane, Arith mode) {
  Wide value = wide_value(base) + wide_value(stride) * lane;
  if (mode == Arith::Index && !fits_type(base.type, value)) return {{}, ScalarError::Overflow};
  return {int_scalar(base.type, value)};
}

/// Some value of `type`, a function of `choice`: small, large and arbitrary ones.
inline Scalar arbitrary_scalar(DType type, uint64_t choice) {
  uint64_t x = choice + 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  x ^= x >> 31;
  if (type.is_bool()) return bool_scalar(x & 1);
  bool small = x >> 63;
  if (!type.is_float()) return {type, wrap_bits(type, small ? (x & 15) - 4 : x)};
  if (small) return float_scalar(type, double(x & 15) - 4);
  uint8_t bytes[8];
  std::memcpy(bytes, &x, 8);
  return load_scalar(type, bytes);
}

}  // namespace hexproof
