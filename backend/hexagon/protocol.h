// What a Hexagon program writes to its standard output: the counters, then the block of scalars and buffers.
#pragma once

namespace hexproof::hexagon {

/// Packets, instructions, HVX instructions before the kernel, and the three after it; 32 bits each.
inline constexpr int kCounterWords = 6;

}  // namespace hexproof::hexagon
