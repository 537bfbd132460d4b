// reindex-loops and sch.sequential_buffer_access: RFC 77's examples, and every way in which they say no.
#include "tests/rewrite/loops/reindex_loops.h"

#include "tests/rewrite/traps/traps.h"

namespace hexproof {
namespace reindex_loops_test {

using namespace reindexing;

TEST(ReindexLoops, AnOutput) {
  expect_sequential(rfc_output(16), R"(
sch.transform_layout("compute", ("write", 0), lambda i: [i // 4, i % 4])
sch.sequential_buffer_access("compute", ("write", 0))
)",
                    R"(
def func(A: T.Buffer((4, 4), "int32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            A[io, ii] = io * 4 + ii
)");
}

TEST(ReindexLoops, AnOutputWithPadding) {
  expect_sequential(rfc_output(14), R"(
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4])
sch.sequential_buffer_access(block="compute", buffer="A")
)",
                    R"(
def func(A: T.Buffer((4, 4), "int32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if io * 4 + ii < 14:
                A[io, ii] = io * 4 + ii
)");
  // Padding in front, too.
  expect_sequential(rfc_output(14), R"(
sch.transform_layout("compute", "A", lambda i: [(i + 2) // 8, (i + 2) % 8])
sch.sequential_buffer_access("compute", "A")
)",
                    R"(
def func(A: T.Buffer((2, 8), "int32")):
    with T.block("compute"):
        for io, ii in T.grid(2, 8):
            if io * 8 + ii >= 2:
                A[io, ii] = io * 8 + ii - 2
)");
}

TEST(ReindexLoops, SymbolicExtents) {
  for (int64_t n : {1, 3, 4, 9}) {
    expect_sequential(R"(
def func(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        with T.block("compute"):
            vi = T.axis.spatial(n, i)
            B[vi] = A[vi] * T.float32(2)
)",
                      R"(
sch.transform_layout("compute", "B", lambda i: [i // 4, i % 4])
sch.sequential_buffer_access("compute", ("write", 0))
)",
                      R"(
def func(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, ((n + 3) // 4, 4), "float32")
    for io, ii in T.grid((n + 3) // 4, 4):
        if io * 4 + ii < n:
            with T.block("compute"):
                vi = T.axis.spatial(n, io * 4 + ii)
                B[vi // 4, vi % 4] = A[vi] * T.float32(2)
)",
                      {{"n", n}});
  }
}

constexpr const char* kConv1d = R"(
def func(A: T.Buffer((16,), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((14,), "int32")):
    with T.block("compute"):
        for i in range(14):
            B[i] = 0
            for f in range(3):
                B[i] = B[i] + F[f] * A[i + f]
)";
constexpr const char* kLayouts = R"(
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4])
sch.transform_layout("compute", "B", lambda i: [i // 4, i % 4])
)";

TEST(ReindexLoops, ConvolutionByItsOutput) {
  expect_sequential(kConv1d, std::string(kLayouts) + "sch.sequential_buffer_access('compute', 'B')\n", R"(
def func(A: T.Buffer((4, 4), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((4, 4), "int32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if io * 4 + ii < 14:
                B[io, ii] = 0
                for f in range(3):
                    B[io, ii] = B[io, ii] + F[f] * A[io + (ii + f) // 4, (ii + f) % 4]
)");
}

TEST(ReindexLoops, ConvolutionByItsInputSplitsTheInitOff) {
  expect_sequential(kConv1d, std::string(kLayouts) + "sch.sequential_buffer_access('compute', 'A')\n", R"(
def func(A: T.Buffer((4, 4), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((4, 4), "int32")):
    with T.block("compute"):
        for i in range(14):
            B[i // 4, i % 4] = 0
        for io, ii, f in T.grid(4, 4, 3):
            if io * 4 + ii - f >= 0 and io * 4 + ii - f < 14:
                B[io + (ii - f) // 4, (ii - f) % 4] = B[io + (ii - f) // 4, (ii - f) % 4] + F[f] * A[io, ii]
)");
}

constexpr const char* kFullConv = R"(
def func(A: T.Buffer((16,), "DTYPE"), F: T.Buffer((3,), "DTYPE"), B: T.Buffer((18,), "DTYPE")):
    ATTR
    with T.block("compute"):
        for i in range(18):
            B[i] = T.DTYPE(0)
            for f in range(3):
                if 0 <= i - f and i - f < 16:
                    B[i] = B[i] + F[f] * A[i - f]
)";
constexpr const char* kFullLayouts = R"(
sch.transform_layout("compute", "A", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=0)
sch.transform_layout("compute", "B", lambda i: [(i + 2) // 8, (i + 2) % 8], pad_value=0)
sch.sequential_buffer_access("compute", "A")
)";

// The input from its first element to its last meets the taps of one output from the last to the first: integers do
// not care, floats do.
TEST(ReindexLoops, AFullConvolutionByItsInput) {
  std::string program = put(kFullConv, "    ATTR\n", "");
  Derivation d = scheduled(put(program, "DTYPE", "int32"), kFullLayouts);
  std::string text = print(d.current());
  EXPECT_NE(text.find("for io, ii, f in T.grid(3, 8, 3)"), std::string::npos) << text;
  EXPECT_NE(text.find("F[f] * A[io, ii]"), std::string::npos) << text;
  EXPECT_NE(text.find("B[io + (ii + f) // 8, (ii + f) % 8]"), std::string::npos) << text;
  expect_related(d);

  std::string message =
      failure<PrimitiveRefused>(put(program, "DTYPE", "float32"), "sch.sequential_buffer_access('compute', 'A')\n");
  EXPECT_NE(message.find("iterations whose order changes"), std::string::npos) << message;
  std::string granted = put(kFullConv, "ATTR", "T.func_attr({\"hexproof.fp\": \"reassoc\"})");
  scheduled(put(granted, "DTYPE", "float32"), kFullLayouts);
}

TEST(ReindexLoops, TheRunningSumHasNoLegalOrder) {
  std::string message = failure<PrimitiveRefused>(R"(
def func(A: T.Buffer((16,), "int32"), F: T.Buffer((3,), "int32"), B: T.Buffer((14,), "int32")):
    with T.block("compute"):
        for i in range(14):
            if i == 0:
                B[i] = 0
            else:
                B[i] = B[i - 1]
            for f in range(3):
                B[i] = B[i] + F[f] * A[i + f]
)",
                                                  "sch.sequential_buffer_access('compute', 'A')\n");
  EXPECT_NE(message.find("touches no cell"), std::string::npos) << message;
  EXPECT_NE(message.find("B["), std::string::npos) << message;
}

TEST(ReindexLoops, AReductionReadsItsInputInOrder) {
  // Every element of A is read once, so the reduction loop itself goes.
  expect_sequential(R"(
def func(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    with T.block("compute"):
        B[0] = 0
        for i in range(14):
            B[0] = B[0] + A[i]
)",
                    R"(
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4])
sch.sequential_buffer_access("compute", "A")
)",
                    R"(
def func(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
    with T.block("compute"):
        B[0] = 0
        for io, ii in T.grid(4, 4):
            if io * 4 + ii < 14:
                B[0] = B[0] + A[io, ii]
)");
}

constexpr const char* kMatmul = R"(
def func(A: T.Buffer((6, 5), "float32"), B: T.Buffer((5, 8), "float32"), C: T.Buffer((6, 8), "float32")):
    for k, i, j in T.grid(5, 6, 8):
        with T.block("C"):
            vk, vi, vj = T.axis.remap("RSS", [k, i, j])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";

TEST(ReindexLoops, LoopsOf64Bits) {
  expect_sequential(R"(
def func(A: T.Buffer((14,), "float32"), B: T.Buffer((3, 5), "float32")):
    for i in range(T.int64(14)):
        B[i % T.int64(3), i // T.int64(3)] = A[i]
)",
                    "sch.sequential_buffer_access('root', 'B')\n", R"(
def func(A: T.Buffer((14,), "float32"), B: T.Buffer((3, 5), "float32")):
    for io, ii in T.grid(T.int64(3), T.int64(5)):
        if ii * T.int64(3) + io < T.int64(14):
            B[io, ii] = A[ii * T.int64(3) + io]
)");
  // Symbolic sizes, for all n.
  Derivation symbolic = scheduled(R"(
def func(a: T.handle, b: T.handle, n: T.int64):
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (T.int64(3), (n + T.int64(2)) // T.int64(3)), "float32")
    for i in range(n):
        B[i % T.int64(3), i // T.int64(3)] = A[i]
)",
                                  "sch.sequential_buffer_access('root', 'B')\n");
  std::string text = print(symbolic.current());
  EXPECT_NE(text.find("B[io, ii] = A[ii * T.int64(3) + io]"), std::string::npos) << text;
  // An index that is cut to 32 bits, a constant that needs more, and loops of both widths.
  for (const char* index :
       {"T.Cast(\"int64\", T.Cast(\"int32\", i)) % T.int64(6)", "T.int64(4294967301) - i - T.int64(4294967296)"}) {
    PrimFunc func = parse(
        put("def func(A: T.Buffer((6,), 'int32')):\n    for i in range(T.int64(6)):\n        A[X] = 1\n", "X", index));
    EXPECT_TRUE(not_applicable(func, "reindex-loops", nest_of(func, "i", 1, "A"))) << index;
  }
  PrimFunc mixed = parse(
      "def func(A: T.Buffer((6, 6), 'int32')):\n    for i in range(T.int64(6)):\n        for j in range(6):\n          "
      "  A[5 - i, 5 - j] = 1\n");
  EXPECT_TRUE(not_applicable(mixed, "reindex-loops", nest_of(mixed, "i", 2, "A")));
}

// What a binding stands for depends on the loops that go.
TEST(ReindexLoops, BindingsOfIndices) {
  expect_sequential(R"(
def func(A: T.Buffer((16,), "int32"), B: T.Buffer((14,), "int32")):
    with T.block("compute"):
        for i in range(14):
            k = i + 2
            B[i] = A[k] * A[k - 1]
)",
                    R"(
sch.transform_layout("compute", "A", lambda i: [i // 4, i % 4])
sch.sequential_buffer_access("compute", "A")
)",
                    "");
  expect_sequential(R"(
def func(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        k = 13 - i
        v = B[i]
        A[k] = k + v
)",
                    "sch.sequential_buffer_access('root', 'A')\n", R"(
def func(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        v: T.int32 = B[13 - i]
        A[i] = i + v
)");
}

// Parallel loops may run in any order, so in this one.
TEST(ReindexLoops, ParallelLoops) {
  expect_sequential(R"(
def func(A: T.Buffer((4, 6), "int32"), B: T.Buffer((6,), "int32")):
    for i in T.parallel(6):
        for j in range(4):
            A[3 - j, i] = B[i] + j
)",
                    "sch.sequential_buffer_access('root', 'A')\n", R"(
def func(A: T.Buffer((4, 6), "int32"), B: T.Buffer((6,), "int32")):
    for j, i in T.grid(4, 6):
        A[j, i] = B[i] + (3 - j)
)");
}

TEST(ReindexLoops, LoopsThatDoNotOccurStayInside) {
  Derivation d = scheduled(kMatmul, R"(
sch.transform_layout("C", ("write", 0), lambda i, j: [j // 4, i, j % 4])
sch.sequential_buffer_access("C", ("write", 0))
)");
  std::string text = print(d.current());
  EXPECT_NE(text.find("for jo, i, ji, k in T.grid(2, 6, 4, 5)"), std::string::npos) << text;
  EXPECT_NE(text.find("T.axis.spatial(8, jo * 4 + ji)"), std::string::npos) << text;
  expect_related(d);
}

TEST(ReindexLoops, ABlockWithAnInitByItsInput) {
  Derivation d = scheduled(R"(
def func(A: T.Buffer((16,), "float32"), B: T.Buffer((14,), "float32")):
    for i, f in T.grid(14, 3):
        with T.block("B"):
            vi, vf = T.axis.remap("SR", [i, f])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi + vf]
)",
                           "sch.sequential_buffer_access('B', 'A')\n");
  std::string text = print(d.current());
  EXPECT_NE(text.find("T.grid(16, 3)"), std::string::npos) << text;
  expect_related(d);
}

TEST(ReindexLoops, StridesAndStarts) {
  expect_sequential(R"(
def func(A: T.Buffer((16,), "int32"), B: T.Buffer((10,), "int32")):
    for i, f in T.grid(5, 3):
        with T.block("compute"):
            B[i + 2] = B[i + 2] + A[i * 2 + f]
)",
                    "sch.sequential_buffer_access('compute', 'A')\n", "");
  expect_sequential(R"(
def func(A: T.Buffer((10,), "int32")):
    for i in range(3, 8):
        with T.block("compute"):
            A[10 - i] = i
)",
                    "sch.sequential_buffer_access('compute', 'A')\n", "");
}

// A nest that is in order stays, also one whose access stands deeper than the perfect nest; the other ones change.
TEST(ReindexLoops, WhatIsInOrderStays) {
  const char* text = R"(
def func(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4,), "int32")):
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            A[i, j] = 0
    for i in range(4):
        B[i] = 0
        for j in range(4):
            B[i] = B[i] + A[i, j]
    for i, j, k in T.grid(4, 4, 2):
        A[i, j] = A[i, j] + k
)";
  Derivation same = scheduled(text, "sch.sequential_buffer_access('root', 'A')\n");
  EXPECT_TRUE(same.steps().empty()) << print(same.current());
  std::string changed = put(put(text, "A[i, j] = 0", "A[j, i] = 0"), "i * 4 + j", "j * 4 + i");
  Derivation one = scheduled(changed, "sch.sequential_buffer_access('root', 'A')\n");
  ASSERT_FALSE(one.steps().empty());
  EXPECT_TRUE(same_program(one.current(), same.current())) << print(one.current());
}

// By name, a nest that writes the buffer is ordered by what it writes, and one that only reads it by what it reads.
TEST(ReindexLoops, TheWholeBody) {
  expect_sequential(R"(
def func(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    A_local = T.alloc_buffer((4, 4), "int32")
    for i in range(14):
        A_local[i // 4, i % 4] = A[i]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            A_local[io, ii] = 0
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A_local[i // 4, i % 4]
)",
                    "sch.sequential_buffer_access('root', 'A_local')\n", R"(
def func(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    A_local = T.alloc_buffer((4, 4), "int32")
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            A_local[io, ii] = A[io * 4 + ii]
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            A_local[io, ii] = 0
    B[0] = 0
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[0] = B[0] + A_local[io, ii]
)");
}

}  // namespace reindex_loops_test
}  // namespace hexproof
