// Float formats: from and to the bits of any of them, in software where the host has none, so that every host agrees.
#pragma once
#include <cmath>
#include <cstdint>

#include "ir/dtype.h"

namespace hexproof {

/// {exponent, significand} in bits, as SMT-LIB counts them: the significand with its leading bit.
struct FloatFormat {
  int exponent = 0, significand = 0;

  constexpr int stored() const { return significand - 1; }  // bits of the significand in memory
  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
  /// Is every number of the other format one of this?
  constexpr bool holds_all_of(const FloatFormat& other) const {
    return exponent >= other.exponent && significand >= other.significand;
  }
  constexpr uint64_t infinity() const { return ((uint64_t{1} << exponent) - 1) << stored(); }
  constexpr uint64_t nan() const { return infinity() | uint64_t{1} << (stored() - 1); }  // the canonical one
  constexpr uint64_t sign() const { return uint64_t{1} << (exponent + stored()); }
};
/// The format of a float type, whatever its lanes.
FloatFormat float_format(DType type);

/// The largest finite value, and the least positive one.
double largest_float(DType type);
double least_float(DType type);

/// `value` rounded once to the type, to nearest even; overflow gives infinity, a NaN the canonical one.
double round_float(DType type, double value);
/// The same as bits of the type, and back (exact).
uint64_t float_to_raw(DType type, double value);
double raw_to_float(DType type, uint64_t raw);

/// The two for float16.
inline uint16_t double_to_half(double value) { return static_cast<uint16_t>(float_to_raw(kFloat16, value)); }
inline double half_to_double(uint16_t raw) { return raw_to_float(kFloat16, raw); }

/// A double that rounds to each narrower format as `value` itself does (by rounding to odd): an integer of 64 bits that
/// is no double is not rounded twice.
inline double double_for_rounding(Wide value) {
  constexpr Wide kExact = Wide{1} << 53;
  if (-kExact <= value && value <= kExact) return static_cast<double>(value);
  Wide low = value & 0x7ff;
  return static_cast<double>((value - low) | (low != 0 ? 0x800 : 0));
}

}  // namespace hexproof
