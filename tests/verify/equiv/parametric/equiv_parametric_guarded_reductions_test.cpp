// Loops that go over one cell again and again.
#include "tests/verify/equiv/parametric/equiv_parametric.h"

namespace hexproof {
namespace equiv_parametric_guarded_reductions_test {

using EquivParametricGuardedReductionsTest = EquivParametricTest;

TEST_F(EquivParametricGuardedReductionsTest, Softmaxish) {
  proved(R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64, 128), "float32")):
    mx = T.alloc_buffer((64,), "float32")
    s = T.alloc_buffer((64,), "float32")
    for i, k in T.grid(64, 128):
        with T.block("mx"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                mx[vi] = T.float32(-1000000.0)
            mx[vi] = T.max(mx[vi], A[vi, vk])
    for i, k in T.grid(64, 128):
        with T.block("s"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                s[vi] = T.float32(0)
            s[vi] = s[vi] + T.exp(A[vi, vk] - mx[vi])
    for i, k in T.grid(64, 128):
        B[i, k] = T.exp(A[i, k] - mx[i]) / s[i]
)",
         R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64, 128), "float32")):
    for i in T.parallel(64):
        mx = T.alloc_buffer((1,), "float32")
        s = T.alloc_buffer((1,), "float32")
        e = T.alloc_buffer((128,), "float32")
        mx[0] = T.float32(-1000000.0)
        for ko, ki in T.grid(32, 4):
            mx[0] = T.max(mx[0], A[i, ko * 4 + ki])
        for k in range(128):
            e[k] = T.exp(A[i, k] - mx[0])
        s[0] = T.float32(0)
        for k in range(128):
            s[0] = s[0] + e[k]
        for k in range(128):
            B[i, k] = e[k] / s[0]
)");
}

const std::string kPadConvBefore = R"(
def f(A: T.Buffer((64,), "float32"), W: T.Buffer((3,), "float32"), B: T.Buffer((64,), "float32")):
    p = T.alloc_buffer((66,), "float32")
    for i in range(66):
        p[i] = T.if_then_else(1 <= i and i < 65, A[i - 1], T.float32(0))
    for i in range(64):
        B[i] = T.float32(0)
        for r in range(3):
            B[i] = B[i] + p[i + r] * W[r]
)";

