#include "tests/rewrite/support.h"

namespace hexproof {
namespace unit_loop_test {

TEST(UnitLoop, OneIteration) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(3, 4):
        B[i] = A[i] + i
)";
  expect_applies(text, "unit-loop", loop_i(parse(text)), R"(
def after(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    B[3] = A[3] + 3
)");
}

TEST(UnitLoop, OneIterationByWhatIsKnown) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    if n >= 4 and n < 8:
        for i in range(n // 4):
            A[i] = n
)";
  expect_applies(text, "unit-loop", loop_i(parse(text)), "", {{"n", 7}});
}

TEST(UnitLoop, Condition1ItMayRunZeroOrTwoTimes) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    if n >= 0 and n < 8:
        for i in range(n // 4):
            A[i] = n
)");
  expect_refused_rightly(func, "unit-loop", loop_i(func), "exactly once", {{"n", 3}});
  PrimFunc two = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(2):
        A[i] = 1
)");
  expect_refused_rightly(two, "unit-loop", loop_i(two), "exactly once");
}

// The start is evaluated at each use, after the body has written what it reads.
TEST(UnitLoop, Condition2AStartThatIsData) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(A[0], A[0] + 1):
        A[0] = i
)");
  EXPECT_TRUE(not_applicable(func, "unit-loop", loop_i(func)));
  PrimFunc twice = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    A[0] = 4
    for i in T.serial(A[0], A[0] + 1):
        A[0] = 2
        A[1] = i
)");
  EXPECT_NE(difference(twice, parse(R"(
def wrong(A: T.Buffer((16,), "int32")):
    A[0] = 4
    A[0] = 2
    A[1] = A[0]
)")),
            "");
}

TEST(UnitLoop, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(1):
        A[0] = i
)");
  EXPECT_TRUE(not_applicable(func, "unit-loop", {{"at", nth<Store>(func)}}));
  EXPECT_TRUE(not_applicable(func, "unit-loop", {}));
}

}  // namespace unit_loop_test
}  // namespace hexproof
