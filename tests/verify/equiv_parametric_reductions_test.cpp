// Loops that go over one cell again and again.
#include "tests/verify/equiv_parametric.h"

namespace hexproof {
namespace equiv_parametric_reductions_test {

using EquivParametricReductionsTest = EquivParametricTest;

TEST_F(EquivParametricReductionsTest, MatmulTiled) {
  proved(R"(
def f(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j, k in T.grid(128, 128, 128):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)",
         R"(
def f(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j in T.grid(128, 128):
        C[i, j] = T.float32(0)
    for io, jo, ko, ii, ji, ki in T.grid(4, 4, 32, 32, 32, 4):
        C[io * 32 + ii, jo * 32 + ji] = C[io * 32 + ii, jo * 32 + ji] + A[io * 32 + ii, ko * 4 + ki] * B[ko * 4 + ki, jo * 32 + ji]
)");
}

TEST_F(EquivParametricReductionsTest, MatmulKorderIsOpen) {
  open(R"(
def f(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j, k in T.grid(128, 128, 128):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)",
       R"(
def f(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j in T.grid(128, 128):
        C[i, j] = T.float32(0)
    for io, jo, ki, ii, ji, ko in T.grid(4, 4, 4, 32, 32, 32):
        C[io * 32 + ii, jo * 32 + ji] = C[io * 32 + ii, jo * 32 + ji] + A[io * 32 + ii, ko * 4 + ki] * B[ko * 4 + ki, jo * 32 + ji]
)");
}

TEST_F(EquivParametricReductionsTest, MatmulKorderInt) {
  proved(R"(
def f(A: T.Buffer((128, 128), "int32"), B: T.Buffer((128, 128), "int32"), C: T.Buffer((128, 128), "int32")):
    for i, j, k in T.grid(128, 128, 128):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)",
         R"(
def f(A: T.Buffer((128, 128), "int32"), B: T.Buffer((128, 128), "int32"), C: T.Buffer((128, 128), "int32")):
    for i, j in T.grid(128, 128):
        C[i, j] = 0
    for io, jo, ki, ii, ji, ko in T.grid(4, 4, 4, 32, 32, 32):
        C[io * 32 + ii, jo * 32 + ji] = C[io * 32 + ii, jo * 32 + ji] + A[io * 32 + ii, ko * 4 + ki] * B[ko * 4 + ki, jo * 32 + ji]
)");
}

TEST_F(EquivParametricReductionsTest, MmSym) {
  proved(R"(
def f(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "float32")
    B = T.match_buffer(b, (m, n), "float32")
    C = T.match_buffer(c, (n, n), "float32")
    for i, j in T.grid(n, n):
        C[i, j] = T.float32(0)
        for k in range(m):
            C[i, j] = C[i, j] + A[i, k] * B[k, j]
)",
         R"(
def f(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "float32")
    B = T.match_buffer(b, (m, n), "float32")
    C = T.match_buffer(c, (n, n), "float32")
    for i, j in T.grid(n, n):
        C[i, j] = T.float32(0)
    for ko, i, j, ki in T.grid((m - 1) // 4 + 1, n, n, 4):
        if ko * 4 + ki < m:
            C[i, j] = C[i, j] + A[i, ko * 4 + ki] * B[ko * 4 + ki, j]
)");
}

TEST_F(EquivParametricReductionsTest, MmSymIsWrong) {
  wrong(R"(
def f(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "float32")
    B = T.match_buffer(b, (m, n), "float32")
    C = T.match_buffer(c, (n, n), "float32")
    for i, j in T.grid(n, n):
        C[i, j] = T.float32(0)
        for k in range(m):
            C[i, j] = C[i, j] + A[i, k] * B[k, j]
)",
        R"(
def f(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "float32")
    B = T.match_buffer(b, (m, n), "float32")
    C = T.match_buffer(c, (n, n), "float32")
    for i, j in T.grid(n, n):
        C[i, j] = T.float32(0)
    for ko, i, j, ki in T.grid(m // 4, n, n, 4):
        if ko * 4 + ki < m:
            C[i, j] = C[i, j] + A[i, ko * 4 + ki] * B[ko * 4 + ki, j]
)");
}

TEST_F(EquivParametricReductionsTest, ReduceUnrolled) {
  proved(R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(128):
            B[i] = B[i] + A[i, k]
)",
         R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(32):
            B[i] = B[i] + A[i, k * 4]
            B[i] = B[i] + A[i, k * 4 + 1]
            B[i] = B[i] + A[i, k * 4 + 2]
            B[i] = B[i] + A[i, k * 4 + 3]
)");
}

TEST_F(EquivParametricReductionsTest, ReduceUnrolledIsWrong) {
  wrong(R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(128):
            B[i] = B[i] + A[i, k]
)",
        R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(32):
            B[i] = B[i] + A[i, k * 4]
            B[i] = B[i] + A[i, k * 4 + 2]
            B[i] = B[i] + A[i, k * 4 + 1]
            B[i] = B[i] + A[i, k * 4 + 3]
)");
}

TEST_F(EquivParametricReductionsTest, ReduceLocal) {
  proved(R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(128):
            B[i] = B[i] + A[i, k]
)",
         R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        acc = T.alloc_buffer((1,), "float32")
        acc[0] = T.float32(0)
        for k in range(128):
            acc[0] = acc[0] + A[i, k]
        B[i] = acc[0]
)");
}

