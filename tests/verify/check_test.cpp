// check, in both directions for every kind of error: a sound program is proved, its broken sibling is refuted with the
// error that the interpreter met.
#include "tests/verify/programs.h"

namespace hexproof {
namespace {

struct CheckTest : testing::Test {
  static Prover& prover() {
    static Prover p;
    return p;
  }
  static void proved(const std::string& text) {
    CheckReport report = check(parse(text), prover());
    EXPECT_EQ(report.finding, Finding::Proved) << describe(report) << text;
    for (const CheckedObligation& o : report.obligations) EXPECT_EQ(o.answer.verdict, Verdict::Proved);
  }
  static void refuted(const std::string& text, const std::string& message) {
    CheckReport report = check(parse(text), prover());
    EXPECT_EQ(report.finding, Finding::Refuted) << describe(report) << text;
    EXPECT_NE(report.counterexample.find(message), std::string::npos) << describe(report);
  }
  static void finds(Finding finding, const std::string& text, const std::string& reason) {
    CheckReport report = check(parse(text), prover());
    EXPECT_EQ(report.finding, finding) << describe(report) << text;
    EXPECT_NE(report.reason.find(reason), std::string::npos) << describe(report);
  }
};

// Bounds

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

// Initialised reads

TEST_F(CheckTest, InitialisedByAnEarlierLoop) {
  proved(R"(
def f(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    C = T.alloc_buffer((32,), "float32")
    for i in range(32):
        C[i] = A[i]
    for i in range(32):
        B[i] = C[31 - i]
)");
  refuted(R"(
def f(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    C = T.alloc_buffer((32,), "float32")
    for i in range(31):
        C[i] = A[i]
    for i in range(32):
        B[i] = C[31 - i]
)",
          "uninitialised");
  refuted(R"(
def f(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    C = T.alloc_buffer((32,), "float32")
    for i in range(32):
        B[i] = C[31 - i]
    for i in range(32):
        C[i] = A[i]
)",
          "uninitialised");
}

TEST_F(CheckTest, InitialisedThroughFlattenedIndices) {
  proved(R"(
def f(A: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32")):
    C = T.alloc_buffer((1024,), "float32")
    for i, j, k in T.grid(4, 32, 8):
        C[i * 256 + j * 8 + k] = A[i * 256 + j * 8 + k]
    for i, j in T.grid(16, 64):
        B[i * 64 + j] = C[i * 64 + j]
)");
  proved(R"(
def f(A: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32")):
    C = T.alloc_buffer((4, 32, 8), "float32")
    for f in range(1024):
        C[f // 256, f % 256 // 8, f % 8] = A[f]
    for i, j, k in T.grid(4, 32, 8):
        B[i * 256 + j * 8 + k] = C[i, j, k]
)");
  refuted(R"(
def f(A: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32")):
    C = T.alloc_buffer((1024,), "float32")
    for i, j, k in T.grid(4, 31, 8):
        C[i * 256 + j * 8 + k] = A[i * 256 + j * 8 + k]
    for i, j in T.grid(16, 64):
        B[i * 64 + j] = C[i * 64 + j]
)",
          "uninitialised");
}

TEST_F(CheckTest, InitialisedByOverlappingWindows) {
  proved(R"(
def f(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    C = T.alloc_buffer((10,), "float32")
    for i, r in T.grid(8, 3):
        C[i + r] = A[i + r]
    for i in range(10):
        B[i] = C[i]
)");
}

TEST_F(CheckTest, InitialisedInPieces) {
  // A padded copy: two guarded stages write the cells together.
  proved(R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((16,), "float32")):
    C = T.alloc_buffer((16,), "float32")
    for i in range(16):
        if i < 14:
            C[i] = A[i]
    for i in range(16):
        if i >= 14:
            C[i] = T.float32(0)
    for i in range(16):
        B[i] = C[i]
)");
  proved(R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((16,), "float32")):
    C = T.alloc_buffer((16,), "float32")
    for i in range(8):
        C[i] = A[i]
    for i in range(8):
        C[i + 8] = T.float32(0)
    for i in range(16):
        B[i] = C[i]
)");
  proved(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    C = T.alloc_buffer((1,), "float32")
    for i in range(16):
        if i % 2 == 0:
            C[0] = A[i]
        else:
            C[0] = T.float32(0)
        B[i] = C[0]
)");
  refuted(R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((16,), "float32")):
    C = T.alloc_buffer((16,), "float32")
    for i in range(16):
        if i < 14:
            C[i] = A[i]
    for i in range(16):
        if i > 14:
            C[i] = T.float32(0)
    for i in range(16):
        B[i] = C[i]
)",
          "uninitialised");
}

TEST_F(CheckTest, InitialisedByEarlierIterations) {
  proved(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32")):
    C = T.alloc_buffer((1,), "float32")
    for i in range(16):
        if i == 0:
            C[0] = T.float32(0)
        C[0] = C[0] + A[i]
    B[0] = C[0]
)");
  refuted(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32")):
    C = T.alloc_buffer((1,), "float32")
    for i in range(16):
        if i == 1:
            C[0] = T.float32(0)
        C[0] = C[0] + A[i]
    B[0] = C[0]
)",
          "uninitialised");
  // A running sum.
  proved(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    C = T.alloc_buffer((16,), "float32")
    C[0] = A[0]
    for i in range(1, 16):
        C[i] = C[i - 1] + A[i]
    for i in range(16):
        B[i] = C[i]
)");
  refuted(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    C = T.alloc_buffer((17,), "float32")
    C[16] = A[0]
    for i in range(16):
        C[i] = C[i + 1] + A[i]
    for i in range(16):
        B[i] = C[i]
)",
          "uninitialised");
}

TEST_F(CheckTest, MemoryOfALoopIsFreshInEachIteration) {
  const char* text = R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        C = T.decl_buffer((1,), "float32")
        if i COND:
            C[0] = A[i]
        B[i] = C[0]
)";
  std::string always = text, first = text;
  always.replace(always.find("COND"), 4, ">= 0");
  first.replace(first.find("COND"), 4, "== 0");
  proved(always);
  refuted(first, "uninitialised");
}

