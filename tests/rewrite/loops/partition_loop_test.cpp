#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace partition_loop_test {

constexpr const char* kText = R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    for i, j in T.grid(6, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] + 1
)";

Args parts(const PrimFunc& func, int64_t count) {
  return {{"at", nth<For>(func)}, {"count", count}, {"rest", std::string("i1")}};
}

TEST(PartitionLoop, InTwo) {
  expect_applies(kText, "partition-loop", parts(parse(kText), 2), R"(
def after(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    for i, j in T.grid(2, 4):
        with T.block("B"):
            vi = T.axis.spatial(6, i)
            vj = T.axis.spatial(4, j)
            B[vi, vj] = A[vi, vj] + 1
    for i1 in range(2, 6):
        for j in range(4):
            with T.block("B_i1"):
                vi = T.axis.spatial(6, i1)
                vj = T.axis.spatial(4, j)
                B[vi, vj] = A[vi, vj] + 1
)");
  for (int64_t count : {0, 6}) expect_applies(kText, "partition-loop", parts(parse(kText), count), "");
  // Floats whose rounding flags leave open are computed once, as before.
  const char* open = R"(
def before(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    for i in range(8):
        B[i] = A[i] * A[i] + B[i]
)";
  PrimFunc func = parse(open);
  EXPECT_EQ(difference(func, applied(func, "partition-loop", parts(func, 3))), "");
}

TEST(PartitionLoop, Condition1ThereAreSoManyIterations) {
  PrimFunc func = parse(kText);
  expect_refused_rightly(func, "partition-loop", parts(func, 7), "has so many iterations");
  expect_not_applicable(func, "partition-loop", parts(func, -1), "there are no -1 iterations");
  const PrimFunc symbolic = parse(R"(
def before(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    for i in range(n):
        A[i] = 1
)");
  expect_refused_rightly(symbolic, "partition-loop", parts(symbolic, 2), "has so many iterations", {{"n", 1}});
}

TEST(PartitionLoop, Condition2WhatStandsTwice) {
  const PrimFunc bound = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in T.thread_binding(8, thread="blockIdx.x"):
        A[i] = 1
)");
  expect_not_applicable(bound, "partition-loop", parts(bound, 2), "threads");
  std::string text = kText;
  text += "    with T.block(\"B_i1\"):\n        B[7, 3] = 0\n";
  const PrimFunc taken = parse(text);
  expect_not_applicable(taken, "partition-loop", parts(taken, 2), "there is a block 'B_i1' already");
  Args same = parts(parse(kText), 2);
  same["front"] = std::string("i1");
  EXPECT_TRUE(not_applicable(parse(kText), "partition-loop", same));
}

}  // namespace partition_loop_test
}  // namespace hexproof
