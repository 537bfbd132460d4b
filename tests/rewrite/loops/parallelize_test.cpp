#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace parallelize_test {

TEST(Parallelize, IndependentIterations) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + B[i]
)";
  expect_applies(text, "parallelize", loop_i(parse(text)), R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.parallel(16):
        B[i] = A[i] + B[i]
)");
}

TEST(Parallelize, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
)");
  expect_not_applicable(func, "parallelize", {{"at", nth<Store>(func)}}, "a loop");
  expect_not_applicable(func, "parallelize", {}, "argument 'at' is missing");
}

TEST(Parallelize, Condition1TheLoopIsNotSerial) {
  for (const char* kind : {"parallel", "vectorized", "unroll"}) {
    PrimFunc func = parse(std::string(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in T.)") + kind +
                          "(16):\n        A[i] = 1\n");
    expect_not_applicable(func, "parallelize", loop_i(func), "the loop is not serial");
  }
}

TEST(Parallelize, Condition2ScratchOfTheIteration) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            S = T.alloc_buffer((1,), "float32")
            S[0] = A[vi]
            B[vi] = S[0]
)";
  expect_applies(text, "parallelize", loop_i(parse(text)), "");
  PrimFunc shared = parse(R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), S: T.Buffer((1,), "float32")):
    for i in range(16):
        S[0] = A[i]
        B[i] = S[0]
)");
  expect_refused_rightly(shared, "parallelize", loop_i(shared), "no two iterations");
}

TEST(Parallelize, Condition2Neighbours) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((17,), "int32")):
    for i in range(16):
        A[i + 1] = A[i]
)");
  expect_refused_rightly(func, "parallelize", loop_i(func), "no two iterations");
  PrimFunc apart = parse(R"(
def before(A: T.Buffer((32,), "int32")):
    for i in range(16):
        A[i + 16] = A[i]
)");
  EXPECT_EQ(difference(apart, applied(apart, "parallelize", loop_i(apart))), "");
}

// Accumulations into one cell race, whatever the ring.
TEST(Parallelize, Condition2AccumulationsRace) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((1,), "int32")):
    for i in range(16):
        C[0] = C[0] + A[i]
)");
  expect_refused_rightly(func, "parallelize", loop_i(func), "no two iterations");
}

// The first iteration assumes what the others rely on: run at once, they would rely on nothing.
TEST(Parallelize, Condition3AnAssumeOfAnEarlierIteration) {
  const std::string text = R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        T.assume(n > 0WHEN)
        A[i] = 8 // n
)";
  auto with = [&](const std::string& when, const std::string& range = "8") {
    std::string out = text;
    out.replace(out.find("WHEN"), 4, when);
    return parse(out.replace(out.find("range(8"), 7, "range(" + range));
  };
  PrimFunc first = with(" or i > 0"), each = with("");
  EXPECT_TRUE(refusal(first, "parallelize", loop_i(first)));
  // In order, the program ends at the assume; an iteration that comes before the first one divides.
  PrimFunc late = with(" or i > 0", "1, 8");
  EXPECT_EQ(error_of(first, {{"n", 0}}), ErrorKind::FalseAssume);
  EXPECT_EQ(error_of(late, {{"n", 0}}), ErrorKind::Operation);
  EXPECT_EQ(difference(each, applied(each, "parallelize", loop_i(each)), {{"n", 3}}), "");
}

TEST(Parallelize, Condition2OverlapOnlyAtTheEnd) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((64,), "int32")):
    for i in range(9):
        for j in range(8):
            A[(i * 8 + j) % 64] = i
)");
  expect_refused_rightly(func, "parallelize", loop_i(func), "no two iterations");
  PrimFunc eight = parse(R"(
def before(A: T.Buffer((64,), "int32")):
    for i in range(8):
        for j in range(8):
            A[(i * 8 + j) % 64] = i
)");
  EXPECT_EQ(difference(eight, applied(eight, "parallelize", loop_i(eight))), "");
}

}  // namespace parallelize_test
}  // namespace hexproof
