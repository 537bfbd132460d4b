// Arithmetic on mathematical integers of at most 128 bits.
#pragma once

namespace hexproof {

using Wide = __int128;

/// floor(a / b) and a - b * floor(a / b); b is not zero.
constexpr Wide floor_div(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
constexpr Wide floor_mod(Wide a, Wide b) { return a - b * floor_div(a, b); }

}  // namespace hexproof
