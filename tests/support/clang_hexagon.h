// The same convolutions as plain C, compiled for Hexagon by clang -O3, as far as this machine has one that can.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "backend/kernel.h"

namespace hexproof::testing {

/// A clang that knows the target Hexagon; nothing where there is none.
std::optional<std::string> clang_for_hexagon();

/// A convolution of bytes of 128 channels to 128 channels, 16x16 pixels, `size` x `size`, stride 1, no padding, as C.
/// Forms with packed weights are compiled with -fvectorize, which is for HVX.
struct CForm {
  std::string name, text;
  bool packed;  // weights are [h][w][input channel][output channel], else OIHW
};
std::vector<CForm> conv_forms(int size);

/// The C function `conv` as a kernel of the naive program `func`. An Error with what clang said where it fails.
Kernel clang_kernel(const std::string& clang, const CForm& form, const PrimFunc& func);

}  // namespace hexproof::testing
