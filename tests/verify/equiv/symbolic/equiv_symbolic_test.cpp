// Symbolic comparison: loops, layouts of computation, arithmetic.
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"

namespace hexproof {
namespace equiv_symbolic_test {

const char* const kMatmul = R"(
def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        C[i, j] = T.float32(0)
        for k in range(8):
            C[i, j] = C[i, j] + A[i, k] * B[k, j]
)";

TEST(EquivSymbolic, LoopsTiledAndReordered) {
  const char* tiled = R"(
def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        C[i, j] = T.float32(0)
    for io, jo, k, ii, ji in T.grid(2, 4, 8, 4, 2):
        C[io * 4 + ii, jo * 2 + ji] = C[io * 4 + ii, jo * 2 + ji] + A[io * 4 + ii, k] * B[k, jo * 2 + ji]
)";
  const char* backwards = R"(
def f(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        C[i, j] = T.float32(0)
        for k in range(8):
            C[i, j] = C[i, j] + A[i, 7 - k] * B[7 - k, j]
)";
  EXPECT_PROVED(kMatmul, tiled);
  EXPECT_REFUTED(kMatmul, backwards);  // floats are not summed in another order
  std::string whole = backwards, ints = kMatmul;
  for (std::string* s : {&whole, &ints}) {
    for (size_t at; (at = s->find("float32")) != std::string::npos;) s->replace(at, 7, "int32");
  }
  EXPECT_PROVED(ints, whole);
}

TEST(EquivSymbolic, CommutedFloats) {
  EXPECT_PROVED(on("float32", "for i in range(16):\n    B[i] = A[i] * A[15 - i] + A[0]"),
                on("float32", "for i in range(16):\n    B[i] = A[0] + A[15 - i] * A[i]"));
  EXPECT_REFUTED(on("float32", "for i in range(16):\n    B[i] = T.max(A[i], A[15 - i])"),
                 on("float32", "for i in range(16):\n    B[i] = T.max(A[15 - i], A[i])"));
  EXPECT_PROVED(on("int32", "for i in range(16):\n    B[i] = T.max(A[i], A[15 - i])"),
                on("int32", "for i in range(16):\n    B[i] = T.max(A[15 - i], A[i])"));
}

// A sum that started at 0.0 is never -0.0, and a zero of either sign is nothing to it.
TEST(EquivSymbolic, ZerosAddedToASum) {
  auto sum = [](const std::string& start, const std::string& count) {
    return on("float32", "for i in range(14, 16):\n    T.assume(A[i] == T.float32(0))\nB[0] = T.float32(" + start +
                             ")\nfor i in range(" + count + "):\n    B[0] = B[0] + A[i]");
  };
  EXPECT_PROVED(sum("0", "14"), sum("0", "16"));
  auto last = [](const std::string& start, const std::string& store) {
    return on("float32", "T.assume(A[0] == T.float32(0))\nB[0] = T.float32(" + start + ")\n" + store);
  };
  EXPECT_PROVED(last("0", "B[0] = B[0] + A[0]"), last("0", "B[1] = B[1]"));
  EXPECT_REFUTED(last("-0.0", "B[0] = B[0] + A[0]"), last("-0.0", "B[1] = B[1]"));
}

TEST(EquivSymbolic, SignOfZeroAndNan) {
  EXPECT_REFUTED(on("float32", "for i in range(16):\n    B[i] = A[i] + T.float32(0)"),
                 on("float32", "for i in range(16):\n    B[i] = A[i]"));
  EXPECT_PROVED(on("float32", "for i in range(16):\n    B[i] = A[i] * T.float32(1)"),
                on("float32", "for i in range(16):\n    B[i] = A[i]"));
  EXPECT_REFUTED(on("float32", "for i in range(16):\n    B[i] = A[i] - A[i]"),
                 on("float32", "for i in range(16):\n    B[i] = T.float32(0)"));
  EXPECT_REFUTED(on("float32", "for i in range(16):\n    B[i] = T.Select(A[i] < T.float32(0), A[0], A[1])"),
                 on("float32", "for i in range(16):\n    B[i] = T.Select(A[i] >= T.float32(0), A[1], A[0])"));
  EXPECT_PROVED(on("float32", "for i in range(16):\n    B[i] = T.Select(A[i] < T.float32(0), A[0], A[1])"),
                on("float32", "for i in range(16):\n    B[i] = T.Select(T.float32(0) > A[i], A[0], A[1])"));
}

TEST(EquivSymbolic, ExactFactorsAndPaddedZeros) {
  auto f = [](const std::string& value) { return on("float32", "for i in range(16):\n    B[i] = " + value); };
  EXPECT_PROVED(f("A[i] / T.float32(4)"), f("A[i] * T.float32(0.25)"));
  EXPECT_REFUTED(f("A[i] / T.float32(3)"), f("A[i] * T.float32(0.3333333432674408)"));
  EXPECT_PROVED(f("A[i] + A[i]"), f("T.float32(2) * A[i]"));
  // A sum that starts at +0.0 is never -0.0, so a padded zero does not show.
  EXPECT_PROVED(f("T.float32(0) + A[i]"), f("(T.float32(0) + A[i]) + T.float32(0)"));
  EXPECT_REFUTED(f("T.float32(-0.0) + A[i]"), f("(T.float32(-0.0) + A[i]) + T.float32(0)"));
}

TEST(EquivSymbolic, IntegersWrap) {
  EXPECT_PROVED(on("int8", "for i in range(16):\n    B[i] = A[i] * T.int8(100) + A[i] * T.int8(100)"),
                on("int8", "for i in range(16):\n    B[i] = A[i] * T.int8(-56)"));
  EXPECT_REFUTED(on("int8", "for i in range(16):\n    B[i] = (A[i] * T.int8(2)) // T.int8(2)"),
                 on("int8", "for i in range(16):\n    B[i] = A[i]"));
  EXPECT_PROVED(on("int8", "for i in range(16):\n    B[i] = A[i] & T.int8(7)"),
                on("int8", "for i in range(16):\n    B[i] = A[i] % T.int8(8)"));
  EXPECT_REFUTED(on("int8", "for i in range(16):\n    B[i] = A[i] & T.int8(7)"),
                 on("int8", "for i in range(16):\n    B[i] = T.truncmod(A[i], T.int8(8))"));
  EXPECT_PROVED(on("int32", "for i in range(16):\n    B[i] = (A[i] + A[0]) * A[1]"),
                on("int32", "for i in range(16):\n    B[i] = A[1] * A[i] + A[0] * A[1]"));
}

}  // namespace equiv_symbolic_test
}  // namespace hexproof
