// What hexproof-check derives from the programs before and after a step, asked of cvc5: everything is shown of the
// first pair, and not where the program after differs in the one thing that matters.
#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "tools/checker/needs.h"

namespace hexproof {
namespace checker_steps_test {

/// The claims that cvc5 does not show, or that the change has no known shape.
std::string open(const std::string& before, const std::string& after) {
  const std::string kHead =
      "def main(A: T.Buffer((16, 16), \"int32\"), B: T.Buffer((16, 16), \"int32\"), n: T.int32, F: T.Buffer((64,), "
      "\"float32\")):\n    T.assume(0 < n and n < 9)\n";
  const PrimFunc b = parse_module(kHead + before, "b.py").functions.at(0);
  const PrimFunc a = parse_module(kHead + after, "a.py").functions.at(0);
  const auto needs = checker::follow(b, a, "a.py", checker::premises(b));
  if (!needs) return "no known shape";
  const std::vector<std::string> said = checker::ask("cvc5 --lang=smt2", *needs, 20);
  std::string out;
  for (size_t k = 0; k < needs->size(); ++k) {
    if (said[k] != "unsat") out += (*needs)[k].claim + "\n";
  }
  return out;
}

struct Case {
  const char *name, *before, *after, *from, *to, *open;  // what is open when `from` stands as `to` in both programs
};

class Steps : public testing::TestWithParam<Case> {};

/// Everywhere.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

TEST_P(Steps, AreShownAndMatter) {
  const Case& c = GetParam();
  EXPECT_EQ(open(c.before, c.after), "");
  const std::string before = replaced(c.before, c.from, c.to), after = replaced(c.after, c.from, c.to);
  ASSERT_NE(before + after, std::string(c.before) + c.after);
  const std::string said = open(before, after);
  EXPECT_NE(said.find(c.open), std::string::npos) << before << after << said;
}

const char* kCopy = "    for i in range(16):\n        B[i, 0] = A[i, 0]\n";
const char* kNest = "    for i in range(15):\n        for j in range(15):\n            A[i + 1, j + 1] = A[i, j]\n";
const Case kCases[] = {
    {"ABranchThatComes", kCopy,
     "    if n > 3:\n        for i in range(16):\n            B[i, 0] = A[i, 0]\n"
     "    else:\n        for i in range(16):\n            B[i, 0] = A[i, 0]\n",
     "n > 3", "A[1, 1] // A[2, 1] > 3", "no known shape"},
    {"ABindingThatStandsTwice",
     "    with T.block(\"b\"):\n        v = T.axis.spatial(16, T.if_then_else(n > 3, 1, 0))\n        B[v, 0] = A[v, "
     "0]\n",
     "    B[T.if_then_else(n > 3, 1, 0), 0] = A[T.if_then_else(n > 3, 1, 0), 0]\n", "n > 3",
     "T.Cast(\"float32\", n) > T.float32(3.5)", "no known shape"},
    {"AnAllocationThatGrows",
     "    C = T.alloc_buffer((16,), \"int32\")\n    for i in range(16):\n        C[i] = A[i, 0]\n        B[i, 0] = "
     "C[i]\n",
     "    C = T.alloc_buffer((17,), \"int32\")\n    for i in range(16):\n        C[i] = A[i, 0]\n        B[i, 0] = "
     "C[i]\n",
     "(17,)", "(536870912,)", "the allocation is no larger than a memory may be"},
    {"ASplit", kCopy,
     "    for o in range(4):\n        for k in range(4):\n            B[o * 4 + k, 0] = A[o * 4 + k, 0]\n",
     "for k in range(4)", "for k in range(3)", "each iteration of the old loops is reached"},
    {"ASplitWithAGuard", kCopy,
     "    for o in range(6):\n        for k in range(3):\n            if o * 3 + k < 16:\n"
     "                B[o * 3 + k, 0] = A[o * 3 + k, 0]\n",
     "if o * 3 + k < 16:", "if o * 3 + k < 17:", "each iteration is one of the old loops"},
    {"ASplitThatLeavesOut", kCopy,
     "    for o in range(6):\n        for k in range(3):\n            if o * 3 + k < 16:\n"
     "                B[o * 3 + k, 0] = A[o * 3 + k, 0]\n",
     "if o * 3 + k < 16:", "if o * 3 + k < 15:", "each iteration of the old loops is reached"},
    {"ASplitOfASize", "    for i in range(n):\n        B[i, 0] = A[i, 0]\n",
     "    for o in range((n + 3) // 4):\n        for k in range(4):\n            if o * 4 + k < n:\n"
     "                B[o * 4 + k, 0] = A[o * 4 + k, 0]\n",
     "range((n + 3) // 4)", "range((n + 2) // 4)", "each iteration of the old loops is reached"},
    {"AFusion", "    for i in range(4):\n        for j in range(5):\n            B[i, j] = A[i, j]\n",
     "    for f in range(20):\n        B[f // 5, f % 5] = A[f // 5, f % 5]\n", "range(20)", "range(19)",
     "each iteration of the old loops is reached"},
    {"AnotherOrder", kNest,
     "    for j in range(15):\n        for i in range(15):\n            A[i + 1, j + 1] = A[i, j]\n",
     "A[i + 1, j + 1] = A[i, j]", "A[i + 1, j] = A[i, j + 1]", "iterations that change places share no cell of A"},
    {"AnotherOrderThroughAViewThatMoves",
     "    for i in range(4):\n        for j in range(4):\n            V = T.decl_buffer((1,), \"int32\", data=A.data, "
     "elem_offset=3)\n            if 0 <= V[0] and V[0] < 12:\n                B[0, V[0] + i] = i\n",
     "    for j in range(4):\n        for i in range(4):\n            V = T.decl_buffer((1,), \"int32\", data=A.data, "
     "elem_offset=3)\n            if 0 <= V[0] and V[0] < 12:\n                B[0, V[0] + i] = i\n",
     "elem_offset=3", "elem_offset=i", "iterations that change places share no cell of B"},
    {"ASumInAnotherOrder",
     "    for i in range(4):\n        for j in range(5):\n            B[0, 0] = B[0, 0] + A[i, j]\n",
     "    for j in range(5):\n        for i in range(4):\n            B[0, 0] = B[0, 0] + A[i, j]\n",
     "B[0, 0] + A[i, j]", "B[0, 0] * 3 + A[i, j]", "iterations that change places"},
    {"ASumOfFloatsKeepsItsOrder",
     "    for i in range(4):\n        for j in range(5):\n            B[i, j] = A[i, j] + 1\n",
     "    for j in range(5):\n        for i in range(4):\n            B[i, j] = A[i, j] + 1\n", "B[i, j] = A[i, j] + 1",
     "F[0] = F[0] + T.float32(1)", "iterations that change places"},
    {"AParallelLoop", kCopy, "    for i in T.parallel(16):\n        B[i, 0] = A[i, 0]\n", "B[i, 0]", "B[i // 2, 0]",
     "two iterations of i share no cell of B"},
    {"AVectorizedLoop", kCopy, "    for i in T.vectorized(16):\n        B[i, 0] = A[i, 0]\n", "B[i, 0]", "B[i % 8, 0]",
     "two iterations of i share no cell of B"},
    {"ALoopThatRunsOnce", "    for i in range(n // n):\n        B[i, 0] = 1\n", "    B[0, 0] = 1\n", "n // n", "n",
     "each iteration of the old loops is reached"},
    {"ABranchThatAlwaysHolds", "    for i in range(8):\n        if i + n < 17:\n            B[i, 0] = 1\n",
     "    for i in range(8):\n        B[i, 0] = 1\n", "i + n < 17", "i + n < 15", "the branch is always taken"},
    {"ANewBranch", "    for i in range(8):\n        B[i, 0] = 1\n",
     "    for i in range(8):\n        if i < n + 7:\n            B[i, 0] = 1\n", "n + 7", "n + 6",
     "the branch is always taken"},
    {"ABranchThatNeverHolds", "    if n < 9:\n        B[0, 0] = 1\n    else:\n        B[1, 0] = 1\n",
     "    B[0, 0] = 1\n", "n < 9", "n < 8", "the branch is always taken"},
    {"StatementsThatChangePlaces", "    B[0, n] = 1\n    B[1, n] = A[2, n]\n",
     "    B[1, n] = A[2, n]\n    B[0, n] = 1\n", "A[2, n]", "B[0, 3]",
     "statements that change places share no cell of B"},
    {"MergedLoops",
     "    for i in range(15):\n        A[i, 0] = 1\n    for j in range(15):\n        B[j, 0] = A[j, 0]\n",
     "    for i in range(15):\n        A[i, 0] = 1\n        B[i, 0] = A[i, 0]\n", "= A[", "= A[1 + ",
     "iterations that change places share no cell of A"},
    {"MergedLoopsOfOtherRanges",
     "    for i in range(15):\n        A[i, 0] = 1\n    for j in range(0, 15):\n        B[j, 0] = A[j, 0]\n",
     "    for i in range(15):\n        A[i, 0] = 1\n        B[i, 0] = A[i, 0]\n", "range(0, 15)", "range(0, 14)",
     "the loops have one range"},
    {"ADistributedLoop", "    for i in range(1, 15):\n        A[i, 0] = 1\n        B[i, 0] = A[i, 0]\n",
     "    for i in range(1, 15):\n        A[i, 0] = 1\n    for j in range(1, 15):\n        B[j, 0] = A[j, 0]\n", "= A[",
     "= A[1 + ", "iterations that change places share no cell of A"},
    {"AValueInOtherWords",
     "    for i in range(4):\n        for j in range(4):\n            B[(i * 4 + j) // 4, 0] = A[i, j]\n",
     "    for i in range(4):\n        for j in range(4):\n            B[i, 0] = A[i, j]\n", "for j in range(4)",
     "for j in range(5)", "has the value of the one that stood there"},
    {"FlatMemory",
     "    C = T.alloc_buffer((4, 8), \"int32\")\n    for i in range(4):\n        C[i, 3] = A[i, 0]\n        B[i, 0] = "
     "C[i, 3]\n",
     "    C = T.alloc_buffer((32,), \"int32\")\n    for i in range(4):\n        C[i * 8 + 3] = A[i, 0]\n"
     "        B[i, 0] = C[i * 8 + 3]\n",
     "B[i, 0] = C[i * 8 + 3]", "B[i, 0] = C[i * 8 + 2]", "the cell of C is the one that it was"},
    {"AFlatView", "    for i in range(4):\n        B[i, 3] = A[i, 0]\n",
     "    V = T.decl_buffer((256,), \"int32\", data=B.data)\n    for i in range(4):\n        V[i * 16 + 3] = A[i, 0]\n",
     "i * 16 + 3", "i * 15 + 3", "the cell of B is the one that it was"},
    {"SmallerMemory",
     "    C = T.alloc_buffer((16,), \"int32\")\n    for i in range(4):\n        C[i + 8] = A[i, 0]\n"
     "    for j in range(4):\n        B[j, 0] = C[j + 8]\n",
     "    C = T.alloc_buffer((4,), \"int32\")\n    for i in range(4):\n        C[i] = A[i, 0]\n"
     "    for j in range(4):\n        B[j, 0] = C[j]\n",
     "C[j]", "C[3 - j]", "two accesses of C meet where, and only where, they did"},
    {"ALoweredBlock",
     "    for i in range(4):\n        with T.block(\"b\"):\n            v = T.axis.spatial(4, i)\n            B[v, 0] "
     "= A[v, 1]\n",
     "    for i in range(4):\n        B[i, 0] = A[i, 1]\n", "A[i, 1]", "A[i, n - n]", "has the value of the one"},
    {"WhatComputesNothingGoes", "    for i in range(4):\n        T.evaluate(0)\n    B[0, 0] = 1\n", "    B[0, 0] = 1\n",
     "T.evaluate(0)", "A[i, 0] = 1", "no known shape"},
    {"NewStatementsAreFreeOfErrors", kCopy,
     "    for i in range(16):\n        if True:\n            B[i, 0] = A[i, 0]\n",
     "if True:", "if 1073741824 * (n + 1) > 0:", "each operation in the condition fits its type"},
};

INSTANTIATE_TEST_SUITE_P(Checker, Steps, testing::ValuesIn(kCases), [](const auto& one) { return one.param.name; });

// Instances of one block that meet in no cell may meet as those of another one, or where there was none.
TEST(CheckerSteps, BlocksThatCome) {
  auto block = [](const std::string& kind, const std::string& of) {
    return "    for i in range(4):\n        for k in range(4):\n            with T.block(\"b\"):\n"
           "                v = T.axis.spatial(4, " +
           of + ")\n                w = T.axis." + kind +
           "(4, k)\n"
           "                B[v, 0] = B[v, 0] + A[v, w]\n";
  };
  const std::string loops =
      "    for i in range(4):\n        for k in range(4):\n            B[i, 0] = B[i, 0] + A[i, k]\n";
  EXPECT_EQ(open(loops, block("reduce", "i")), "");
  EXPECT_EQ(open(block("reduce", "i"), loops), "");
  const std::string meet = "instances with different spatial values";
  EXPECT_NE(open(loops, block("spatial", "i")).find(meet), std::string::npos);
  EXPECT_NE(open(block("reduce", "i"), block("spatial", "i")).find(meet), std::string::npos);
}

// What T.attr says of its body is a part of the program.
TEST(CheckerSteps, ANoteKeepsWhatItSays) {
  auto noted = [](const std::string& node, const std::string& value, const std::string& inside) {
    return "    with T.attr(" + node + ", \"pragma_note\", " + value + "):\n" + inside;
  };
  const std::string loop = "        for i in range(16):\n            B[i, 0] = A[i, 0]\n",
                    parallel = replaced(loop, "range(16)", "T.parallel(16)");
  EXPECT_EQ(open(noted("0", "1", loop), noted("0", "1", parallel)), "");
  EXPECT_EQ(open(noted("0", "n", loop), noted("0", "n", parallel)), "");
  EXPECT_EQ(open(noted("0", "1", loop), noted("0", "2", loop)), "no known shape");
  EXPECT_EQ(open(noted("0", "1", loop), noted("1", "1", loop)), "no known shape");
  EXPECT_EQ(open(noted("0", "1", loop), noted("0", "\"1\"", loop)), "no known shape");
  EXPECT_EQ(open(noted("0", "1", loop), noted("0", "2", parallel)), "no known shape");
}

TEST(CheckerSteps, AProgramIsItself) { EXPECT_EQ(open(kNest, kNest), ""); }

}  // namespace checker_steps_test
}  // namespace hexproof
