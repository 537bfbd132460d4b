#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace compute_at_in_loops_test {

Args at(const std::string& block, const std::string& loop) { return {{"block", block}, {"loop", loop}}; }

/// A recurrence over t: what a step computes first, and its result, which reads `what` of it and of time `when`.
std::string recurrence(const std::string& when, const std::string& what) {
  return R"(
def main(X: T.Buffer((6, 8), "int32")):
    P = T.alloc_buffer((6, 8), "int32")
    for t in range(1, 6):
        for i in range(8):
            with T.block("P"):
                vt = T.axis.spatial((1, 6), t)
                vi = T.axis.spatial(8, i)
                P[vt, vi] = X[)" +
         when + R"(, 7 - vi] * 2
        for j in range(8):
            with T.block("X"):
                vt = T.axis.opaque((1, 6), t)
                vj = T.axis.spatial(8, j)
                X[vt, vj] = )" +
         what + "\n";
}

// Of loops around both, one iteration is looked at.
TEST(ComputeAt, NextToItsReaderInALoop) {
  const PrimFunc func = parse(recurrence("vt - 1", "P[vt, vj] + 1"));
  const PrimFunc after = applied(func, "compute-at", at("P", "j"));
  EXPECT_EQ(difference(func, after), "");
  EXPECT_NE(print(after).find("P[vt, vi] = X[vt - 1, 7 - vi] * 2"), std::string::npos);
  EXPECT_EQ(print(after).find("for i"), std::string::npos) << print(after);
}

TEST(ComputeAt, Condition3WhatAnEarlierIterationOfALoopAroundComputed) {
  expect_refused_rightly(parse(R"(
def main(D: T.Buffer((8,), "int32"), X: T.Buffer((6, 8), "int32")):
    P = T.alloc_buffer((6, 8), "int32")
    for t in range(6):
        for i in range(8):
            with T.block("P"):
                vt, vi = T.axis.remap("SS", [t, i])
                P[vt, vi] = D[vi] * 2
        for j in range(8):
            with T.block("X"):
                vt, vj = T.axis.remap("SS", [t, j])
                X[vt, vj] = P[T.max(vt - 1, 0), vj]
        for k in range(8):
            D[k] = D[k] + 1
)"),
                         "compute-at", at("P", "j"), "was computed by the producer before");
}

TEST(ComputeAt, Condition4WhatTheSameIterationOfALoopAroundOverwrites) {
  expect_refused_rightly(parse(recurrence("vt", "P[vt, vj] + 1")), "compute-at", at("P", "j"),
                         "is not overwritten on the way");
}

}  // namespace compute_at_in_loops_test
}  // namespace hexproof
