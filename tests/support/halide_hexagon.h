// The same convolutions by Halide 14, its schedule tuned over tiles, for Hexagon.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "backend/hexagon.h"
#include "backend/kernel.h"
#include "tests/support/conv2d_int8.h"

namespace hexproof::testing {

/// `tile` pixels of a row by `blocks` times 32 channels of sums, the reduction written out `unroll` times four
/// channels.
struct HalideTile {
  int tile, blocks, unroll;
  std::string text() const;  // "8x2, 8 times"
};

class Halide {
 public:
  /// Fetches Halide into the folder and builds its generator with `clang`, which knows Hexagon; nothing where that
  /// cannot be.
  static std::optional<Halide> fetched(const std::string& folder, const std::string& clang);
  /// The convolution of 128 to 128 channels, stride 1, without padding, data NHWC, weights packed as
  /// [o // 32][h][w][i // 4][o % 32][i % 4], both uint8, sums int32: as a kernel of the naive program `func`.
  Kernel kernel(const ConvShape& shape, const HalideTile& tile, const PrimFunc& func) const;
  static const std::vector<HalideTile>& tiles();

 private:
  std::string folder_, libraries_, clang_;
};

}  // namespace hexproof::testing
