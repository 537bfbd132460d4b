// Random values of every type, with those that break things among them.
#pragma once
#include <cstdint>

#include "ir/dtype.h"

namespace hexproof {

/// One edge-heavy value of a scalar type, as its bits: half of them from the edges (0, 1, -1, least, greatest, powers
/// of two and neighbours; infinities, NaN, -0.0, subnormals), half ordinary. An even `random` gives an ordinary one.
uint64_t random_value(DType type, uint64_t random);
/// The next number of a stream (splitmix64).
uint64_t next_random(uint64_t& state);

}  // namespace hexproof
