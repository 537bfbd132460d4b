#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace bind_test {

Args to(const Path& at, const std::string& axis) { return {{"at", at}, {"thread", axis}}; }

constexpr const char* kText = R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    for i, j in T.grid(8, 4):
        B[i, j] = A[i, j] + 1
)";

TEST(Bind, ToAnAxis) {
  PrimFunc func = parse(kText);
  PrimFunc after = applied(func, "bind", to(nth<For>(func, 0), "blockIdx.x"));
  EXPECT_NE(print(after).find("T.thread_binding(8, thread=\"blockIdx.x\")"), std::string::npos) << print(after);
  EXPECT_EQ(difference(func, after), "");
  EXPECT_EQ(difference(func, applied(after, "bind", to(nth<For>(after, 1), "threadIdx.x"))), "");
}

TEST(Bind, Condition1WhatIsNoAxisOrMeansMore) {
  PrimFunc func = parse(kText);
  expect_not_applicable(func, "bind", to(nth<For>(func), "threadIdx.w"), "no axis of threads");
  PrimFunc bound = applied(func, "bind", to(nth<For>(func, 0), "threadIdx.x"));
  expect_not_applicable(bound, "bind", to(nth<For>(bound, 1), "threadIdx.x"), "a second loop over");
  expect_not_applicable(bound, "bind", to(nth<For>(bound, 0), "threadIdx.y"), "not serial");
  PrimFunc shared = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32", scope="shared")
    for i in range(8):
        S[i] = A[i]
    for i in range(8):
        B[i] = S[7 - i]
)");
  expect_not_applicable(shared, "bind", to(nth<For>(shared), "threadIdx.x"), "shared");
}

TEST(Bind, Condition2IterationsThatSeeEachOther) {
  PrimFunc sum = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    for i in range(8):
        B[0] = B[0] + A[i]
)");
  EXPECT_TRUE(refusal(sum, "bind", to(nth<For>(sum), "threadIdx.x")));
  EXPECT_NE(difference(sum, proposed(sum, "bind", to(nth<For>(sum), "threadIdx.x"))), "");
}

TEST(Bind, Condition3AnAssumeOfAnEarlierIteration) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        if i == 0:
            T.assume(n >= 0 and n < 8)
        B[i] = A[n]
)");
  EXPECT_TRUE(refusal(func, "bind", to(nth<For>(func), "threadIdx.x")));
}

}  // namespace bind_test
}  // namespace hexproof
