// compute-at of a block that stores to several buffers, as reductions of tuples do.
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace compute_at_several_test {

/// `%s` is the second update, `%i` its init.
std::string two_sums(std::string update, std::string init) {
  std::string text = R"(
def main(A: T.Buffer((8, 5), "int32"), B: T.Buffer((8, 3), "int32")):
    P = T.alloc_buffer((8,), "int32")
    Q = T.alloc_buffer((8,), "int32")
    for i, k in T.grid(8, 5):
        with T.block("P"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                P[vi] = 0
                %i
            P[vi] = P[vi] + A[vi, vk]
            %s
    for r, j in T.grid(8, 3):
        with T.block("C"):
            vr, vj = T.axis.remap("SS", [r, j])
            B[vr, vj] = P[vr] * Q[vr]
)";
  text.replace(text.find("%i"), 2, init);
  return text.replace(text.find("%s"), 2, update);
}

Args at(const std::string& loop) { return {{"block", std::string("P")}, {"loop", loop}}; }

TEST(ComputeAt, TwoSumsInOneBlock) {
  const char* after = R"(
def main(A: T.Buffer((8, 5), "int32"), B: T.Buffer((8, 3), "int32")):
    P = T.alloc_buffer((8,), "int32")
    Q = T.alloc_buffer((8,), "int32")
    for r in range(8):
        for ax0 in range(5):
            with T.block("P"):
                vi = T.axis.spatial(8, r)
                vk = T.axis.reduce(5, ax0)
                with T.init():
                    P[vi] = 0
                    Q[vi] = 0
                P[vi] = P[vi] + A[vi, vk]
                Q[vi] = Q[vi] + A[vi, vk] * P[vi]
        for j in range(3):
            with T.block("C"):
                vr, vj = T.axis.remap("SS", [r, j])
                B[vr, vj] = P[vr] * Q[vr]
)";
  expect_applies(two_sums("Q[vi] = Q[vi] + A[vi, vk] * P[vi]", "Q[vi] = 0").c_str(), "compute-at", at("r"), after);
}

// Each of the two must be set where the block runs again, at its own cell.
TEST(ComputeAt, Condition6BothCellsAreSetByTheInit) {
  auto refused = [](const std::string& update, const std::string& init, const std::string& why) {
    expect_not_applicable(parse(two_sums(update, init)), "compute-at", at("j"), why);
  };
  refused("Q[vi] = Q[vi] + A[vi, vk]", "P[vi] = 1", "does not set the cell");
  refused("Q[vi] = Q[vi] + A[vi, vk]", "Q[7 - vi] = 0", "does not set the cell");
  refused("Q[vi] = Q[vi] + A[vi, vk]", "Q[vi] = P[vi]", "does not set the cell");
  refused("Q[vi] = Q[vi] + P[7 - vi]", "Q[vi] = 0", "reads another cell of 'P'");
  refused("Q[7 - vi] = A[vi, vk]", "Q[7 - vi] = 0", "at other indices");
  refused("P[vi] = P[vi] * 2", "Q[vi] = 0", "twice");
  std::string func = two_sums("Q[vi] = Q[vi] + A[vi, vk]", "pass");
  func.replace(func.find("    for i, k"), 0, "    for i in range(8):\n        Q[i] = 0\n");
  expect_not_applicable_rightly(parse(func), "compute-at", at("j"), "does not set the cell", R"(
def main(A: T.Buffer((8, 5), "int32"), B: T.Buffer((8, 3), "int32")):
    P = T.alloc_buffer((8,), "int32")
    Q = T.alloc_buffer((8,), "int32")
    for i in range(8):
        Q[i] = 0
    for r, j in T.grid(8, 3):
        P[r] = 0
        for k in range(5):
            P[r] = P[r] + A[r, k]
            Q[r] = Q[r] + A[r, k]
        B[r, j] = P[r] * Q[r]
)");
}

// The second buffer is read outside of the loop: its cells would be gone once it is as small as its tile.
TEST(ComputeAt, Condition1TheSecondBufferIsReadElsewhere) {
  const std::string func = two_sums("Q[vi] = A[vi, vk]", "Q[vi] = 0") + R"(
    for i in range(8):
        B[i, 0] = B[i, 0] + Q[i]
)";
  expect_not_applicable_rightly(parse(func), "compute-at", at("r"), "'Q' is read outside of the loop, too", R"(
def main(A: T.Buffer((8, 5), "int32"), B: T.Buffer((8, 3), "int32")):
    Q = T.alloc_buffer((1,), "int32")
    for r, j in T.grid(8, 3):
        Q[0] = A[r, 4]
        B[r, j] = (A[r, 0] + A[r, 1] + A[r, 2] + A[r, 3] + A[r, 4]) * Q[0]
    for i in range(8):
        B[i, 0] = B[i, 0] + Q[0]
)");
}

// What is read of the second is not in the box of the first: all of both is computed.
TEST(ComputeAt, Condition2TheBoxHoldsTheCellsOfBoth) {
  std::string func = two_sums("Q[vi] = Q[vi] + A[vi, vk]", "Q[vi] = 0");
  func.replace(func.find("P[vr] * Q[vr]"), 13, "P[vr] * Q[7 - vr]");
  const PrimFunc before = parse(func), after = applied(before, "compute-at", at("r"));
  EXPECT_NE(print(after).find("for ax0, ax1 in T.grid(8, 5):"), std::string::npos) << print(after);
  const PrimFunc other = parse(R"(
def main(A: T.Buffer((8, 5), "int32"), B: T.Buffer((8, 3), "int32")):
    P = T.alloc_buffer((8,), "int32")
    Q = T.alloc_buffer((8,), "int32")
    for r in range(8):
        for v in range(8):
            P[v] = A[v, 0] + A[v, 1] + A[v, 2] + A[v, 3] + A[v, 4]
            Q[v] = P[r]
        for j in range(3):
            B[r, j] = P[r] * Q[7 - r]
)");
  EXPECT_NE(difference(before, other, {}, 40), "");
}

}  // namespace compute_at_several_test
}  // namespace hexproof
