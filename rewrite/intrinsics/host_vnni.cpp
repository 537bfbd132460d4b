// Products of bytes, summed by fours into 16 lanes of 32 bits, on x86-64 with AVX-512 VNNI: the twins of Hexagon's
// vrmpy. Sums wrap, as the lanes do.
//
// vpdpbusd takes unsigned bytes first and signed bytes second. There is none for two unsigned ones: the bytes at even
// and at odd places become 16 bits each, and vpdpwssd sums the products of both; 2 * 255 * 255 fits.
#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof {
namespace {

using Call = Intrinsic::Call;

Intrinsic host(const char* name, const char* description, std::vector<Call> calls) {
  return {name, description, {{"host", std::move(calls), "avx512vnni"}}};
}

std::vector<Call> signed_second(const char* of_unsigned, const char* of_signed) {
  return {{"llvm.x86.avx512.vpdpbusd.512", {"acc", of_unsigned, of_signed}}};
}

std::vector<Call> both_unsigned() {
  const Intrinsic::Constant byte{8};
  return {{"llvm.x86.avx512.pslli.w.512", {"a", byte}, "a_up"},
          {"llvm.x86.avx512.psrli.w.512", {"a_up", byte}, "a_even"},
          {"llvm.x86.avx512.psrli.w.512", {"a", byte}, "a_odd"},
          {"llvm.x86.avx512.pslli.w.512", {"b", byte}, "b_up"},
          {"llvm.x86.avx512.psrli.w.512", {"b_up", byte}, "b_even"},
          {"llvm.x86.avx512.psrli.w.512", {"b", byte}, "b_odd"},
          {"llvm.x86.avx512.vpdpwssd.512", {"acc", "a_even", "b_even"}, "even"},
          {"llvm.x86.avx512.vpdpwssd.512", {"even", "a_odd", "b_odd"}}};
}

}  // namespace

extern const std::vector<Intrinsic> k_host_vnni = {
    // TVM's name.
    host("dot_16x4_vnni", R"(
def description(acc: T.Buffer((16,), "int32"), a: T.Buffer((4,), "uint8"), b: T.Buffer((16, 4), "int8")):
    for i, k in T.grid(16, 4):
        acc[i] = acc[i] + T.Cast("int32", a[k]) * T.Cast("int32", b[i, k])
)",
         signed_second("a", "b")),
    host("dot_16x4_i8u8i32_vnni", R"(
def description(acc: T.Buffer((16,), "int32"), a: T.Buffer((4,), "int8"), b: T.Buffer((16, 4), "uint8")):
    for i, k in T.grid(16, 4):
        acc[i] = acc[i] + T.Cast("int32", a[k]) * T.Cast("int32", b[i, k])
)",
         signed_second("b", "a")),
    host("dot_16x4_u8u8i32_vnni", R"(
def description(acc: T.Buffer((16,), "int32"), a: T.Buffer((4,), "uint8"), b: T.Buffer((16, 4), "uint8")):
    for i, k in T.grid(16, 4):
        acc[i] = acc[i] + T.Cast("int32", a[k]) * T.Cast("int32", b[i, k])
)",
         both_unsigned()),
    host("dot_16x4_u8i8i32_vnni_vv", R"(
def description(acc: T.Buffer((16,), "int32"), a: T.Buffer((16, 4), "uint8"), b: T.Buffer((16, 4), "int8")):
    for i, k in T.grid(16, 4):
        acc[i] = acc[i] + T.Cast("int32", a[i, k]) * T.Cast("int32", b[i, k])
)",
         signed_second("a", "b")),
    host("dot_16x4_u8u8i32_vnni_vv", R"(
def description(acc: T.Buffer((16,), "int32"), a: T.Buffer((16, 4), "uint8"), b: T.Buffer((16, 4), "uint8")):
    for i, k in T.grid(16, 4):
        acc[i] = acc[i] + T.Cast("int32", a[i, k]) * T.Cast("int32", b[i, k])
)",
         both_unsigned()),
};

}  // namespace hexproof
