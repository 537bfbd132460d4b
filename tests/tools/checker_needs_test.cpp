// What hexproof-check derives from a program, asked of cvc5: everything is shown of the first program of each pair, and
// not of the second one, which differs in the one thing that matters.
#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "tools/checker/needs.h"
#include "tools/checker/solver.h"

namespace hexproof {
namespace checker_needs_test {

/// The claims that cvc5 does not show.
std::string open(const std::string& text, const char* first = nullptr) {
  const IRModule module = parse_module(text, "p.py");
  checker::Premises given;
  if (first) given = checker::premises(parse_module(first, "first.py").functions.at(0));
  std::vector<std::string> scripts;
  const std::vector<checker::Need> needs = checker::needs(module.functions.at(0), "p.py", first ? &given : nullptr);
  for (const checker::Need& need : needs) {
    EXPECT_EQ(checker::not_plain(need.script), "");
    scripts.push_back(need.script);
  }
  const std::vector<std::string> said = checker::ask("cvc5 --lang=smt2", scripts, 20);
  std::string out;
  for (size_t k = 0; k < needs.size(); ++k) {
    if (said[k] != "unsat") out += needs[k].place + ": " + needs[k].claim + "\n";
  }
  return out;
}

struct Pair {
  const char *name, *program, *from, *to, *open;  // what is open when `from` stands as `to`
};

class Needs : public testing::TestWithParam<Pair> {};

TEST_P(Needs, AreShownAndMatter) {
  std::string text = GetParam().program;
  EXPECT_EQ(open(text), "");
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, text.npos);
  text.replace(at, std::string(GetParam().from).size(), GetParam().to);
  const std::string said = open(text);
  EXPECT_NE(said.find(GetParam().open), std::string::npos) << text << said;
}

const Pair kPairs[] = {
    {"AStore", "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n        A[i] = 1\n", "range(16)",
     "range(17)", "p.py:3:9: A[i] = 1: the store to A is in bounds"},
    {"ASecondStoreOfTheSameText",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n        A[i] = 1\n"
     "    for i in range(0, 16):\n        A[i] = 1\n",
     "range(0, 16)", "range(0, 1000)", "p.py:5:9: A[i] = 1: the store to A"},
    {"ALoad",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
     "        A[i] = B[i] * 2\n",
     "B: T.Buffer((16,)", "B: T.Buffer((15,)", "the load from B"},
    {"ALoadInACondition",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
     "        if B[i] < 3:\n            A[i] = 1\n",
     "B: T.Buffer((16,)", "B: T.Buffer((15,)", "if B[i] < 3:: the load from B"},
    {"ALoadInALet",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
     "        x = B[i]\n        A[i] = x\n",
     "B: T.Buffer((16,)", "B: T.Buffer((15,)", "the load from B"},
    {"ALoadInABoundOfALoop",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
     "        for j in range(T.min(B[i], 16)):\n            A[j] = 1\n",
     "B: T.Buffer((16,)", "B: T.Buffer((15,)", "the load from B"},
    {"ABranch",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(99):\n        if i * 3 < 48:\n            A[i] = "
     "1\n",
     "< 48", "< 49", "the store to A"},
    {"AnElse",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(99):\n        if i < 83:\n            "
     "T.evaluate(0)\n"
     "        else:\n            A[i - 83] = 1\n",
     "i < 83", "i < 82", "the store to A"},
    {"BothSidesOfAChoice",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(32):\n"
     "        A[i // 2] = T.if_then_else(i < 16, B[i], B[i - 16])\n",
     "i < 16", "i < 15", "the load from B"},
    {"ASelectGuardsNothing",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(17):\n"
     "        A[i // 2] = T.if_then_else(i < 16, B[i], 0)\n",
     "T.if_then_else", "T.Select", "the load from B"},
    {"QuotientAndRemainder",
     "def main(A: T.Buffer((4, 8), \"int32\")):\n    for i in range(-16, 16):\n        A[(i + 16) // 8, i % 8] = 1\n",
     "(i + 16)", "(i + 17)", "the store to A"},
    {"TruncatedDivision",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(-7, 1):\n        A[0 - T.truncdiv(i, 8)] = 1\n"
     "        A[T.truncmod(i, 8) + 7] = 1\n",
     "+ 7", "+ 6", "the store to A"},
    {"ABlock",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(20):\n        with T.block(\"b\"):\n"
     "            v = T.axis.spatial(20, i)\n            T.where(i < 16)\n            A[v] = 1\n",
     "i < 16", "i < 18", "the store to A"},
    {"AnInit",
     "def main(A: T.Buffer((1,), \"int32\")):\n    for i in range(16):\n        with T.block(\"b\"):\n"
     "            v = T.axis.reduce(16, i)\n            with T.init():\n                A[v] = 0\n"
     "            A[0] = A[0] + 1\n",
     "range(16)", "range(16, 32)", ""},
    {"AnAssume",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    T.assume(n <= 16)\n    for i in range(n):\n        "
     "A[i] = 1\n",
     "n <= 16", "n <= 17", "the store to A"},
    {"ASymbolicSize",
     "def main(a: T.handle, b: T.handle):\n    n = T.int32()\n    A = T.match_buffer(a, (n,), \"int32\")\n    B = "
     "T.match_buffer(b, (n * 2,), \"int32\")\n"
     "    for i in range(n):\n        B[i * 2 + 1] = A[i]\n",
     "i * 2 + 1", "i * 2 + 2", "the store to B"},
    {"AnOperationOnTheWay",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    T.assume(n < 2147483647)\n    if n + 1 == 4:\n        "
     "A[n] = 1\n",
     "n < 2147483647", "n <= 2147483647", "each operation in the condition fits its type"},
    {"AnIndexFromMemory",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n    if 0 <= B[0] and B[0] < 16:\n        "
     "A[B[0]] = 1\n",
     "0 <= B[0] and", "B[0] < 20 and", "the store to A"},
    {"AStoreInBetween",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
     "    if 0 <= B[0] and B[0] < 16:\n        C[0] = 99\n        A[B[0]] = 1\n",
     "C[0] = 99", "B[0] = 99", "the store to A"},
    {"AStoreInAnEarlierIteration",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
     "    if 0 <= B[0] and B[0] < 16:\n        for i in range(2):\n            A[B[0]] = 1\n            C[0] = 99\n",
     "C[0] = 99", "B[0] = 99", "the store to A"},
    {"AStoreInAnotherIteration",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
     "    for i in T.parallel(2):\n        if i == 0:\n            if 0 <= B[0] and B[0] < 16:\n"
     "                A[B[0]] = 1\n        else:\n            C[0] = 99\n",
     "C[0] = 99", "B[0] = 99", "the store to A"},
    {"AStoreThroughAView",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n"
     "    V = T.decl_buffer((1,), \"int32\", data=C.data)\n    if 0 <= B[0] and B[0] < 16:\n        V[0] = 99\n"
     "        A[B[0]] = 1\n",
     "data=C.data", "data=B.data", "the store to A"},
    {"DataWraps",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int8\")):\n    if B[0] < T.int8(16) and B[0] > "
     "T.int8(-1):\n"
     "        A[T.Cast(\"int32\", B[0])] = 1\n",
     "B[0] > T.int8(-1)", "B[0] + T.int8(1) > T.int8(-128)", "the store to A"},
    {"CastsWrap",
     "def main(A: T.Buffer((256,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n    A[T.Cast(\"int32\", "
     "T.Cast(\"uint8\", B[0]))] = 1\n",
     "\"uint8\"", "\"int8\"", "the store to A"},
    {"AView",
     "def main(A: T.Buffer((4, 4), \"int32\")):\n    V = T.decl_buffer((16,), \"int32\", data=A.data)\n"
     "    for i in range(16):\n        V[i] = 1\n",
     "A: T.Buffer((4, 4)", "A: T.Buffer((4, 3)", "the store to V"},
    {"AViewWithAnOffset",
     "def main(A: T.Buffer((4, 4), \"int32\")):\n    V = T.decl_buffer((2, 4), \"int32\", data=A.data, elem_offset=8)\n"
     "    for i, j in T.grid(2, 4):\n        V[i, j] = 1\n",
     "elem_offset=8", "elem_offset=9", "the store to V"},
    {"AnAllocation",
     "def main(A: T.Buffer((16,), \"int32\")):\n    B = T.alloc_buffer((16,), \"int32\")\n    for i in range(16):\n"
     "        B[i] = 1\n        A[i] = B[i]\n",
     "alloc_buffer((16,)", "alloc_buffer((15,)", "the load from B"},
    {"AVector", "def main(A: T.Buffer((16,), \"int32\")):\n    A[T.Ramp(8, 1, 8)] = T.Broadcast(1, 8)\n", "T.Ramp(8,",
     "T.Ramp(9,", "the store to A"},
    {"ALetInAnExpression",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(8):\n        x: T.int32 = i * 2\n        A[x + 1] = "
     "1\n",
     "i * 2", "i * 3", "the store to A"},
    {"MaskAndShift",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(-64, 64):\n        A[T.bitwise_and(i, 15)] = 1\n"
     "        A[T.shift_right(i + 64, 3)] = 1\n",
     "i + 64, 3", "i + 64, 2", "the store to A"},
};

INSTANTIATE_TEST_SUITE_P(Checker, Needs, testing::ValuesIn(kPairs),
                         [](const auto& info) { return std::string(info.param.name); });

const char* kAssumes =
    "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    T.assume(n <= 16)\n    for i in range(n):\n        A[i] "
    "= 1\n";

// The user's assumes are given. One that a later program holds is shown to follow from them.
TEST(CheckerNeeds, AssumesOfALaterProgramAreNoPremises) {
  EXPECT_EQ(open(kAssumes, kAssumes), "");
  const char* forged =
      "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    T.assume(n <= 8)\n    for i in range(n):\n        "
      "A[i] = 1\n";
  EXPECT_EQ(open(forged, kAssumes), "p.py:2:5: T.assume(n <= 8): the assume holds, given those of the first program\n");
  // Without one, what the first program's user assumes still holds; what it assumes under a condition does not.
  const char* without =
      "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    for i in range(n):\n        A[i] = 1\n";
  EXPECT_EQ(open(without, kAssumes), "");
  const char* sometimes =
      "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    if n < 0:\n        T.assume(n <= 16)\n";
  EXPECT_NE(open(without, sometimes), "");
}

TEST(CheckerNeeds, OnlyPlainScriptsAreAsked) {
  EXPECT_EQ(checker::not_plain("(set-logic QF_LIA)\n(assert false)\n(check-sat)\n"), "");
  for (const char* script :
       {"(echo \"unsat\")\n(check-sat)\n", "(exit)\n(check-sat)\n", "(check-sat)\n(check-sat)\n", "(assert true)\n",
        "unsat\n(check-sat)\n", "(set-option :produce-models true)\n(check-sat)\n", "(check-sat))\n",
        "(assert (check-sat)"}) {
    EXPECT_NE(checker::not_plain(script), "") << script;
  }
}

}  // namespace checker_needs_test
}  // namespace hexproof