TEST_F(CheckTest, ReductionBlocks) {
  proved(R"(
def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), D: T.Buffer((16, 16), "float32")):
    C = T.alloc_buffer((16, 16), "float32")
    for i, j, k in T.grid(16, 16, 16):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B[vk, vj])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
    for i, j in T.grid(16, 16):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = C[vi, vj]
)");
  // The reduction starts at 1: the instances with vk == 0, where init would run, are not there.
  refuted(R"(
def f(A: T.Buffer((16, 16), "float32"), D: T.Buffer((16,), "float32")):
    C = T.alloc_buffer((16,), "float32")
    for i, k in T.grid(16, 15):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            vk = T.axis.reduce(16, k + 1)
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + A[vi, vk]
    for i in range(16):
        D[i] = C[i]
)",
          "uninitialised");
}

TEST_F(CheckTest, SymbolicShapesOfTemporaries) {
  proved(R"(
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    C = T.alloc_buffer((n,), "float32")
    for i in range(n):
        C[i] = A[i]
    for i in range(n):
        B[i] = C[i]
)");
  refuted(R"(
def f(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    C = T.alloc_buffer((n,), "float32")
    for i in range(n - 1):
        C[i] = A[i]
    for i in range(n):
        B[i] = C[i]
)",
          "uninitialised");
}

TEST_F(CheckTest, ReusedStorage) {
  proved(R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((16,), "float32")):
    memory = T.allocate([64], "float32", "global")
    for i in range(4):
        wide = T.Buffer((64,), data=memory)
        for j in range(64):
            wide[j] = A[j]
        narrow = T.Buffer((16,), data=memory)
        for j in range(16):
            narrow[j] = wide[j + 48]
        for j in range(16):
            B[j] = narrow[j]
)");
  proved(R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((4, 16), "float32")):
    memory = T.allocate([64], "float32", "global")
    flat = T.Buffer((64,), data=memory)
    for j in range(64):
        flat[j] = A[j]
    square = T.Buffer((4, 16), data=memory)
    for i, j in T.grid(4, 16):
        B[i, j] = square[i, j]
)");
  refuted(R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((4, 16), "float32")):
    memory = T.allocate([64], "float32", "global")
    flat = T.Buffer((64,), data=memory)
    for j in range(63):
        flat[j] = A[j]
    square = T.Buffer((4, 16), data=memory)
    for i, j in T.grid(4, 16):
        B[i, j] = square[i, j]
)",
          "uninitialised");
}

