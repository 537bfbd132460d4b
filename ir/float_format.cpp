#include "ir/float_format.h"

#include <bit>
#include <limits>

#include "ir/base/diagnostic.h"

namespace hexproof {

FloatFormat float_format(DType type) {
#define DTYPE(constant, name, class_, bits_, exponent_, significand_) \
  if (type.code == TypeCode::class_ && type.bits == bits_ && significand_ != 0) return {exponent_, significand_};
#include "ir/dtypes.def"
#undef DTYPE
  throw InternalError("the float format of " + type.str());
}

namespace {

uint64_t narrow(FloatFormat f, double value) {
  uint64_t sign = std::signbit(value) ? f.sign() : 0;
  if (std::isnan(value)) return f.nan();
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return sign | f.infinity();
  // A value is m * 2^e with m < 2^significand and e >= least; scaling by a power of two is exact in double, and
  // nearbyint rounds to nearest even.
  const int least = 1 - f.bias() - f.stored();
  int exponent = magnitude == 0 ? least : std::max(std::ilogb(magnitude) - f.stored(), least);
  if (exponent > f.bias() - f.stored()) return sign | f.infinity();
  auto mantissa = static_cast<uint64_t>(std::nearbyint(std::scalbn(magnitude, -exponent)));
  // The field for m * 2^e is m + (e - least) * 2^stored, also when m rounds up to 2^significand; past the largest it is
  // infinity's.
  return sign | (mantissa + (static_cast<uint64_t>(exponent - least) << f.stored()));
}

double widen(FloatFormat f, uint64_t raw) {
  auto exponent = static_cast<int>((raw & f.infinity()) >> f.stored());
  auto mantissa = static_cast<double>(raw & ((uint64_t{1} << f.stored()) - 1));
  const int least = 1 - f.bias() - f.stored();
  double magnitude = 0;
  if (exponent == 0) {
    magnitude = std::scalbn(mantissa, least);
  } else if (exponent == (1 << f.exponent) - 1) {
    magnitude = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else {
    magnitude = std::scalbn(mantissa + std::scalbn(1.0, f.stored()), exponent - 1 + least);
  }
  return raw & f.sign() ? -magnitude : magnitude;
}

}  // namespace

double largest_float(DType type) {
  FloatFormat f = float_format(type);
  return std::scalbn(2 - std::scalbn(1.0, -f.stored()), f.bias());
}

double least_float(DType type) {
  FloatFormat f = float_format(type);
  return std::scalbn(1.0, 1 - f.bias() - f.stored());
}

uint64_t float_to_raw(DType type, double value) {
  FloatFormat f = float_format(type);
  if (std::isnan(value)) return f.nan();
  if (f.significand == 53) return std::bit_cast<uint64_t>(value);
  if (f.significand == 24) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return narrow(f, value);
}

double raw_to_float(DType type, uint64_t raw) {
  FloatFormat f = float_format(type);
  if (f.significand == 53) return std::bit_cast<double>(raw);
  if (f.significand == 24) return std::bit_cast<float>(static_cast<uint32_t>(raw));
  return widen(f, raw);
}

double round_float(DType type, double value) {
  if (type.bits == 64) return value;
  if (type.bits == 32) return static_cast<float>(value);
  return widen(float_format(type), narrow(float_format(type), value));
}

}  // namespace hexproof
