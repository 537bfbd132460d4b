#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace vectorize_test {

TEST(Vectorize, IndependentIterations) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + B[i]
)";
  expect_applies(text, "vectorize", loop_i(parse(text)), R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.vectorized(16):
        B[i] = A[i] + B[i]
)");
}

TEST(Vectorize, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
)");
  expect_not_applicable(func, "vectorize", {{"at", nth<Store>(func)}}, "a loop");
  expect_not_applicable(func, "vectorize", {}, "argument 'at' is missing");
}

TEST(Vectorize, Condition1TheLoopIsNotSerial) {
  for (const char* kind : {"parallel", "vectorized", "unroll"}) {
    PrimFunc func = parse(std::string(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in T.)") + kind +
                          "(16):\n        A[i] = 1\n");
    expect_not_applicable(func, "vectorize", loop_i(func), "the loop is not serial");
  }
}

TEST(Vectorize, Condition1TheExtentIsNoNumberOfLanes) {
  for (const char* extent : {"n", "0", "-1", "4097"}) {
    PrimFunc func = parse(std::string(R"(
def before(A: T.Buffer((5000,), "int32"), n: T.int32):
    for i in range()") + extent +
                          "):\n        A[i] = 1\n");
    expect_not_applicable(func, "vectorize", loop_i(func), "no constant number of lanes");
  }
  const char* most = "def before(A: T.Buffer((5000,), 'int32')):\n    for i in range(4096):\n        A[i] = 1\n";
  expect_applies(most, "vectorize", loop_i(parse(most)), "");
}

TEST(Vectorize, Condition2Neighbours) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((17,), "int32")):
    for i in range(16):
        A[i + 1] = A[i]
)");
  expect_refused_rightly(func, "vectorize", loop_i(func), "no two iterations");
  PrimFunc apart = parse(R"(
def before(A: T.Buffer((32,), "int32")):
    for i in range(16):
        A[i + 16] = A[i]
)");
  EXPECT_EQ(difference(apart, applied(apart, "vectorize", loop_i(apart))), "");
}

// Accumulations into one cell race, whatever the ring.
TEST(Vectorize, Condition2AccumulationsRace) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((1,), "int32")):
    for i in range(16):
        C[0] = C[0] + A[i]
)");
  expect_refused_rightly(func, "vectorize", loop_i(func), "no two iterations");
}

// The first iteration assumes what the others rely on: run at once, they would rely on nothing.
TEST(Vectorize, Condition3AnAssumeOfAnEarlierIteration) {
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
  EXPECT_TRUE(refusal(first, "vectorize", loop_i(first)));
  // In order, the program ends at the assume; an iteration that comes before the first one divides.
  PrimFunc late = with(" or i > 0", "1, 8");
  EXPECT_EQ(error_of(first, {{"n", 0}}), ErrorKind::FalseAssume);
  EXPECT_EQ(error_of(late, {{"n", 0}}), ErrorKind::Operation);
  EXPECT_EQ(difference(each, applied(each, "vectorize", loop_i(each)), {{"n", 3}}), "");
}

}  // namespace vectorize_test
}  // namespace hexproof
