// Temporaries, caches, shared and double buffers, programs that change their argument in place.
#include "tests/verify/equiv/parametric/equiv_parametric.h"

namespace hexproof {
namespace equiv_parametric_memory_test {

using EquivParametricMemoryTest = EquivParametricTest;

TEST_F(EquivParametricMemoryTest, Inline) {
  proved(R"(
def f(A: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    B = T.alloc_buffer((128,), "float32")
    for i in range(128):
        with T.block("B"):
            vi = T.axis.spatial(128, i)
            B[vi] = A[vi] * T.float32(2)
    for i in range(128):
        with T.block("C"):
            vi = T.axis.spatial(128, i)
            C[vi] = B[vi] + T.float32(1)
)",
         R"(
def f(A: T.Buffer((128,), "float32"), C: T.Buffer((128,), "float32")):
    for i in range(128):
        C[i] = A[i] * T.float32(2) + T.float32(1)
)");
}

TEST_F(EquivParametricMemoryTest, DoubleBuffer) {
  proved(R"(
def f(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32")):
    for i in range(100):
        B[i] = A[i] * T.float32(3)
)",
         R"(
def f(A: T.Buffer((100,), "float32"), B: T.Buffer((100,), "float32")):
    t = T.alloc_buffer((2,), "float32")
    t[0] = A[0]
    for i in range(99):
        t[(i + 1) % 2] = A[i + 1]
        B[i] = t[i % 2] * T.float32(3)
    B[99] = t[1] * T.float32(3)
)");
}

TEST_F(EquivParametricMemoryTest, ShareStorage) {
  proved(R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = A[i] * T.float32(3) + T.float32(1)
)",
         R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    data = T.allocate([64], "float32", "global")
    x = T.decl_buffer((64,), "float32", data=data)
    y = T.decl_buffer((8, 8), "float32", data=data)
    for i in range(64):
        x[i] = A[i] * T.float32(3)
    for i in range(64):
        y[i // 8, i % 8] = x[i] + T.float32(1)
    for i in range(64):
        B[i] = y[i // 8, i % 8]
)");
}

TEST_F(EquivParametricMemoryTest, ShiftReverseIsWrong) {
  wrong(R"(
def f(A: T.Buffer((64,), "float32")):
    for i in range(63):
        A[i] = A[i + 1]
)",
        R"(
def f(A: T.Buffer((64,), "float32")):
    for i in range(63):
        A[62 - i] = A[63 - i]
)");
}

TEST_F(EquivParametricMemoryTest, ShiftThroughTemp) {
  proved(R"(
def f(A: T.Buffer((64,), "float32")):
    for i in range(63):
        A[i] = A[i + 1]
)",
         R"(
def f(A: T.Buffer((64,), "float32")):
    t = T.alloc_buffer((63,), "float32")
    for i in range(63):
        t[i] = A[i + 1]
    for i in range(63):
        A[i] = t[i]
)");
}

TEST_F(EquivParametricMemoryTest, BlurComputeAt) {
  proved(R"(
def f(A: T.Buffer((66, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    t = T.alloc_buffer((66, 64), "float32")
    for i, j in T.grid(66, 64):
        t[i, j] = A[i, j] * T.float32(2)
    for i, j in T.grid(64, 64):
        B[i, j] = t[i, j] + t[i + 1, j] + t[i + 2, j]
)",
         R"(
def f(A: T.Buffer((66, 64), "float32"), B: T.Buffer((64, 64), "float32")):
    for io in range(8):
        t = T.alloc_buffer((10, 64), "float32")
        for i, j in T.grid(10, 64):
            t[i, j] = A[io * 8 + i, j] * T.float32(2)
        for i, j in T.grid(8, 64):
            B[io * 8 + i, j] = t[i, j] + t[i + 1, j] + t[i + 2, j]
)");
}

TEST_F(EquivParametricMemoryTest, DroppedStoreIsWrong) {
  wrong(R"(
def f(A: T.Buffer((64,), "float32"), C: T.Buffer((65,), "float32")):
    for i in range(64):
        C[i] = A[i]
    C[64] = T.float32(0)
)",
        R"(
def f(A: T.Buffer((64,), "float32"), C: T.Buffer((65,), "float32")):
    for i in range(64):
        C[i] = A[i]
)");
}

TEST_F(EquivParametricMemoryTest, TwiceInPlaceIsWrong) {
  wrong(R"(
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        A[i] = A[i] + 1
    for i in range(64):
        B[i] = A[i]
)",
        R"(
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    for i in range(64):
        B[i] = A[i]
    for i in range(64):
        A[i] = A[i] + 1
)");
}

// Each cell depends on the one before without end: that would take induction.
TEST_F(EquivParametricMemoryTest, AScanIsOpen) {
  open(R"(
def f(A: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    C[0] = A[0]
    for i in range(63):
        C[i + 1] = C[i] + A[i + 1]
)",
       R"(
def f(A: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    C[0] = A[0]
    for i in range(1, 64):
        C[i] = C[i - 1] + A[i]
)");
}

}  // namespace equiv_parametric_memory_test
}  // namespace hexproof
