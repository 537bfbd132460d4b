// The same convolutions as plain C, compiled for Hexagon by clang -O3, as far as this machine has one that can.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "backend/kernel.h"

namespace hexproof::testing {

/// A clang that knows the target Hexagon; nothing where there is none.
std::optional<std::string> clang_for_hexagon();

/// A convolution of bytes as C, int32 sums, stride 1, no padding. All forms but the plain one are compiled with
/// -fvectorize, which is for HVX.
struct CForm {
  std::string name, text;
  bool plain = false;   // the loops of the naive program
  bool packed = false;  // weights are [h][w][input channel][output channel], else as the program has them
};
/// 128 channels to 128 channels, 16x16 pixels, `size` x `size`, weights OIHW.
std::vector<CForm> conv_forms(int size);
/// The depthwise convolution of examples/depthwise_int8.
std::vector<CForm> depthwise_forms();

/// The C function `conv` of the form as a kernel of the naive program `func`. An Error with what clang said where it
/// fails.
Kernel clang_kernel(const std::string& clang, const CForm& form, const PrimFunc& func);

}  // namespace hexproof::testing