TEST_F(EquivParametricReductionsTest, ReducePeeled) {
  proved(R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(128):
            B[i] = B[i] + A[i, k]
)",
         R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(100):
            B[i] = B[i] + A[i, k]
        for k in range(28):
            B[i] = B[i] + A[i, k + 100]
)");
}

TEST_F(EquivParametricReductionsTest, RfactorInt) {
  proved(R"(
def f(A: T.Buffer((64, 128), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        B[i] = 0
        for k in range(128):
            B[i] = B[i] + A[i, k]
)",
         R"(
def f(A: T.Buffer((64, 128), "int32"), B: T.Buffer((64,), "int32")):
    t = T.alloc_buffer((64, 4), "int32")
    for i, j in T.grid(64, 4):
        t[i, j] = 0
        for k in range(32):
            t[i, j] = t[i, j] + A[i, k * 4 + j]
    for i in range(64):
        B[i] = 0
        for j in range(4):
            B[i] = B[i] + t[i, j]
)");
}

TEST_F(EquivParametricReductionsTest, RfactorFloatIsOpen) {
  open(R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(128):
            B[i] = B[i] + A[i, k]
)",
       R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    t = T.alloc_buffer((64, 4), "float32")
    for i, j in T.grid(64, 4):
        t[i, j] = T.float32(0)
        for k in range(32):
            t[i, j] = t[i, j] + A[i, k * 4 + j]
    for i in range(64):
        B[i] = T.float32(0)
        for j in range(4):
            B[i] = B[i] + t[i, j]
)");
}

