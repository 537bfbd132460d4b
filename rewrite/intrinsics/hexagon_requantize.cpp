// Sums of 32 bits to bytes: a product with a fixed-point factor, rounded, and saturation.
#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof {

extern const std::vector<Intrinsic> k_hexagon_requantize = {
    // x * m / 2^31, to the nearest, ties upwards. The product of x and the low half of m, without its low 16 bits,
    // which the rounding does not see; then that of the high half. Only -2^31 * -2^31 does not fit.
    {"q_multiply_32_i32_q31",
     R"(
def description(y: T.Buffer((32,), "int32"), x: T.Buffer((32,), "int32"), m: T.Buffer((32,), "int32")):
    for i in range(32):
        y[i] = T.Cast("int32", T.min((T.Cast("int64", x[i]) * T.Cast("int64", m[i]) + T.int64(1073741824)) >> T.int64(31), T.int64(2147483647)))
)",
     {{"hexagon",
       {{"llvm.hexagon.V6.vmpyewuh.128B", {"x", "m"}, "low"},
        {"llvm.hexagon.V6.vmpyowh.rnd.sacc.128B", {"low", "x", "m"}}},
       "",
       R"(
def q31_by_halves(y: T.Buffer((32,), "int32"), x: T.Buffer((32,), "int32"), m: T.Buffer((32,), "int32")):
    for i in range(32):
        y[i] = T.Cast("int32", T.max(T.min((((T.Cast("int64", x[i]) * (T.Cast("int64", m[i]) & T.int64(65535))) >> T.int64(16)) + T.Cast("int64", x[i]) * (T.Cast("int64", m[i]) >> T.int64(16)) + T.int64(16384)) >> T.int64(15), T.int64(2147483647)), T.int64(-2147483648)))
)"}}},
    // Saturation to int16, and then to uint8, is saturation to uint8.
    {"saturate_128_i32u8",
     R"(
def description(y: T.Buffer((128,), "uint8"), x: T.Buffer((128,), "int32")):
    for i in range(128):
        y[i] = T.Cast("uint8", T.max(T.min(x[i], 255), 0))
)",
     {{"hexagon",
       {{"llvm.hexagon.V6.vpackwh.sat.128B", {{"x", 128}, "x"}, "low"},
        {"llvm.hexagon.V6.vpackwh.sat.128B", {{"x", 384}, {"x", 256}}, "high"},
        {"llvm.hexagon.V6.vpackhub.sat.128B", {"high", "low"}}},
       "",
       R"(
def saturate_twice(y: T.Buffer((128,), "uint8"), x: T.Buffer((128,), "int32")):
    for i in range(128):
        y[i] = T.Cast("uint8", T.max(T.min(T.max(T.min(x[i], 32767), -32768), 255), 0))
)"}}},
};

}  // namespace hexproof
