#include "ir/float16.h"

#include <bit>
#include <cmath>
#include <limits>

namespace hexproof {

uint16_t double_to_half(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  double magnitude = std::fabs(value);
  if (magnitude >= 65520.0) return sign | 0x7c00;  // half way between the largest half and 2^16
  // A half is m * 2^e with m < 2^11 and e >= -24; scaling by a power of two is exact in double, and
  // nearbyint rounds to nearest even.
  int exponent = magnitude == 0 ? -24 : std::max(std::ilogb(magnitude) - 10, -24);
  auto mantissa = static_cast<uint32_t>(std::nearbyint(std::scalbn(magnitude, -exponent)));
  // In binary16 the field for m * 2^e is m + (e + 24) * 2^10, also when m rounds up to 2^11.
  return sign | static_cast<uint16_t>(mantissa + (static_cast<uint32_t>(exponent + 24) << 10));
}

double half_to_double(uint16_t bits) {
  int exponent = (bits >> 10) & 0x1f;
  int mantissa = bits & 0x3ff;
  double magnitude =
      exponent == 0    ? std::scalbn(mantissa, -24)
      : exponent == 31 ? (mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity())
                       : std::scalbn(mantissa + 1024, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

}  // namespace hexproof
