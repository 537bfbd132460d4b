// Products of bytes, summed by fours into 32 lanes of 32 bits: HVX's vrmpy. Sums wrap, as the lanes do.
//
// Names are TVM's where it has one. `a` are four bytes that every lane takes, or (_vv) four bytes for each lane.
#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof {
namespace {

Intrinsic hexagon(const char* name, const char* description, const char* llvm,
                  std::vector<Intrinsic::Argument> arguments) {
  return {name, description, {{"hexagon", {{llvm, std::move(arguments)}}}}};
}

}  // namespace

extern const std::vector<Intrinsic> k_hexagon_vrmpy = {
    hexagon("dot_32x4_u8u8i32_vrmpy", R"(
def description(acc: T.Buffer((32,), "int32"), a: T.Buffer((4,), "uint8"), b: T.Buffer((32, 4), "uint8")):
    for i, k in T.grid(32, 4):
        acc[i] = acc[i] + T.Cast("int32", a[k]) * T.Cast("int32", b[i, k])
)",
            "llvm.hexagon.V6.vrmpyub.acc.128B", {"acc", "b", "a"}),
    hexagon("dot_32x4_i8u8i32_vrmpy", R"(
def description(acc: T.Buffer((32,), "int32"), a: T.Buffer((4,), "int8"), b: T.Buffer((32, 4), "uint8")):
    for i, k in T.grid(32, 4):
        acc[i] = acc[i] + T.Cast("int32", a[k]) * T.Cast("int32", b[i, k])
)",
            "llvm.hexagon.V6.vrmpybus.acc.128B", {"acc", "b", "a"}),
    hexagon("dot_32x4_u8i8i32_vrmpy", R"(
def description(acc: T.Buffer((32,), "int32"), a: T.Buffer((4,), "uint8"), b: T.Buffer((32, 4), "int8")):
    for i, k in T.grid(32, 4):
        acc[i] = acc[i] + T.Cast("int32", a[k]) * T.Cast("int32", b[i, k])
)",
            "llvm.hexagon.V6.vrmpybusv.acc.128B", {"acc", "a", "b"}),
    hexagon("dot_32x4_u8u8i32_vrmpy_vv", R"(
def description(acc: T.Buffer((32,), "int32"), a: T.Buffer((32, 4), "uint8"), b: T.Buffer((32, 4), "uint8")):
    for i, k in T.grid(32, 4):
        acc[i] = acc[i] + T.Cast("int32", a[i, k]) * T.Cast("int32", b[i, k])
)",
            "llvm.hexagon.V6.vrmpyubv.acc.128B", {"acc", "a", "b"}),
    hexagon("dot_32x4_u8i8i32_vrmpy_vv", R"(
def description(acc: T.Buffer((32,), "int32"), a: T.Buffer((32, 4), "uint8"), b: T.Buffer((32, 4), "int8")):
    for i, k in T.grid(32, 4):
        acc[i] = acc[i] + T.Cast("int32", a[i, k]) * T.Cast("int32", b[i, k])
)",
            "llvm.hexagon.V6.vrmpybusv.acc.128B", {"acc", "a", "b"}),
    hexagon("dot_32x4_i8i8i32_vrmpy_vv", R"(
def description(acc: T.Buffer((32,), "int32"), a: T.Buffer((32, 4), "int8"), b: T.Buffer((32, 4), "int8")):
    for i, k in T.grid(32, 4):
        acc[i] = acc[i] + T.Cast("int32", a[i, k]) * T.Cast("int32", b[i, k])
)",
            "llvm.hexagon.V6.vrmpybv.acc.128B", {"acc", "a", "b"}),
    // Sums of bytes: products with four ones.
    hexagon("sum_32x4_u8i32_vrmpy", R"(
def description(acc: T.Buffer((32,), "int32"), a: T.Buffer((32, 4), "uint8")):
    for i, k in T.grid(32, 4):
        acc[i] = acc[i] + T.Cast("int32", a[i, k])
)",
            "llvm.hexagon.V6.vrmpyub.acc.128B", {"acc", "a", Intrinsic::Constant{0x01010101}}),
};

}  // namespace hexproof
