// compute_inline, reverse_compute_inline, reverse_compute_at and compute_at as primitives of a schedule.
#include "ir/text/text.h"
#include "rewrite/schedule/blocks/stages.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace stages_schedule_test {

constexpr const char* kChain = R"(
def main(A: T.Buffer((16, 18), "float32"), D: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 18), "float32")
    C = T.alloc_buffer((16, 16), "float32")
    for i, j in T.grid(16, 18):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.if_then_else(vj >= 1 and vj < 17, A[vi, vj] * T.float32(2), T.float32(0))
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + B[vi, vj + 1] + B[vi, vj + 2]
    for i, j in T.grid(16, 16):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(C[vi, vj], T.float32(0))
)";

/// The program after the primitives of `f`.
PrimFunc scheduled(const char* text, const std::function<void(Schedule&)>& f) {
  Derivation derivation(parse(text));
  Schedule schedule(derivation, test_prover());
  f(schedule);
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "");
  return derivation.current();
}

/// What the primitive says against it; the derivation stays as it was.
std::string said(const char* text, const std::function<void(Schedule&)>& f) {
  Derivation derivation(parse(text));
  Schedule schedule(derivation, test_prover());
  try {
    f(schedule);
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(derivation.steps().size(), 0u);
    return e.what();
  }
  ADD_FAILURE() << "nothing was refused:\n" << print(derivation.current());
  return "";
}

size_t count(const PrimFunc& func, const std::string& word) {
  const std::string text = print(func);
  size_t found = 0;
  for (size_t k = text.find(word); k != text.npos; k = text.find(word, k + 1)) ++found;
  return found;
}

TEST(Stages, ComputeInlineOfAChain) {
  PrimFunc after = scheduled(kChain, [](Schedule& s) {
    compute_inline(s, s.get_block("B"));
    compute_inline(s, s.get_block("C"));
  });
  EXPECT_EQ(count(after, "T.block"), 1u) << print(after);
  EXPECT_EQ(count(after, "alloc_buffer"), 0u) << print(after);
  EXPECT_EQ(count(after, "for "), 1u) << print(after);
}

TEST(Stages, ReverseComputeInlineIntoATile) {
  PrimFunc after = scheduled(kChain, [](Schedule& s) {
    auto loops = s.get_loops(s.get_block("C"));
    s.split(loops[1], {std::nullopt, 5});
    reverse_compute_inline(s, s.get_block("D"));
  });
  EXPECT_EQ(count(after, "T.block"), 2u) << print(after);
  EXPECT_EQ(count(after, "alloc_buffer"), 1u) << print(after);
  EXPECT_EQ(count(after, "T.where"), 1u) << print(after);
}

TEST(Stages, ReverseComputeAtUnderATileThatDoesNotDivide) {
  PrimFunc after = scheduled(kChain, [](Schedule& s) {
    auto tiles = s.split(s.get_loops(s.get_block("C"))[1], {std::nullopt, 5});
    reverse_compute_at(s, s.get_block("D"), tiles[0]);
  });
  EXPECT_EQ(count(after, "T.where(j_0 * 5 + ax0 < 16)"), 1u) << print(after);
}

TEST(Stages, ComputeAtUnderATileThatDoesNotDivide) {
  PrimFunc after = scheduled(kChain, [](Schedule& s) {
    auto tiles = s.split(s.get_loops(s.get_block("D"))[1], {std::nullopt, 5});
    s.compute_at(s.get_block("C"), tiles[0]);
    s.compute_at(s.get_block("B"), s.get_loops(s.get_block("D"))[1]);
  });
  EXPECT_GE(count(after, "T.where"), 2u) << print(after);
}

TEST(Stages, WhatIsRefused) {
  constexpr const char* kSum = R"(
def main(A: T.Buffer((8, 4), "int32"), O: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32")
    for i, k in T.grid(8, 4):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = 0
            S[vi] = S[vi] + A[vi, vk]
    for i in range(8):
        with T.block("O"):
            vi = T.axis.spatial(8, i)
            O[vi] = S[vi] * 2
)";
  EXPECT_NE(said(kSum, [](Schedule& s) { compute_inline(s, s.get_block("S")); }).find("accumulates"),
            std::string::npos);
  EXPECT_NE(said(kSum, [](Schedule& s) { compute_inline(s, s.get_block("O")); }).find("is an argument"),
            std::string::npos);
  EXPECT_NE(said(kSum, [](Schedule& s) { reverse_compute_inline(s, s.get_block("O")); }).find("accumulates"),
            std::string::npos);
  EXPECT_NE(said(kChain, [](Schedule& s) { reverse_compute_inline(s, s.get_block("B")); }).find("0 blocks compute"),
            std::string::npos);
  constexpr const char* kChanges = R"(
def main(A: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi] + 1
    for i in range(8):
        with T.block("A"):
            vi = T.axis.spatial(8, i)
            A[vi] = B[7 - vi]
)";
  EXPECT_NE(said(kChanges, [](Schedule& s) { compute_inline(s, s.get_block("B")); }).find("nothing is stored to"),
            std::string::npos);
  EXPECT_NE(said(kChanges, [](Schedule& s) { reverse_compute_inline(s, s.get_block("A")); })
                .find("reverse-compute-at refused"),
            std::string::npos);
}

TEST(Stages, SplitSumMakesNoSecondBlockOfAName) {
  const std::string text = R"(
def main(A: T.Buffer((6, 5), "int32"), Z: T.Buffer((6,), "int32"), C: T.Buffer((6,), "int32"), D: T.Buffer((6,), "int32")):
    for i, k in T.grid(6, 5):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + (A[vi, vk] - Z[vi]) * A[vi, vk]
    for i in range(6):
        with T.block("NAME"):
            vi = T.axis.spatial(6, i)
            D[vi] = 1
)";
  auto split = [](Schedule& s) { split_sum(s, s.get_block("C")); };
  for (const char* taken : {"C_sum0", "C_sum1", "C_term1"}) {
    std::string there = text;
    there.replace(there.find("NAME"), 4, taken);
    EXPECT_NE(said(there.c_str(), split).find("there is a block '" + std::string(taken) + "' already"),
              std::string::npos);
  }
  EXPECT_EQ(count(scheduled(text.c_str(), split), "C_sum1\""), 1u);
}

}  // namespace stages_schedule_test
}  // namespace hexproof
