// check: accesses out of bounds, overflow of indices, and other errors of single operations.
#include "tests/verify/check/check_fixture.h"

namespace hexproof {
namespace check_bounds_test {

TEST_F(CheckTest, Bounds) {
  const std::string head = "def f(A: T.Buffer((16, 8), \"float32\"), B: T.Buffer((16, 8), \"float32\")):\n";
  proved(head + R"(
    for i, j in T.grid(16, 8):
        B[i, j] = A[i, j]
)");
  refuted(head + R"(
    for i, j in T.grid(16, 8):
        B[i, j] = A[i, j + 1]
)",
          "out of bounds");
  refuted(head + R"(
    for i, j in T.grid(8, 16):
        B[i, j] = T.float32(0)
)",
          "out of bounds");
  refuted(head + R"(
    for i, j in T.grid(16, 8):
        B[i, j] = A[i, 7 - j - 1]
)",
          "out of bounds");
}

TEST_F(CheckTest, AReadWhoseValueIsThrownAwayCounts) {
  refuted(R"(
def f(A: T.Buffer((4,), "float32")):
    for i in range(5):
        T.evaluate(A[i])
)",
          "out of bounds");
  refuted(R"(
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((5,), "float32")):
    for i in range(5):
        B[i] = T.Select(i < 4, A[i], T.float32(0))
)",
          "out of bounds");
}

TEST_F(CheckTest, Guards) {
  proved(R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((16,), "float32")):
    for i, j in T.grid(4, 4):
        B[i * 4 + j] = T.if_then_else(i * 4 + j < 14, A[i * 4 + j], T.float32(0))
)");
  proved(R"(
def f(A: T.Buffer((14,), "float32")):
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            A[i * 4 + j] = T.float32(0)
)");
  refuted(R"(
def f(A: T.Buffer((14,), "float32")):
    for i, j in T.grid(4, 4):
        if i * 4 + j < 15:
            A[i * 4 + j] = T.float32(0)
)",
          "out of bounds");
  proved(R"(
def f(A: T.Buffer((14,), "float32")):
    for i in range(16):
        if i >= 14:
            T.evaluate(0)
        else:
            A[i] = T.float32(0)
)");
}

TEST_F(CheckTest, SymbolicShapes) {
  proved(R"(
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = A[i]
)");
  refuted(R"(
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = A[i + 1]
)",
          "out of bounds");
  proved(R"(
def f(a: T.handle, n: T.int32):
    m = T.int32()
    A = T.match_buffer(a, (m,), "float32")
    for i in range(n):
        if i < m:
            A[i] = T.float32(1)
)");
  refuted(R"(
def f(a: T.handle, n: T.int32):
    m = T.int32()
    A = T.match_buffer(a, (m,), "float32")
    for i in range(n):
        A[i] = T.float32(1)
)",
          "out of bounds");
}

TEST_F(CheckTest, IndexOverflow) {
  // The size of the buffer bounds n: 4 * n bytes fit in memory.
  proved(R"(
def f(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    for i in range(n):
        if i * 2 < n:
            A[i * 2] = T.float32(0)
)");
  refuted(R"(
def f(A: T.Buffer((4,), "float32"), n: T.int32):
    for i in range(1):
        if n > 0:
            if n * 65536 < 4:
                A[0] = T.float32(0)
)",
          "overflow");
  proved(R"(
def f(A: T.Buffer((4,), "float32"), n: T.int64):
    if n > T.int64(0):
        if n < T.int64(1000000):
            if n * T.int64(65536) < T.int64(4):
                A[0] = T.float32(0)
)");
  // Data wraps.
  proved(R"(
def f(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = A[i] * A[i] + A[i]
)");
}

TEST_F(CheckTest, DivisionsShiftsAndCasts) {
  refuted(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] // B[i]
)",
          "division by zero");
  proved(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.if_then_else(B[i] > 0, A[i] // T.max(B[i], 1), 0)
)");
  proved(R"(
def f(A: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        if n != 0:
            if n > 0:
                A[i] = i // n
)");
  refuted(R"(
def f(A: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        A[i] = i // n
)",
          "division by zero");
  proved(R"(
def f(A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = A[i] >> i
)");
  refuted(R"(
def f(A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = A[i] >> (i + 30)
)",
          "shift");
  refuted(R"(
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.Cast("int32", A[i])
)",
          "cast");
  proved(R"(
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > T.float32(-100):
            if A[i] < T.float32(100):
                B[i] = T.Cast("int32", A[i])
)");
}

TEST_F(CheckTest, WhatIsEvaluatedAndWhatIsNot) {
  const std::string head = "def f(A: T.Buffer((8,), \"int32\"), n: T.int32):\n    ";
  proved(head + "A[0] = T.if_then_else(n > 0, 5 // n, 0)\n");
  refuted(head + "A[0] = T.Select(n > 0, 5 // n, 0)\n", "division by zero");
  refuted(head + "if n != 0 and 5 // n > 1:\n        A[0] = 1\n", "division by zero");
  proved(head + "if n != 0 and n != -1:\n        if 5 // n > 1:\n            A[0] = 1\n");
  proved(head + "A[0] = T.if_then_else(A[1] > 0 and A[1] < 8, A[T.min(A[1], 7)], 0)\n");
  refuted(head + "A[0] = T.Select(A[1] > 0 and A[1] < 8, A[A[1]], 0)\n", "out of bounds");
  proved(head + "T.evaluate(T.assume(n == 0 or 7 // n > 0))\n    A[0] = 1\n");
  refuted(head + "T.evaluate(T.assume(7 // n > 0 or n == 0))\n    A[0] = 1\n", "division by zero");
  // A sum of data wraps: it may come out of the range that its operands are in.
  refuted(head + "if A[1] >= 0 and A[2] >= 0 and A[1] + A[2] < 8:\n        A[A[1] + A[2]] = 1\n", "out of bounds");
  proved(head + "if A[1] >= 0 and A[2] >= 0 and A[1] < 4 and A[2] < 4:\n        A[A[1] + A[2]] = 1\n");
}

}  // namespace check_bounds_test
}  // namespace hexproof
