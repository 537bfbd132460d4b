// Loops that go over one cell again and again.
#include "tests/verify/equiv/parametric/equiv_parametric.h"

namespace hexproof {
namespace equiv_parametric_reductions_test {

using EquivParametricReductionsTest = EquivParametricTest;

const std::string kMatmulTiledBefore = R"(
def f(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j, k in T.grid(128, 128, 128):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";

const std::string kMatmulTiledBefore2 = R"(
def f(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j in T.grid(128, 128):
        C[i, j] = T.float32(0)
    for io, jo, ko, ii, ji, ki in T.grid(4, 4, 32, 32, 32, 4):
        C[io * 32 + ii, jo * 32 + ji] = C[io * 32 + ii, jo * 32 + ji] + A[io * 32 + ii, ko * 4 + ki] * B[ko * 4 + ki, jo * 32 + ji]
)";

TEST_F(EquivParametricReductionsTest, MatmulTiled) { proved(kMatmulTiledBefore, kMatmulTiledBefore2); }

TEST_F(EquivParametricReductionsTest, MatmulKorderIsOpen) {
  open(kMatmulTiledBefore, with(kMatmulTiledBefore2, "for io, jo, ko, ii, ji, ki in T.grid(4, 4, 32, 32, 32, 4):",
                                "for io, jo, ki, ii, ji, ko in T.grid(4, 4, 4, 32, 32, 32):"));
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

const std::string kMmSymBefore = R"(
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
)";

const std::string kMmSymAfter = R"(
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
)";

TEST_F(EquivParametricReductionsTest, MmSym) { proved(kMmSymBefore, kMmSymAfter); }

TEST_F(EquivParametricReductionsTest, MmSymIsWrong) {
  wrong(kMmSymBefore, with(kMmSymAfter, "for ko, i, j, ki in T.grid((m - 1) // 4 + 1, n, n, 4):",
                           "for ko, i, j, ki in T.grid(m // 4, n, n, 4):"));
}

const std::string kReduceUnrolledBefore = R"(
def f(A: T.Buffer((64, 128), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.float32(0)
        for k in range(128):
            B[i] = B[i] + A[i, k]
)";

TEST_F(EquivParametricReductionsTest, ReduceUnrolled) {
  proved(kReduceUnrolledBefore,
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
  wrong(kReduceUnrolledBefore,
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
  proved(kReduceUnrolledBefore,
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
  proved(kReduceUnrolledBefore,
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
  open(kReduceUnrolledBefore,
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
  wrong(with(kReduceUnrolledBefore, "B[i] = B[i] + A[i, k]", "B[i] = T.max(B[i], A[i, k])"),
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

}  // namespace equiv_parametric_reductions_test
}  // namespace hexproof
