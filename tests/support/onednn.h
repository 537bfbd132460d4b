// Host kernels beside oneDNN's convolutions, as far as this machine can have it: one thread, the same data and layouts
// of the activations; weights packed before the clock runs, by each as it likes.
#pragma once
#include <optional>
#include <string>

#include "tests/support/conv2d_int8.h"

namespace hexproof::testing {

/// The kernel that `certify` left in a folder.
struct HostKernel {
  std::string object, symbol;
  ConvShape shape;  // without padding and dilation
  bool bytes;       // uint8 data, int8 weights, int32 sums; else float32
};

/// Billions of multiply-adds a second, each the best of many runs that take turns.
struct Rates {
  double ours = 0, theirs = 0;
};

class OneDnn {
 public:
  /// Fetches the library into the folder; nothing where that cannot be.
  static std::optional<OneDnn> fetched(const std::string& folder);
  /// `isa` bounds the instructions that oneDNN takes (its DNNL_MAX_CPU_ISA).
  Rates race(const HostKernel& kernel, const std::string& isa, int rounds) const;

 private:
  std::string folder_, usr_;
};

}  // namespace hexproof::testing