const std::string kPadConvBefore2 = R"(
def f(A: T.Buffer((64,), "float32"), W: T.Buffer((3,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for r in range(3):
            B[i] = B[i] + T.if_then_else(1 <= i + r and i + r <= 64, A[i + r - 1], T.float32(0)) * W[r]
)";

TEST_F(EquivParametricGuardedReductionsTest, PadConv) { proved(kPadConvBefore, kPadConvBefore2); }

TEST_F(EquivParametricGuardedReductionsTest, PadConvIsWrong) {
  wrong(kPadConvBefore,
        with(kPadConvBefore2,
             "B[i] = B[i] + T.if_then_else(1 <= i + r and i + r <= 64, A[i + r - 1], T.float32(0)) * W[r]",
             "B[i] = B[i] + T.if_then_else(1 <= i + r and i + r < 64, A[i + r - 1], T.float32(0)) * W[r]"));
}

const std::string kCsrBefore = R"(
def f(P: T.Buffer((17,), "int32"), A: T.Buffer((256,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(0)
        for k in range(256):
            if P[i] <= k and k < P[i + 1]:
                B[i] = B[i] + A[k]
)";

const std::string kCsrAfter = R"(
def f(P: T.Buffer((17,), "int32"), A: T.Buffer((256,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(0)
        for ko, ki in T.grid(64, 4):
            if P[i] <= ko * 4 + ki and ko * 4 + ki < P[i + 1]:
                B[i] = B[i] + A[ko * 4 + ki]
)";

TEST_F(EquivParametricGuardedReductionsTest, Csr) { proved(kCsrBefore, kCsrAfter); }

TEST_F(EquivParametricGuardedReductionsTest, CsrIsWrong) {
  wrong(kCsrBefore, with(kCsrAfter, "if P[i] <= ko * 4 + ki and ko * 4 + ki < P[i + 1]:",
                         "if P[i] <= ko * 4 + ki and ko * 4 + ki <= P[i + 1]:"));
}

TEST_F(EquivParametricGuardedReductionsTest, GuardReduce) {
  proved(R"(
def f(A: T.Buffer((64, 100), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(100):
            B[i] = B[i] + A[i, k]
)",
         R"(
def f(A: T.Buffer((64, 100), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        for ko, ki in T.grid(7, 16):
            with T.block("B"):
                vi = T.axis.spatial(64, i)
                vk = T.axis.reduce(100, ko * 16 + ki)
                T.where(ko * 16 + ki < 100)
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
)");
}

const std::string kFusedReduceBefore = R"(
def f(A: T.Buffer((64, 8, 16), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k, l in T.grid(8, 16):
            B[i] = B[i] + A[i, k, l]
)";

const std::string kFusedReduceAfter = R"(
def f(A: T.Buffer((64, 8, 16), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
    for i, kl in T.grid(64, 128):
        B[i] = B[i] + A[i, kl // 16, kl % 16]
)";

TEST_F(EquivParametricGuardedReductionsTest, FusedReduce) { proved(kFusedReduceBefore, kFusedReduceAfter); }

TEST_F(EquivParametricGuardedReductionsTest, SwappedReduceIsOpen) {
  open(kFusedReduceBefore,
       with(kFusedReduceAfter, "B[i] = B[i] + A[i, kl // 16, kl % 16]", "B[i] = B[i] + A[i, kl % 8, kl // 8]"));
}

TEST_F(EquivParametricGuardedReductionsTest, TriangularSum) {
  proved(R"(
def f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for j in range(i):
            B[i] = B[i] + A[j, i]
)",
         R"(
def f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for j in range(64):
            if j < i:
                B[i] = B[i] + A[j, i]
)");
}

TEST_F(EquivParametricGuardedReductionsTest, Conv3x3) {
  proved(R"(
def f(A: T.Buffer((66, 66, 16), "int8"), W: T.Buffer((3, 3, 16, 32), "int8"), B: T.Buffer((64, 64, 32), "int32")):
    for h, w, k, rh, rw, c in T.grid(64, 64, 32, 3, 3, 16):
        with T.block("B"):
            vh, vw, vk, vrh, vrw, vc = T.axis.remap("SSSRRR", [h, w, k, rh, rw, c])
            with T.init():
                B[vh, vw, vk] = 0
            B[vh, vw, vk] = B[vh, vw, vk] + T.cast(A[vh + vrh, vw + vrw, vc], "int32") * T.cast(W[vrh, vrw, vc, vk], "int32")
)",
         R"(
def f(A: T.Buffer((66, 66, 16), "int8"), W: T.Buffer((3, 3, 16, 32), "int8"), B: T.Buffer((64, 64, 32), "int32")):
    for ho, wo in T.grid(8, 8):
        cache = T.alloc_buffer((10, 10, 16), "int8")
        out = T.alloc_buffer((8, 8, 32), "int32")
        for h, w, c in T.grid(10, 10, 16):
            cache[h, w, c] = A[ho * 8 + h, wo * 8 + w, c]
        for h, w, k in T.grid(8, 8, 32):
            out[h, w, k] = 0
        for co, rw, rh, h, w, k, ci in T.grid(4, 3, 3, 8, 8, 32, 4):
            out[h, w, k] = out[h, w, k] + T.cast(cache[h + rh, w + rw, co * 4 + ci], "int32") * T.cast(W[rh, rw, co * 4 + ci, k], "int32")
        for h, w, k in T.grid(8, 8, 32):
            B[ho * 8 + h, wo * 8 + w, k] = out[h, w, k]
)");
}

}  // namespace equiv_parametric_guarded_reductions_test
}  // namespace hexproof
