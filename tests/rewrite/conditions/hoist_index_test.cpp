// hoist-index, and the pass that finds what to bind.
#include "rewrite/passes/passes.h"
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace hoist_index_test {

/// The expression at `expr` of the k-th store.
Args index(const PrimFunc& func, const std::string& loop, Path expr, size_t store = 0) {
  return {{"at", loop_named(func, loop)},
          {"statement", nth<Store>(func, store)},
          {"expr", std::move(expr)},
          {"name", std::string("x")}};
}

constexpr const char* kRows = R"(
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(3):
        for j in range(4):
            A[i * 4 + j] = B[i * 4 + j] + i * 4
)";

TEST(HoistIndex, ASumOfStrides) {
  PrimFunc func = parse(kRows);
  expect_applies(kRows, "hoist-index", index(func, "j", {0, 0}), R"(
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(3):
        x: T.int32 = i * 4
        for j in range(4):
            A[x + j] = B[x + j] + x
)");
}

// What reads memory may be another value each time; a constant or a variable is nothing to compute.
TEST(HoistIndex, Condition1IndexArithmeticAlone) {
  PrimFunc func = parse(kRows);
  EXPECT_TRUE(not_applicable(func, "hoist-index", index(func, "j", {0, 0, 0}))) << "nothing to compute";
  EXPECT_TRUE(not_applicable(func, "hoist-index", index(func, "j", {1}))) << "memory";
  PrimFunc data = parse(R"(
def main(A: T.Buffer((4,), "int32")):
    A[0] = 0
    for i in range(4):
        A[i] = A[0] + 1
)");
  EXPECT_TRUE(not_applicable(data, "hoist-index", index(data, "i", {1}, 1)));
  EXPECT_NE(difference(data, parse(R"(
def wrong(A: T.Buffer((4,), "int32")):
    A[0] = 0
    x: T.int32 = A[0] + 1
    for i in range(4):
        A[i] = x
)")),
            "");
}

// Bound inside: by the loop, by a let, by a block.
TEST(HoistIndex, Condition2WhatIsBoundInside) {
  PrimFunc func = parse(kRows);
  EXPECT_TRUE(not_applicable(func, "hoist-index", index(func, "j", {0}))) << "j is bound inside";
  PrimFunc let = parse(R"(
def main(A: T.Buffer((12,), "int32"), n: T.int32):
    for i in range(3):
        y: T.int32 = i + 1
        A[y * 2] = 1
)");
  expect_not_applicable(let, "hoist-index", index(let, "i", {0}), "which is bound inside");
}

// Trap 6: where the loop runs zero times, the expression was never evaluated.
TEST(HoistIndex, Condition3ALoopThatRunsZeroTimes) {
  const std::string text = R"(
def main(A: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    for i in range(EXTENT):
        A[(i + 8 // m) % 4] = 1
)";
  auto with = [&](const std::string& extent) {
    std::string out = text;
    return out.replace(out.find("EXTENT"), 6, extent);
  };
  PrimFunc func = parse(with("n"));
  std::optional<Refused> refused = refusal(func, "hoist-index", index(func, "i", {0, 0, 1}));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("evaluating it in front is no error"), std::string::npos);
  EXPECT_NE(difference(func, proposed(func, "hoist-index", index(func, "i", {0, 0, 1})), {{"n", 0}, {"m", 0}}), "");
  // Overflow counts as well.
  const std::string product = R"(
def main(A: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    for i in range(n):
        A[(i + m * m) % 4] = 1
)";
  PrimFunc large = parse(product);
  EXPECT_TRUE(refusal(large, "hoist-index", index(large, "i", {0, 0, 1})));
  EXPECT_NE(difference(large, proposed(large, "hoist-index", index(large, "i", {0, 0, 1})), {{"n", 0}, {"m", 1 << 20}}),
            "");
  // A divisor that is no zero.
  expect_applies(R"(
def main(A: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    if m > 0:
        for i in range(n):
            A[(i % 1000 + 8 // m) % 4] = 1
)",
                 "hoist-index",
                 {{"at", Path{0}}, {"statement", Path{0, 0}}, {"expr", Path{0, 0, 1}}, {"name", std::string("x")}}, "",
                 {{"n", 3}, {"m", 2}});
}

// RFC 77, "Future possibilities": each term as rarely as can be.
TEST(HoistIndex, ThePass) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((60,), "float32"), B: T.Buffer((60,), "float32")):
    for i, j, k in T.grid(3, 4, 5):
        A[i * 4 * 5 + j * 5 + k] = B[i * 4 * 5 + j * 5 + k]
)");
  Derivation d(func);
  Strategy s(d, test_prover());
  EXPECT_EQ(hoist_index_expressions(s), 2);
  expect_program(d.current(), R"(
def main(A: T.Buffer((60,), "float32"), B: T.Buffer((60,), "float32")):
    for i in range(3):
        i_term: T.int32 = i * 4 * 5
        for j in range(4):
            ij_term: T.int32 = i_term + j * 5
            for k in range(5):
                A[ij_term + k] = B[ij_term + k]
)");
  EXPECT_EQ(difference(func, d.current()), "");
}

}  // namespace hoist_index_test
}  // namespace hexproof
