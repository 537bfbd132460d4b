#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace join_conditions_test {

TEST(JoinConditions, AndBack) {
  const char* nested = R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        if i > n:
            if i % 3 == 0:
                A[i] = 1
)";
  const char* joined = R"(
def after(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        if i > n and i % 3 == 0:
            A[i] = 1
)";
  expect_applies(nested, "join-conditions", {{"at", nth<If>(parse(nested))}}, joined, {{"n", 5}});
  expect_applies(joined, "join-conditions", {{"at", nth<If>(parse(joined))}, {"back", int64_t{1}}}, nested, {{"n", 5}});
}

TEST(JoinConditions, DoesNotApply) {
  for (const char* body : {"        if i > n:\n            if A[i] == 0:\n                A[i] = 1\n",
                           "        if i > n:\n            if i > 3:\n                A[i] = 1\n            A[i] = 2\n",
                           "        if i > n:\n            if i > 3:\n                A[i] = 1\n            else:\n"
                           "                A[i] = 2\n",
                           "        if i > n:\n            if i > 3:\n                A[i] = 1\n        else:\n"
                           "            A[i] = 2\n"}) {
    PrimFunc func =
        parse(std::string("def f(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    for i in range(16):\n") + body);
    EXPECT_TRUE(not_applicable(func, "join-conditions", {{"at", nth<If>(func)}})) << body;
  }
}

// `and` evaluates both sides.
TEST(JoinConditions, Condition1AnErrorThatTheOuterOneGuards) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        if n > 0:
            if i % n == 0:
                A[i] = 1
)");
  expect_refused_rightly(func, "join-conditions", {{"at", nth<If>(func)}}, "is no error where the one around it",
                         {{"n", 0}});
}

// The arithmetic of a read is no error; the read is one, where the outer condition does not hold.
TEST(JoinConditions, Condition2AConditionThatReadsMemory) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 8:
            if A[i] == 0:
                B[i] = 1
)");
  expect_not_applicable_rightly(func, "join-conditions", {{"at", nth<If>(func)}}, "depends on a buffer's content", R"(
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 8 and A[i] == 0:
            B[i] = 1
)");
  PrimFunc undef = parse(R"(
def before(B: T.Buffer((16,), "int32"), n: T.int32):
    if n > 0:
        if 8 // T.undef(dtype="int32") > 2:
            B[0] = 1
)");
  expect_not_applicable(undef, "join-conditions", {{"at", nth<If>(undef)}}, "depends on a buffer's content");
}

TEST(JoinConditions, BackNeedsAnAnd) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 3 or i > 6:
            A[i] = 1
)");
  expect_not_applicable(func, "join-conditions", {{"at", nth<If>(func)}, {"back", int64_t{1}}}, "no `and`");
}

}  // namespace join_conditions_test
}  // namespace hexproof
