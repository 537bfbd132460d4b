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

/// `tile` pixels of a row by `blocks` times 32 channels in registers. The tile divides the row; input channels are a
/// multiple of 4, output channels of 32.
struct ConvTile {
  int64_t tile, blocks;
};
ConvTile conv_tile(const ConvShape& shape);
std::string conv_schedule(const ConvShape& shape, const ConvTile& tile);

}  // namespace hexproof::testing
