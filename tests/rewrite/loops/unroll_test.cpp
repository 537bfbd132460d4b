#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace unroll_test {

TEST(Unroll, IndependentIterations) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + B[i]
)";
  expect_applies(text, "unroll", loop_i(parse(text)), R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.unroll(16):
        B[i] = A[i] + B[i]
)");
}

TEST(Unroll, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
)");
  expect_not_applicable(func, "unroll", {{"at", nth<Store>(func)}}, "a loop");
  expect_not_applicable(func, "unroll", {}, "argument 'at' is missing");
}

TEST(Unroll, TheLoopIsNotSerial) {
  for (const char* kind : {"parallel", "vectorized", "unroll"}) {
    PrimFunc func = parse(std::string(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in T.)") + kind +
                          "(16):\n        A[i] = 1\n");
    expect_not_applicable(func, "unroll", loop_i(func), "the loop is not serial");
  }
}

// Iterations that rely on each other stay in their order.
TEST(Unroll, AValueCarriedToTheNextIteration) {
  const char* text = R"(
def before(A: T.Buffer((17,), "float32"), C: T.Buffer((1,), "float32"), n: T.int32):
    for i in range(16):
        C[0] = C[0] + A[i]
        A[i + 1] = A[i] * C[0]
    for k in range(n):
        A[0] = A[0] + C[0]
)";
  expect_applies(text, "unroll", loop_i(parse(text)), "", {{"n", 3}});
  PrimFunc func = parse(text);
  PrimFunc after = applied(func, "unroll", {{"at", loop_named(func, "k")}});
  EXPECT_EQ(checked_at(after, loop_named(after, "k")).as<For>()->kind, ForKind::Unrolled);
  EXPECT_EQ(difference(func, after, {{"n", 3}}), "");
}

}  // namespace unroll_test
}  // namespace hexproof
