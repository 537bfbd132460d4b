// Loops cut, joined, exchanged and unrolled, with and without guards.
#include "tests/verify/equiv/parametric/equiv_parametric.h"

namespace hexproof {
namespace equiv_parametric_loops_test {

using EquivParametricLoopsTest = EquivParametricTest;

TEST_F(EquivParametricLoopsTest, CopySplit) {
  proved(R"(
def f(A: T.Buffer((1000,), "float32"), B: T.Buffer((1000,), "float32")):
    for i in range(1000):
        B[i] = A[i] * T.float32(2)
)",
         R"(
def f(A: T.Buffer((1000,), "float32"), B: T.Buffer((1000,), "float32")):
    for io, ii in T.grid(250, 4):
        B[io * 4 + ii] = A[io * 4 + ii] * T.float32(2)
)");
}

TEST_F(EquivParametricLoopsTest, CopySplitIsWrong) {
  wrong(R"(
def f(A: T.Buffer((1000,), "float32"), B: T.Buffer((1000,), "float32")):
    for i in range(1000):
        B[i] = A[i] * T.float32(2)
)",
        R"(
def f(A: T.Buffer((1000,), "float32"), B: T.Buffer((1000,), "float32")):
    for io, ii in T.grid(250, 4):
        B[io * 4 + ii] = A[io * 4 + 3 - ii] * T.float32(2)
)");
}

const std::string kSplitGuardSymBefore = R"(
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = A[i] + T.float32(1)
)";

const std::string kSplitGuardSymAfter = R"(
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for io in range((n + 3) // 4):
        for ii in range(4):
            if io * 4 + ii < n:
                B[io * 4 + ii] = A[io * 4 + ii] + T.float32(1)
)";

TEST_F(EquivParametricLoopsTest, SplitGuardSym) { proved(kSplitGuardSymBefore, kSplitGuardSymAfter); }

TEST_F(EquivParametricLoopsTest, SplitGuardSymIsWrong) {
  wrong(kSplitGuardSymBefore, with(kSplitGuardSymAfter, "for io in range((n + 3) // 4):", "for io in range(n // 4):"));
}

TEST_F(EquivParametricLoopsTest, Fuse) {
  proved(R"(
def f(A: T.Buffer((64, 32), "float32"), B: T.Buffer((64, 32), "float32")):
    for i, j in T.grid(64, 32):
        B[i, j] = A[i, j]
)",
         R"(
def f(A: T.Buffer((64, 32), "float32"), B: T.Buffer((64, 32), "float32")):
    for k in range(2048):
        B[k // 32, k % 32] = A[k // 32, k % 32]
)");
}

TEST_F(EquivParametricLoopsTest, Reorder) {
  proved(R"(
def f(A: T.Buffer((64, 32), "float32"), B: T.Buffer((32, 64), "float32")):
    for i, j in T.grid(64, 32):
        B[j, i] = A[i, j]
)",
         R"(
def f(A: T.Buffer((64, 32), "float32"), B: T.Buffer((32, 64), "float32")):
    for j, i in T.grid(32, 64):
        B[j, i] = A[i, j]
)");
}

const std::string kFusionBefore = R"(
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    for i in range(128):
        B[i] = A[i] * T.float32(2)
    for i in range(128):
        C[i] = B[i] + T.float32(1)
)";

const std::string kFusionAfter = R"(
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    for i in range(128):
        B[i] = A[i] * T.float32(2)
        C[i] = B[i] + T.float32(1)
)";

TEST_F(EquivParametricLoopsTest, Fusion) { proved(kFusionBefore, kFusionAfter); }

TEST_F(EquivParametricLoopsTest, FusionIsWrong) {
  wrong(with(kFusionBefore, "C[i] = B[i] + T.float32(1)", "C[i] = B[127 - i] + T.float32(1)"),
        with(kFusionAfter, "C[i] = B[i] + T.float32(1)", "C[i] = B[127 - i] + T.float32(1)"));
}

TEST_F(EquivParametricLoopsTest, VectorStore) {
  proved(R"(
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in range(128):
        B[i] = A[i] + A[i]
)",
         R"(
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in range(32):
        B[T.ramp(i * 4, 1, 4)] = A[T.ramp(i * 4, 1, 4)] + A[T.ramp(i * 4, 1, 4)]
)");
}

const std::string kUnrollAfter = R"(
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in T.parallel(32):
        B[i * 4] = A[i * 4] + A[i * 4]
        B[i * 4 + 1] = A[i * 4 + 1] + A[i * 4 + 1]
        B[i * 4 + 2] = A[i * 4 + 2] + A[i * 4 + 2]
        B[i * 4 + 3] = A[i * 4 + 3] + A[i * 4 + 3]
)";

TEST_F(EquivParametricLoopsTest, Unroll) {
  proved(R"(
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in range(128):
        B[i] = A[i] + A[i]
)",
         kUnrollAfter);
}

TEST_F(EquivParametricLoopsTest, UnrollIsWrong) {
  wrong(R"(
def f(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in range(128):
        B[i] = A[i] + A[i]
)",
        with(kUnrollAfter, "B[i * 4 + 2] = A[i * 4 + 2] + A[i * 4 + 2]", "B[i * 4 + 2] = A[i * 4 + 3] + A[i * 4 + 2]"));
}

TEST_F(EquivParametricLoopsTest, VectorizedInplace) {
  proved(R"(
def f(A: T.Buffer((64,), "float32")):
    for i in range(64):
        A[i] = A[i] + T.float32(1)
)",
         R"(
def f(A: T.Buffer((64,), "float32")):
    for io in T.parallel(16):
        for ii in T.vectorized(4):
            A[io * 4 + ii] = A[io * 4 + ii] + T.float32(1)
)");
}

TEST_F(EquivParametricLoopsTest, Int64Narrow) {
  proved(R"(
def f(A: T.Buffer((T.int64(64), T.int64(32)), "float32"), B: T.Buffer((T.int64(64), T.int64(32)), "float32")):
    for i, j in T.grid(T.int64(64), T.int64(32)):
        B[i, j] = A[i, j] * T.float32(2)
)",
         R"(
def f(A: T.Buffer((64, 32), "float32"), B: T.Buffer((64, 32), "float32")):
    for i, j in T.grid(64, 32):
        B[i, j] = A[i, j] * T.float32(2)
)");
}

TEST_F(EquivParametricLoopsTest, LetIndex) {
  proved(R"(
def f(A: T.Buffer((64, 32), "float32"), B: T.Buffer((64, 32), "float32")):
    for i, j in T.grid(64, 32):
        B[i, j] = A[i, j] * A[i, j]
)",
         R"(
def f(A: T.Buffer((64, 32), "float32"), B: T.Buffer((64, 32), "float32")):
    for k in range(2048):
        i: T.int32 = k // 32
        j: T.int32 = k % 32
        v: T.float32 = A[i, j]
        B[i, j] = v * v
)");
}

const std::string kTriangularBefore = R"(
def f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    for i in range(64):
        for j in range(i):
            B[i, j] = A[j, i]
)";

const std::string kTriangularAfter = R"(
def f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    for i, j in T.grid(64, 64):
        if j < i:
            B[i, j] = A[j, i]
)";

TEST_F(EquivParametricLoopsTest, Triangular) { proved(kTriangularBefore, kTriangularAfter); }

TEST_F(EquivParametricLoopsTest, TriangularIsWrong) {
  wrong(kTriangularBefore, with(kTriangularAfter, "if j < i:", "if j <= i:"));
}

}  // namespace equiv_parametric_loops_test
}  // namespace hexproof
