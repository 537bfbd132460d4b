// Convolutions of bytes of any shape, as text: the naive program, and the schedule that its tile wants.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace hexproof::testing {

struct ConvShape {
  int64_t n, h, w, c, k, kh, kw, stride = 1, pad = 0, dilation = 1;
  int64_t out_h() const { return (h + 2 * pad - dilation * (kh - 1) - 1) / stride + 1; }
  int64_t out_w() const { return (w + 2 * pad - dilation * (kw - 1) - 1) / stride + 1; }
  /// Multiply-adds of the naive program.
  double macs() const {
    return static_cast<double>(n * out_h() * out_w()) * static_cast<double>(c * k) * static_cast<double>(kh * kw);
  }
  std::string text() const;  // "1x56x56x64->64 3x3 s1 p1"
};

/// "N,H,W,C,K,KH,KW,stride,pad", and a dilation, if any; nothing where it is no convolution.
std::optional<ConvShape> conv_shape(const std::string& text);

/// Data NHWC, weights OIHW, both uint8, sums int32.
std::string conv_program(const ConvShape& shape);

/// `tile` pixels of a row by `blocks` times 32 channels in registers. The tile divides the row, `blocks` the channels
/// in blocks of 32. Output channels (32 at least) that 32 does not divide and input channels (4 at least) that 4 does
/// not divide are padded, and the padding computed with the others.
struct ConvTile {
  int64_t tile, blocks;
};
ConvTile conv_tile(const ConvShape& shape);
std::string conv_schedule(const ConvShape& shape, const ConvTile& tile);

/// A shape of moderate size: all of channels that fill vectors and others, strides, padding, dilation, 1x1 to 5x5.
ConvShape random_conv_shape(uint64_t* seed);

/// Channels are multiples of 32, at least 64, a row of the output is a multiple of 7 or 8 pixels, and there is no
/// padding around a 1x1: its copy is as much work as the products.
bool fast_without_tuning(const ConvShape& shape);

/// What such a shape reaches without tuning, in multiply-adds per packet.
inline constexpr double kUntunedBar = 150;

}  // namespace hexproof::testing
