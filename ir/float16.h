// float16 (IEEE binary16) to and from wider floats, in software so that every host agrees.
#pragma once
#include <cstdint>

namespace hexproof {

/// Rounds to nearest even, with subnormals; overflow gives infinity, a NaN the canonical NaN 0x7e00.
uint16_t double_to_half(double value);
double half_to_double(uint16_t bits);

}  // namespace hexproof
