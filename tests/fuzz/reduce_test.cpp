// Findings made small, and verdicts that a run contradicts.
#include "fuzz/reduce.h"

#include <gtest/gtest.h>

#include "fuzz/steps/mutate.h"
#include "fuzz/verdicts.h"
#include "ir/text/text.h"

namespace hexproof {
namespace reduce_test {

PrimFunc parse(const std::string& body) {
  return parse_module("def f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n" + body).functions.at(0);
}

bool has_smaller(const PrimFunc& func, const std::string& body) {
  std::string wanted = print(parse(body));
  for (const PrimFunc& smaller : smaller_programs(func)) {
    if (print(smaller) == wanted) return true;
  }
  return false;
}

TEST(SmallerPrograms, KnowViewsLetsLoopsAndBranches) {
  PrimFunc view =
      parse("    V = T.decl_buffer((8,), \"int32\", data=A.data, elem_offset=4, strides=[2])\n    V[1] = B[0] + 2\n");
  EXPECT_TRUE(has_smaller(view, "    V = T.decl_buffer((8,), \"int32\", data=A.data)\n    V[1] = B[0] + 2\n"));
  EXPECT_TRUE(has_smaller(
      view, "    V = T.decl_buffer((8,), \"int32\", data=A.data, elem_offset=4, strides=[2])\n    V[1] = B[0]\n"));
  EXPECT_TRUE(has_smaller(parse("    for i in range(3, 8):\n        A[i] = 1\n"), "    A[3] = 1\n"));
  EXPECT_TRUE(has_smaller(parse("    if A[0] > 1:\n        A[2] = 1\n"), "    A[2] = 1\n"));
  EXPECT_TRUE(has_smaller(parse("    x: T.int32 = A[1]\n    B[0] = x\n"), "    B[0] = A[1]\n"));
}

TEST(Mutants, MoveViews) {
  PrimFunc func = parse("    V = T.decl_buffer((8,), \"int32\", data=A.data, elem_offset=4)\n    V[B[0] % 8] = 7\n");
  int moved = 0;
  for (const Mutant& m : mutants(func)) {
    const std::string text = print(m.program);
    moved += text.find("elem_offset=3") != std::string::npos || text.find("elem_offset=5") != std::string::npos;
  }
  EXPECT_EQ(moved, 2);
}

/// A case that fails by itself: the transformed program is judged by the oracle, and everything that the failure does
/// not need goes. (A pass without a name fails in a way that no step may.)
TEST(Reduce, KeepsWhatTheFailureNeeds) {
  Prover prover;
  FuzzCase c{parse("    for i in range(16):\n        A[i] = B[i] * 3 + i\n    B[2] = T.max(A[1], 7)\n"),
             {{"pass", nlohmann::ordered_json::object()}},
             5};
  Trial trial = judge_with_verdicts(c, prover);
  ASSERT_EQ(trial.outcome, Outcome::Unsound);
  Trial small = reduce(trial, prover);
  EXPECT_EQ(small.outcome, Outcome::Unsound);
  EXPECT_LT(print(small.fuzz_case.program).size(), print(c.program).size() / 2) << print(small.fuzz_case.program);
  FuzzCase back = parse_case(to_text(small.fuzz_case), "case");
  EXPECT_EQ(judge_with_verdicts(back, prover).outcome, Outcome::Unsound);
}

TEST(Verdicts, AMutantIsPartOfTheCase) {
  Prover prover;
  PrimFunc func = parse("    for i in range(16):\n        A[i] = B[i]\n");
  std::string what = mutants(func).at(0).what;
  FuzzCase c{func, {{"mutant", {{"what", what}}}}, 5};
  FuzzCase back = parse_case(to_text(c), "case");
  EXPECT_EQ(back.steps.at(0).args.at("what").get<std::string>(), what);
  Trial trial = judge_with_verdicts(back, prover);
  EXPECT_NE(trial.outcome, Outcome::Unsound) << trial.finding;
}

}  // namespace reduce_test
}  // namespace hexproof
