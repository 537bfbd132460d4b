#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace fold_buffer_test {

constexpr const char* kRule = "fold-buffer";

constexpr const char* kWindow = R"(
def before(A: T.Buffer((10,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for i in range(8):
        for x in range(3):
            B[i + x] = A[i + x] * 2
        C[i] = B[i] + B[i + 1] + B[i + 2]
)";

Args fold(int64_t factor, const std::string& buffer = "B", int64_t axis = 0) {
  return {{"buffer", buffer}, {"axis", axis}, {"factor", factor}};
}

TEST(FoldBuffer, AWindow) {
  expect_applies(kWindow, kRule, fold(3), R"(
def after(A: T.Buffer((10,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((3,), "int32")
    for i in range(8):
        for x in range(3):
            B[(i + x) % 3] = A[i + x] * 2
        C[i] = B[i % 3] + B[(i + 1) % 3] + B[(i + 2) % 3]
)");
  expect_applies(kWindow, kRule, fold(7), "");
}

TEST(FoldBuffer, VariablesOfBlocksAreSpatialNoMore) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((6, 4), "int32"), C: T.Buffer((6, 4), "int32")):
    B = T.alloc_buffer((6, 4), "int32")
    for i in range(6):
        for j in range(4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * 2
        for j in range(4):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[vi, vj]
)");
  const PrimFunc after = applied(func, kRule, fold(1));
  EXPECT_EQ(difference(func, after), "");
  EXPECT_NE(print(after).find("T.axis.remap(\"OS\", [i, j])"), std::string::npos) << print(after);
  EXPECT_NE(print(after).find("remap(\"SS\", [i, j])"), std::string::npos) << print(after);  // of the block that reads
}

TEST(FoldBuffer, DoesNotApply) {
  const PrimFunc func = parse(kWindow);
  EXPECT_TRUE(not_applicable(func, kRule, fold(10)));
  EXPECT_TRUE(not_applicable(func, kRule, fold(0)));
  EXPECT_TRUE(not_applicable(func, kRule, fold(3, "B", 1)));
  EXPECT_TRUE(not_applicable(func, kRule, fold(3, "B", -1)));
  EXPECT_TRUE(not_applicable(func, kRule, fold(3, "D")));
}

TEST(FoldBuffer, Condition1AnAllocationThatNothingElseSpeaksOf) {
  expect_not_applicable(parse(kWindow), kRule, fold(3, "C"), "is an argument");
  EXPECT_TRUE(not_applicable(parse(R"(
def before(C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    D = T.decl_buffer((8,), "int32", data=B.data)
    for i in range(8):
        B[i] = i
        C[i] = D[i]
)"),
                             kRule, fold(2)));
  expect_not_applicable(parse(R"(
def before(C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        B[i] = i
        T.assume(B[i] == i)
        C[i] = B[i]
)"),
                        kRule, fold(2), "an assume speaks of 'B'");
}

TEST(FoldBuffer, Condition2NothingIsOverwrittenThatIsStillNeeded) {
  expect_refused_rightly(parse(kWindow), kRule, fold(2), "no cell is accessed once a later one has its place");
  // What is read one iteration later, too.
  expect_refused_rightly(parse(R"(
def before(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((9,), "int32")
    B[0] = 5
    for i in range(8):
        B[i + 1] = A[i]
        C[i] = B[i]
)"),
                         kRule, fold(1), "no cell is accessed once a later one has its place");
  // The whole buffer is written before anything is read.
  expect_refused_rightly(parse(R"(
def before(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        B[i] = A[i]
    for i in range(8):
        C[i] = B[i]
)"),
                         kRule, fold(4), "no cell is accessed once a later one has its place");
  // Downwards, a later iteration writes smaller cells.
  expect_refused_rightly(parse(R"(
def before(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((9,), "int32")
    for i in range(9):
        B[8 - i] = 1
        if i >= 1:
            C[i - 1] = B[9 - i] + A[i - 1]
            B[8 - i] = A[i - 1]
)"),
                         kRule, fold(1), "no cell is accessed once a later one has its place");
}

TEST(FoldBuffer, Condition3IterationsAtTheSameTime) {
  expect_refused_rightly(parse(R"(
def before(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in T.parallel(8):
        B[i] = A[i]
        C[i] = B[i]
)"),
                         kRule, fold(4), "share no place");
  expect_applies(R"(
def before(A: T.Buffer((8, 4), "int32"), C: T.Buffer((8, 4), "int32")):
    B = T.alloc_buffer((8, 4), "int32")
    for i in range(8):
        for j in T.parallel(4):
            B[i, j] = A[i, j]
            C[i, j] = B[i, j]
)",
                 kRule, fold(2), "");
}

TEST(FoldBuffer, Condition4TheBufferFits) {
  const PrimFunc func = parse(R"(
def before(c: T.handle, n: T.int32):
    C = T.match_buffer(c, (n,), "int32")
    B = T.alloc_buffer((n,), "int32")
    for i in range(n):
        B[i] = i
        C[i] = B[i]
)");
  EXPECT_TRUE(refusal(func, kRule, fold(2147483647)));
  EXPECT_EQ(difference(func, applied(func, kRule, fold(16)), {{"n", 20}}), "");
}

}  // namespace fold_buffer_test
}  // namespace hexproof