TEST_F(CheckTest, ViewsFitTheirMemory) {
  proved(R"(
def f(A: T.Buffer((8, 8), "float32")):
    flat = T.Buffer((64,), data=A.data)
    for i in range(64):
        flat[i] = T.float32(0)
)");
  refuted(R"(
def f(A: T.Buffer((8, 8), "float32")):
    flat = T.Buffer((65,), data=A.data)
    for i in range(65):
        flat[i] = T.float32(0)
)",
          "flat");
  // Too large a view of which only what exists is used.
  proved(R"(
def f(A: T.Buffer((8, 8), "float32")):
    flat = T.Buffer((65,), data=A.data)
    for i in range(64):
        flat[i] = T.float32(0)
)");
  // An address counts elements of the view, and the memory elements of its own.
  const std::string pairs = R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((32,), "float32")):
    pairs = T.decl_buffer((16,), "float32x2", data=A.data)
    for i in range(COUNT):
        B[T.ramp(i * 2, 1, 2)] = pairs[i]
)";
  const std::string cells = R"(
def f(A: T.Buffer((4,), "float32x4"), B: T.Buffer((32,), "float32")):
    cells = T.decl_buffer((32,), "float32", data=A.data)
    for i in range(COUNT):
        B[i] = cells[i]
)";
  auto with = [](std::string text, const std::string& count) { return text.replace(text.find("COUNT"), 5, count); };
  proved(with(pairs, "8"));
  refuted(with(pairs, "9"), "pairs");
  proved(with(cells, "16"));
  finds(Finding::Undecided, with(cells, "17"), "cells lies in its memory");
}

// Races

TEST_F(CheckTest, Races) {
  proved(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.parallel(16):
        B[i] = A[i] + B[i]
)");
  refuted(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.parallel(16):
        B[i // 2] = A[i]
)",
          "i");
  refuted(R"(
def f(A: T.Buffer((17,), "float32")):
    for i in T.vectorized(16):
        A[i] = A[i + 1]
)",
          "A");
  proved(R"(
def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.parallel(16):
        C = T.decl_buffer((1,), "float32")
        C[0] = T.float32(0)
        for k in range(16):
            C[0] = C[0] + A[i, k]
        B[i] = C[0]
)");
}

// Assumes

TEST_F(CheckTest, Assumes) {
  proved(R"(
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.assume(n >= 0 and n < 16))
    A[n] = T.float32(0)
)");
  finds(Finding::Vacuous, R"(
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.assume(n > 5))
    T.evaluate(T.assume(n < 3))
    A[n] = T.float32(0)
)",
        "contradicts");
  refuted(R"(
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.assume(n > 5 and n < 3))
    A[n] = T.float32(0)
)",
          "the assume is false");
  refuted(R"(
def f(A: T.Buffer((16,), "float32")):
    for i in range(16):
        T.evaluate(T.assume(i > 20))
        A[i] = T.float32(0)
)",
          "the assume is false");
}

// Constants

TEST_F(CheckTest, ConstantMemoryIsNotWritten) {
  // The parser refuses such a store, a rule might build one.
  Buffer k = make_buffer("K", kInt32, {i32(2)});
  PrimFunc func;
  func.body = make_stmt(Allocate{.data = k->data,
                                 .dtype = kInt32,
                                 .extents = {i32(2)},
                                 .body = make_stmt(DeclBuffer{k, make_stmt(Store{k, {i32(0)}, i32(1)})}),
                                 .constant = {i32(1), i32(2)}});
  CheckReport report = check(func, prover());
  EXPECT_EQ(report.finding, Finding::Refuted) << describe(report);
  EXPECT_NE(report.counterexample.find("constant"), std::string::npos) << describe(report);
  proved(R"(
def f(A: T.Buffer((2,), "int32")):
    k = T.allocate_const([1, 2], "int32", [2])
    K = T.Buffer((2,), "int32", data=k)
    A[0] = K[1]
)");
}

}  // namespace
}  // namespace hexproof
