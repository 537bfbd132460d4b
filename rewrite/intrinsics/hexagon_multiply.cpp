// Products of bytes lane by lane, added to sums of 32 bits: what a convolution takes that keeps each channel to itself.
//
// HVX widens by pulling even and odd elements apart, twice from 8 to 32 bits. So the sums of 128 lanes stand by the
// remainder of the lane by 4, a vector of 32 for each, and are interleaved once they are complete.
#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof {
namespace {

using Call = Intrinsic::Call;

constexpr const char* kLow = "llvm.hexagon.V6.lo.128B";
constexpr const char* kHigh = "llvm.hexagon.V6.hi.128B";
constexpr const char* kCombine = "llvm.hexagon.V6.vcombine.128B";  // the high vector first
constexpr const char* kInterleave = "llvm.hexagon.V6.vshuffvdd.128B";
constexpr Intrinsic::Constant kZero{0}, kByWords{-4};

}  // namespace

extern const std::vector<Intrinsic> k_hexagon_multiply = {
    {"multiply_add_4x32_u8u8i32",
     R"(
def description(acc: T.Buffer((4, 32), "int32"), a: T.Buffer((128,), "uint8"), b: T.Buffer((128,), "uint8")):
    for i, k in T.grid(4, 32):
        acc[i, k] = acc[i, k] + T.Cast("int32", a[k * 4 + i]) * T.Cast("int32", b[k * 4 + i])
)",
     {{.target = "hexagon",
       .calls = {{"llvm.hexagon.V6.vmpyubv.128B", {"a", "b"}, "products"},
                 {kLow, {"products"}, "even"},
                 {kHigh, {"products"}, "odd"},
                 {kCombine, {{"acc", 256}, "acc"}, "acc_even"},
                 {kCombine, {{"acc", 384}, {"acc", 128}}, "acc_odd"},
                 {"llvm.hexagon.V6.vadduhw.acc.128B", {"acc_even", "even", kZero}, "even_sums"},
                 {"llvm.hexagon.V6.vadduhw.acc.128B", {"acc_odd", "odd", kZero}, "odd_sums"},
                 {kLow, {"even_sums"}, "sums_0"},
                 {kLow, {"odd_sums"}, "sums_1"},
                 {kHigh, {"even_sums"}, "sums_2"},
                 {kHigh, {"odd_sums"}, "sums_3"}},
       .results = {"sums_0", "sums_1", "sums_2", "sums_3"}}}},
    {"interleave_4x32_i32",
     R"(
def description(y: T.Buffer((128,), "int32"), x: T.Buffer((4, 32), "int32")):
    for i, k in T.grid(4, 32):
        y[k * 4 + i] = x[i, k]
)",
     {{.target = "hexagon",
       .calls = {{kInterleave, {{"x", 256}, "x", kByWords}, "even"},
                 {kInterleave, {{"x", 384}, {"x", 128}, kByWords}, "odd"},
                 {kLow, {"even"}, "even_first"},
                 {kHigh, {"even"}, "even_last"},
                 {kLow, {"odd"}, "odd_first"},
                 {kHigh, {"odd"}, "odd_last"},
                 {kInterleave, {"odd_first", "even_first", kByWords}, "first"},
                 {kInterleave, {"odd_last", "even_last", kByWords}, "last"},
                 {kLow, {"first"}, "y_0"},
                 {kHigh, {"first"}, "y_1"},
                 {kLow, {"last"}, "y_2"},
                 {kHigh, {"last"}, "y_3"}},
       .results = {"y_0", "y_1", "y_2", "y_3"}}}},
};

}  // namespace hexproof