TEST_F(EquivParametricReductionsTest, MaxReorderInt) {
  proved(R"(
def f(A: T.Buffer((64, 128), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        B[i] = T.int32(-2147483647)
        for k in range(128):
            B[i] = T.max(B[i], A[i, k])
)",
         R"(
def f(A: T.Buffer((64, 128), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        B[i] = T.int32(-2147483647)
    for k, i in T.grid(128, 64):
        B[i] = T.max(B[i], A[i, 127 - k])
)");
}

TEST_F(EquivParametricReductionsTest, MaxReorderFloatIsWrong) {
  wrong(R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(128):
            B[i] = T.max(B[i], A[i, k])
)",
        R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
    for k, i in T.grid(128, 64):
        B[i] = T.max(B[i], A[i, 127 - k])
)");
}

TEST_F(EquivParametricReductionsTest, CacheWrite) {
  proved(R"(
def f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    for i, j, k in T.grid(64, 64, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)",
         R"(
def f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    for io, jo in T.grid(8, 8):
        Cl = T.alloc_buffer((8, 8), "float32")
        Al = T.alloc_buffer((8, 64), "float32")
        for i, k in T.grid(8, 64):
            Al[i, k] = A[io * 8 + i, k]
        for i, j in T.grid(8, 8):
            Cl[i, j] = T.float32(0)
        for ko in range(16):
            Bl = T.alloc_buffer((4, 8), "float32")
            for k, j in T.grid(4, 8):
                Bl[k, j] = B[ko * 4 + k, jo * 8 + j]
            for i, j, k in T.grid(8, 8, 4):
                Cl[i, j] = Cl[i, j] + Al[i, ko * 4 + k] * Bl[k, j]
        for i, j in T.grid(8, 8):
            C[io * 8 + i, jo * 8 + j] = Cl[i, j]
)");
}

TEST_F(EquivParametricReductionsTest, Softmaxish) {
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

TEST_F(EquivParametricReductionsTest, PadConv) {
  proved(R"(
def f(A: T.Buffer((64,), "float32"), W: T.Buffer((3,), "float32"), B: T.Buffer((64,), "float32")):
    p = T.alloc_buffer((66,), "float32")
    for i in range(66):
        p[i] = T.if_then_else(1 <= i and i < 65, A[i - 1], T.float32(0))
    for i in range(64):
        B[i] = T.float32(0)
        for r in range(3):
            B[i] = B[i] + p[i + r] * W[r]
)",
         R"(
def f(A: T.Buffer((64,), "float32"), W: T.Buffer((3,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for r in range(3):
            B[i] = B[i] + T.if_then_else(1 <= i + r and i + r <= 64, A[i + r - 1], T.float32(0)) * W[r]
)");
}

TEST_F(EquivParametricReductionsTest, PadConvIsWrong) {
  wrong(R"(
def f(A: T.Buffer((64,), "float32"), W: T.Buffer((3,), "float32"), B: T.Buffer((64,), "float32")):
    p = T.alloc_buffer((66,), "float32")
    for i in range(66):
        p[i] = T.if_then_else(1 <= i and i < 65, A[i - 1], T.float32(0))
    for i in range(64):
        B[i] = T.float32(0)
        for r in range(3):
            B[i] = B[i] + p[i + r] * W[r]
)",
        R"(
def f(A: T.Buffer((64,), "float32"), W: T.Buffer((3,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for r in range(3):
            B[i] = B[i] + T.if_then_else(1 <= i + r and i + r < 64, A[i + r - 1], T.float32(0)) * W[r]
)");
}

TEST_F(EquivParametricReductionsTest, Csr) {
  proved(R"(
def f(P: T.Buffer((17,), "int32"), A: T.Buffer((256,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(0)
        for k in range(256):
            if P[i] <= k and k < P[i + 1]:
                B[i] = B[i] + A[k]
)",
         R"(
def f(P: T.Buffer((17,), "int32"), A: T.Buffer((256,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(0)
        for ko, ki in T.grid(64, 4):
            if P[i] <= ko * 4 + ki and ko * 4 + ki < P[i + 1]:
                B[i] = B[i] + A[ko * 4 + ki]
)");
}

TEST_F(EquivParametricReductionsTest, CsrIsWrong) {
  wrong(R"(
def f(P: T.Buffer((17,), "int32"), A: T.Buffer((256,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(0)
        for k in range(256):
            if P[i] <= k and k < P[i + 1]:
                B[i] = B[i] + A[k]
)",
        R"(
def f(P: T.Buffer((17,), "int32"), A: T.Buffer((256,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.float32(0)
        for ko, ki in T.grid(64, 4):
            if P[i] <= ko * 4 + ki and ko * 4 + ki <= P[i + 1]:
                B[i] = B[i] + A[ko * 4 + ki]
)");
}

TEST_F(EquivParametricReductionsTest, GuardReduce) {
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

TEST_F(EquivParametricReductionsTest, FusedReduce) {
  proved(R"(
def f(A: T.Buffer((64, 8, 16), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k, l in T.grid(8, 16):
            B[i] = B[i] + A[i, k, l]
)",
         R"(
def f(A: T.Buffer((64, 8, 16), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
    for i, kl in T.grid(64, 128):
        B[i] = B[i] + A[i, kl // 16, kl % 16]
)");
}

TEST_F(EquivParametricReductionsTest, SwappedReduceIsOpen) {
  open(R"(
def f(A: T.Buffer((64, 8, 16), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k, l in T.grid(8, 16):
            B[i] = B[i] + A[i, k, l]
)",
       R"(
def f(A: T.Buffer((64, 8, 16), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
    for i, kl in T.grid(64, 128):
        B[i] = B[i] + A[i, kl % 8, kl // 8]
)");
}

TEST_F(EquivParametricReductionsTest, TriangularSum) {
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

TEST_F(EquivParametricReductionsTest, Conv3x3) {
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

}  // namespace
}  // namespace hexproof
