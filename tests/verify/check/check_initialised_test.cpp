// check: reads of cells that were written before.
#include "tests/verify/check/check_fixture.h"

namespace hexproof {
namespace check_initialised_test {

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

TEST_F(CheckTest, InitialisedInACircularBuffer) {
  // Windows overlap, what an earlier one has computed is kept, and the rows go round.
  const std::string rows = R"(
def f(A: T.Buffer((12,), "int32"), C: T.Buffer((8, 5), "int32")):
    B = T.alloc_buffer((CELLS,), "int32")
    for i in range(8):
        for w in range(5):
            if i < 1 or KEPT <= w:
                B[(i + w) % CELLS] = A[i + w]
        for r in range(5):
            C[i, r] = B[(i + r) % CELLS]
)";
  // By tiles: the windows move by more than one.
  const std::string tiles = R"(
def f(A: T.Buffer((22,), "int32"), C: T.Buffer((5, 4, 3), "int32")):
    B = T.alloc_buffer((CELLS,), "int32")
    for i in range(5):
        for w in range(6):
            if i < 1 or KEPT <= w:
                B[(i * 4 + w) % CELLS] = A[i * 4 + w]
        for j in range(4):
            for r in range(3):
                C[i, j, r] = B[(i * 4 + j + r) % CELLS]
)";
  auto with = [](std::string text, const std::string& cells, const std::string& kept) {
    for (const auto& [word, number] : {std::pair{std::string("CELLS"), cells}, {std::string("KEPT"), kept}}) {
      for (size_t at = text.find(word); at != std::string::npos; at = text.find(word))
        text.replace(at, word.size(), number);
    }
    return text;
  };
  proved(with(rows, "5", "4"));
  proved(with(rows, "7", "4"));
  proved(with(tiles, "6", "2"));
  proved(with(tiles, "8", "2"));
  // One cell of the second window is nobody's; it may have been another row's, when there are few cells.
  refuted(with(rows, "7", "5"), "uninitialised");
  refuted(with(tiles, "13", "3"), "uninitialised");
}

}  // namespace check_initialised_test
}  // namespace hexproof
