#include "ir/interpreter/inputs/random_values.h"

#include "ir/float_format.h"

namespace hexproof {

uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

namespace {

uint64_t edge_integer(DType type, uint64_t random) {
  uint64_t mask = type.bits == 64 ? ~0ull : (1ull << type.bits) - 1;
  uint64_t power = 1ull << (random / 16 % type.bits);
  switch (random % 8) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return mask;  // -1, or the greatest unsigned
    case 3:
      return 1ull << (type.bits - 1);  // the least signed
    case 4:
      return (1ull << (type.bits - 1)) - 1;  // the greatest signed
    case 5:
      return power;
    case 6:
      return (power - 1) & mask;
    default:
      return (power + 1) & mask;
  }
}

uint64_t edge_float(DType type, uint64_t random) {
  int mantissa = float_format(type).stored();
  uint64_t sign = (random / 16 % 2) << (type.bits - 1);
  uint64_t exponents = (1ull << (type.bits - 1 - mantissa)) - 1;
  uint64_t one = exponents / 2 << mantissa;
  switch (random % 8) {
    case 0:
      return sign;  // a zero of either sign
    case 1:
      return sign | one;  // 1, -1
    case 2:
      return sign | exponents << mantissa;  // an infinity
    case 3:
      return exponents << mantissa | 1ull << (mantissa - 1);  // NaN
    case 4:
      return sign | 1;  // the least subnormal
    case 5:
      return sign | ((exponents << mantissa) - 1);  // the greatest finite
    case 6:
      return sign | 1ull << mantissa;  // the least normal
    default:
      return sign | (one + 1);
  }
}

/// A float whose sums and products round but rarely overflow: a random mantissa, an exponent near that of 1.
uint64_t ordinary_float(DType type, uint64_t random) {
  int mantissa = float_format(type).stored();
  uint64_t bias = (1ull << (type.bits - 2 - mantissa)) - 1;
  uint64_t exponent = bias - 3 + random % 7;
  uint64_t sign = (random >> 60 & 1) << (type.bits - 1);
  return sign | exponent << mantissa | ((random >> 4) & ((1ull << mantissa) - 1));
}

}  // namespace

uint64_t random_value(DType type, uint64_t random) {
  uint64_t kind = random & 1;
  random >>= 1;
  if (type.is_bool()) return random & 1;
  if (type.is_float()) return kind ? edge_float(type, random) : ordinary_float(type, random);
  uint64_t mask = type.bits == 64 ? ~0ull : (1ull << type.bits) - 1;
  return kind ? edge_integer(type, random) : random & mask;
}

}  // namespace hexproof
