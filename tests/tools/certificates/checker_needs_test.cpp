// What hexproof-check derives from a program, asked of cvc5: everything is shown of the first program of each pair, and
// not of the second one, which differs in the one thing that matters.
#include <gtest/gtest.h>

#include "ir/base/plain_script.h"
#include "ir/text/text.h"
#include "tools/checker/needs.h"

namespace hexproof {
namespace checker_needs_test {

/// The claims that cvc5 does not show.
std::string open(const std::string& text, const char* first = nullptr) {
  const IRModule module = parse_module(text, "p.py");
  checker::Premises given;
  if (first) given = checker::premises(parse_module(first, "first.py").functions.at(0));
  const std::vector<checker::Need> needs = checker::needs(module.functions.at(0), "p.py", first ? &given : nullptr);
  for (const checker::Need& need : needs) EXPECT_EQ(not_plain(need.script), "");
  const std::vector<std::string> said = checker::ask("cvc5 --lang=smt2", needs, 20);
  std::string out;
  for (size_t k = 0; k < needs.size(); ++k) {
    if (said[k] != needs[k].shown) out += needs[k].claim + "\n";
  }
  return out;
}

// A claim that is not modelled has the formula of the question whether what is assumed can hold, and is another one.
TEST(CheckerNeeds, AClaimThatIsFalseIsNoQuestionAboutWhatIsAssumed) {
  EXPECT_NE(open("def main(A: T.Buffer((4,), \"int32\")):\n    B = T.decl_buffer((8,), \"int8\", data=A.data)\n"
                 "    B[100] = T.int8(1)\n"),
            "");
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
    {"AssumesThatHoldTogether",
     "def main(n: T.int32, A: T.Buffer((16,), \"int32\")):\n    T.assume(n > 5)\n    T.assume(n < 9)\n    A[0] = 1\n",
     "n < 9", "n < 3", "what is assumed at the start can hold"},
    {"NoUndefDecidesWhetherAnInitRuns",
     "def main(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n        with T.block(\"b\"):\n"
     "            v = T.axis.spatial(8, i)\n            k = T.axis.reduce(2, T.min(T.max(i, 0), 1))\n"
     "            with T.init():\n                A[v] = 0\n            A[v] = A[v] + 1\n",
     "T.max(i, 0)", "T.max(T.undef(\"int32\"), 0)", "no undef decides"},
    {"NoCastOfAFloatThatIsNoData",
     "def main(n: T.int32, x: T.float32, A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
     "        if i < n:\n            A[i] = 1\n",
     "i < n", "i < T.Cast(\"int32\", x)", "fits its type"},
    {"NoUndefInIndexArithmetic",
     "def main(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n"
     "        A[i] = T.nowrap(T.min(T.max(i, 0), 1) + 1)\n",
     "T.max(i, 0)", "T.max(T.undef(\"int32\"), 0)", "no undef decides"},
    {"NoUndefInAnAssumeButAsAPermission",
     "def main(A: T.Buffer((8,), \"int32\")):\n    for i in range(8):\n        x: T.int32 = A[i]\n"
     "        T.assume(A[i] == T.undef())\n        A[i] = x\n",
     "A[i] == T.undef()", "x == T.undef()", "no undef decides"},
    {"ShapesThatCanBe",
     "def main(n: T.int32, A: T.Buffer((n - 10,), \"int32\"), B: T.Buffer((15 - n,), \"int32\")):\n"
     "    for i in range(n - 10):\n        A[i] = 1\n",
     "15 - n", "5 - n", "what is assumed at the start can hold"},
    {"ALoopOfUnsignedBounds",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(T.uint64(16)):\n        if i < T.uint64(16):\n"
     "            A[i] = 1\n",
     "range(T.uint64(16))", "range(T.uint64(9223372036854775813))", "the values of the loop's variable fit its type"},
    {"ALoopOfAnUnsignedStart",
     "def main(A: T.Buffer((16,), \"int32\")):\n    for i in range(T.uint64(1), T.uint64(1)):\n        A[0] = 1\n",
     "range(T.uint64(1), T.uint64(1))", "range(T.uint64(9223372036854775813), T.uint64(9223372036854775813))",
     "the values of the loop's variable fit its type"},
    {"AnExtentOfAnAllocation",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    C = T.alloc_buffer((4, T.min(T.max(n, 0), 5)), "
     "\"int32\")\n"
     "    for i in range(4):\n        A[i] = 1\n",
     "T.min(T.max(n, 0), 5)", "T.min(T.max(n, 0), 5) - 4", "what counts elements is in its range"},
    {"AnExtentOfAView",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n"
     "    V = T.Buffer((T.min(T.max(n, 0), 5), 4), \"int32\", data=A.data)\n    for i in range(4):\n        A[i] = 1\n",
     "T.min(T.max(n, 0), 5)", "T.min(T.max(n, 0), 5) - 4", "what counts elements is in its range"},
    {"AnOffsetOfAView",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n"
     "    V = T.Buffer((4,), \"int32\", data=A.data, elem_offset=T.uint64(5))\n    for i in range(4):\n        A[i] = "
     "1\n",
     "T.uint64(5)", "T.uint64(9223372036854775813)", "what counts elements is in its range"},
    {"AStrideOfAView",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.uint64):\n"
     "    V = T.Buffer((4,), \"int32\", data=A.data, strides=(T.min(n, T.uint64(5)),))\n"
     "    for i in range(4):\n        A[i] = 1\n",
     "T.uint64(5)", "T.uint64(9223372036854775813)", "what counts elements is in its range"},
    {"AStrideOfAnAllocation",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n"
     "    C = T.alloc_buffer((4,), \"int32\", strides=(T.min(T.max(n, 1), 2),))\n    for i in range(4):\n        C[i] "
     "= A[i]\n",
     "T.min(T.max(n, 1), 2)", "T.min(T.max(n, 1), 2) - 2", "what counts elements is in its range"},
    {"AnAllocationOfVectors",
     "def main(A: T.Buffer((16,), \"int32\")):\n    C = T.alloc_buffer((100000000,), \"int32x4\")\n    A[0] = 1\n",
     "(100000000,)", "(200000000,)", "the allocation is no larger than a memory may be"},
    {"AnAllocationOfVectorsInALoop",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    for i in range(2):\n"
     "        C = T.allocate((T.max(T.min(n, 100000000), 0),), \"int32x4\", \"global\")\n        A[i] = 1\n",
     "100000000", "200000000", "the allocation is no larger than a memory may be"},
    // That data does not wrap is the operation's class, whatever it is an operation on.
    {"AShiftOfDataThatFits",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
     "        if 0 <= B[i] and B[i] < 134217728:\n            A[i] = T.nowrap(B[i] << 4)\n",
     "134217728", "134217729", "each operation in the value fits its type"},
    {"AShiftOfDataThatIsAnIndex",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
     "        if 0 <= B[i] and B[i] < 4:\n            A[T.nowrap(B[i] << 2)] = 1\n",
     "<< 2", "<< (i // 8)", "the store to A"},
    {"AShiftOfDataThatWraps",
     "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n    for i in range(16):\n"
     "        A[i] = B[i] << 4\n",
     "B[i] << 4", "T.nowrap(B[i] << 4)", "each operation in the value fits its type"},
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

#define HEAD "def main(A: T.Buffer((16,), \"int32\")):\n"
#define WITH_B "def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"

// What has no order: each second program lets two iterations, or two instances, meet.
const Pair kOrders[] = {
    {"ParallelStores", HEAD "    for i in T.parallel(16):\n        A[i] = 1\n", "A[i]", "A[i // 2]",
     "p.py:2:5: for i in range(0, 0 + 16):: two iterations of i share no cell of A"},
    {"AParallelRead", HEAD "    for i in T.parallel(8):\n        A[i] = A[i + 8]\n", "A[i + 8]", "A[i + 1]",
     "two iterations of i share no cell of A"},
    {"AReadInACondition", HEAD "    for i in T.parallel(8):\n        if A[i + 8] > 0:\n            A[i] = 1\n",
     "A[i + 8]", "A[i + 1]", "two iterations of i share no cell of A"},
    {"AReadInABoundOfALoop",
     HEAD "    for i in T.parallel(8):\n        for j in range(A[i + 8]):\n            A[i] = 1\n", "A[i + 8]",
     "A[i + 7]", "two iterations of i share no cell of A"},
    {"VectorizedTiles",
     HEAD "    for o in range(2):\n        for i in T.vectorized(8):\n            A[o * 8 + i] = 1\n", "o * 8 + i",
     "o * 8 + i // 8", "two iterations of i"},
    {"Threads", HEAD "    for i in T.thread_binding(16, thread=\"threadIdx.x\"):\n        A[i] = 1\n", "A[i]",
     "A[i % 15]", "two iterations of i"},
    {"AnOuterLoop", HEAD "    for o in T.parallel(2):\n        for i in range(8):\n            A[o * 8 + i] = 1\n",
     "o * 8 + i", "o * 7 + i", "two iterations of o"},
    {"TwoStatements", HEAD "    for i in T.parallel(8):\n        A[i] = 1\n        A[i + 8] = 2\n", "A[i + 8]",
     "A[i + 7]", "two iterations of i"},
    {"TwoBlocks",
     HEAD "    for i in T.parallel(8):\n        with T.block(\"b\"):\n            v = T.axis.spatial(8, i)\n"
          "            A[v] = 1\n        with T.block(\"c\"):\n            w = T.axis.spatial(8, i)\n            A[w + "
          "8] = 2\n",
     "w + 8", "w + 7", "two iterations of i share no cell of A"},
    {"ABranchDecides", HEAD "    for i in T.parallel(15):\n        if i % 2 == 0:\n            A[i] = A[i + 1]\n",
     "== 0", "< 2", "two iterations of i"},
    {"AChoiceDecides",
     HEAD "    for i in T.parallel(15):\n        if i % 2 == 0:\n            A[i] = T.if_then_else(i % 2 == 0, 5, A[i "
          "+ 2])\n",
     "T.if_then_else(i % 2 == 0", "T.if_then_else(i % 2 == 1", "two iterations of i"},
    {"MemoryOfAnIteration",
     WITH_B "    for i in T.parallel(16):\n        C = T.alloc_buffer((1,), \"int32\")\n        C[0] = B[i]\n        "
            "A[i] = C[0]\n",
     "    for i in T.parallel(16):\n        C = T.alloc_buffer((1,), \"int32\")\n",
     "    C = T.alloc_buffer((1,), \"int32\")\n    for i in T.parallel(16):\n",
     "two iterations of i share no cell of C"},
    {"MemoryOfASerialLoopAround",
     WITH_B "    for o in range(2):\n        C = T.alloc_buffer((8,), \"int32\")\n        for i in T.parallel(8):\n"
            "            C[i] = 1\n",
     "C[i] = 1", "C[i // 2] = 1", "two iterations of i share no cell of C"},
    {"AViewThatMoves",
     HEAD "    for o in T.parallel(4):\n        V = T.decl_buffer((4,), \"int32\", data=A.data, elem_offset=o * 4)\n"
          "        for i in range(4):\n            V[i] = 1\n",
     "o * 4", "o * 3", "two iterations of o share no cell of V"},
    {"AViewOfTheSame",
     WITH_B "    V = T.decl_buffer((8,), \"int32\", data=B.data, elem_offset=8)\n    for i in T.parallel(8):\n        "
            "B[i] = V[i]\n",
     "elem_offset=8", "elem_offset=7", "two iterations of i share no cell"},
    {"Lanes", HEAD "    for i in T.parallel(2):\n        A[T.Ramp(i * 8, 1, 8)] = T.Broadcast(1, 8)\n", "i * 8",
     "i * 7", "two iterations of i"},
    {"AnIndexFromMemoryThatStays",
     WITH_B "    if 0 <= B[0] and B[0] < 12:\n        for i in T.parallel(4):\n            A[B[0] + i] = 1\n",
     "A[B[0] + i]", "A[B[0] + i // 2]", "two iterations of i"},
    // A load is of the layout that its view has in that iteration: offset, strides and shape.
    {"AnIndexThroughAViewThatStays",
     WITH_B "    for i in T.parallel(4):\n        V = T.decl_buffer((1,), \"int32\", data=B.data, elem_offset=3)\n"
            "        if 0 <= V[0] and V[0] < 12:\n            A[V[0] + i] = 1\n",
     "elem_offset=3", "elem_offset=i", "two iterations of i share no cell of A"},
    {"AnIndexThroughAViewThatALetMoves",
     WITH_B "    for i in T.parallel(4):\n        x: T.int32 = 3\n        V = T.decl_buffer((1,), \"int32\", "
            "data=B.data, elem_offset=x)\n        if 0 <= V[0] and V[0] < 12:\n            A[V[0] + i] = 1\n",
     "= 3", "= i", "two iterations of i share no cell of A"},
    {"AnIndexThroughStrides",
     WITH_B "    for i in T.parallel(4):\n        V = T.decl_buffer((2,), \"int32\", data=B.data, strides=(3,))\n"
            "        if 0 <= V[1] and V[1] < 12:\n            A[V[1] + i] = 1\n",
     "strides=(3,)", "strides=(i + 1,)", "two iterations of i share no cell of A"},
    {"AnIndexThroughAShape",
     WITH_B "    for i in T.parallel(4):\n        V = T.decl_buffer((2, 3), \"int32\", data=B.data)\n"
            "        if 0 <= V[1, 0] and V[1, 0] < 12:\n            A[V[1, 0] + i] = 1\n",
     "(2, 3)", "(2, i + 1)", "two iterations of i share no cell of A"},
    {"ABranchOnAViewThatStays",
     WITH_B "    for i in T.parallel(4):\n        V = T.decl_buffer((1,), \"int32\", data=B.data, elem_offset=3)\n"
            "        if V[0] == i:\n            A[0] = i\n",
     "elem_offset=3", "elem_offset=i", "two iterations of i share no cell of A"},
    {"InstancesThroughAViewThatStays",
     WITH_B "    for i in range(4):\n        V = T.decl_buffer((1,), \"int32\", data=B.data, elem_offset=3)\n"
            "        with T.block(\"b\"):\n            v = T.axis.spatial(4, i)\n"
            "            if 0 <= V[0] and V[0] < 12:\n                A[V[0] + v] = 1\n",
     "elem_offset=3", "elem_offset=i", "instances with different spatial values share no cell of A"},
    {"APermissionIsAWrite", HEAD "    for i in T.parallel(16):\n        T.assume(i < 16 or A[0] == T.undef())\n",
     "i < 16", "i < 14", "two iterations of i share no cell of A"},
    {"AnAssumeSeparates",
     "def main(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    T.assume(n >= 8 and n < 9)\n    for i in "
     "T.parallel(8):\n"
     "        A[i] = A[i + n]\n",
     "n >= 8", "n >= 7", "two iterations of i"},
    {"Instances",
     HEAD "    for i in range(16):\n        with T.block(\"b\"):\n            v = T.axis.spatial(16, i)\n            "
          "A[v] = 1\n",
     "A[v]", "A[v // 2]", "instances with different spatial values share no cell of A"},
    {"InstancesOfAReduction",
     WITH_B
     "    for i, k in T.grid(16, 16):\n        with T.block(\"b\"):\n            v, w = T.axis.remap(\"SR\", [i, k])\n"
     "            with T.init():\n                A[v] = 0\n            A[v] = A[v] + B[w]\n",
     "A[v] = A[v]", "A[v] = A[w]", "instances with different spatial values share no cell of A"},
    {"InstancesOfAnInit",
     WITH_B
     "    for i, k in T.grid(16, 16):\n        with T.block(\"b\"):\n            v, w = T.axis.remap(\"SR\", [i, k])\n"
     "            with T.init():\n                A[v] = 0\n            A[v] = A[v] + B[w]\n",
     "A[v] = 0", "A[15 - v] = 0", "instances with different spatial values share no cell of A"},
    {"InstancesInABlock",
     HEAD "    for o in range(2):\n        with T.block(\"outer\"):\n            u = T.axis.spatial(2, o)\n            "
          "for i in "
          "range(8):\n                with T.block(\"inner\"):\n                    v = T.axis.spatial(8, i)\n"
          "                    A[u * 8 + v] = 1\n",
     "u * 8 + v", "u * 8 + v // 2", "instances with different spatial values share no cell of A"},
    {"MemoryOfAnInstance",
     HEAD "    for i in range(16):\n        C = T.alloc_buffer((1,), \"int32\")\n        with T.block(\"b\"):\n"
          "            v = T.axis.spatial(16, i)\n            C[0] = v\n            A[v] = C[0]\n",
     "    for i in range(16):\n        C = T.alloc_buffer((1,), \"int32\")\n",
     "    C = T.alloc_buffer((1,), \"int32\")\n    for i in range(16):\n", "share no cell of C"},
    {"ABindingInItsDomain",
     HEAD "    for i in range(16):\n        with T.block(\"b\"):\n            v = T.axis.spatial(16, i)\n            "
          "A[v] = 1\n",
     "spatial(16,", "spatial(15,", "bindings lie in their domains"},
    {"APredicateGuardsTheDomain",
     HEAD "    for i in range(16):\n        with T.block(\"b\"):\n            v = T.axis.spatial(12, i)\n            "
          "T.where(i < 12)\n"
          "            A[v] = 1\n",
     "i < 12", "i < 13", "bindings lie in their domains"},
};

INSTANTIATE_TEST_SUITE_P(Orders, Needs, testing::ValuesIn(kOrders),
                         [](const auto& info) { return std::string(info.param.name); });

// The values of memory that the scope stores to are those of two moments.
TEST(CheckerNeeds, AnIndexFromMemoryThatChangesBetweenInstances) {
  EXPECT_NE(open(WITH_B "    for i in range(4):\n        with T.block(\"b\"):\n            v = T.axis.spatial(4, i)\n"
                        "            if 0 <= B[0] and B[0] < 12:\n                A[B[0] + v] = 1\n"
                        "        B[0] = B[0] - 1\n")
                .find("instances with different spatial values share no cell of A"),
            std::string::npos);
}

// An element that is a vector has a value for each lane, and two iterations are looked at in lanes of their own.
TEST(CheckerNeeds, AnIndexFromAVectorThatStays) {
  EXPECT_NE(open("def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int32x4\")):\n"
                 "    for i in T.parallel(4):\n        A[T.max(T.min(B[0], T.Broadcast(3, 4)), T.Broadcast(0, 4)) + "
                 "T.Broadcast(i, 4)] = T.Broadcast(i, 4)\n")
                .find("two iterations of i share no cell of A"),
            std::string::npos);
}

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
  EXPECT_EQ(not_plain("(set-logic QF_LIA)\n(assert false)\n(check-sat)\n"), "");
  for (const char* script :
       {"(echo \"unsat\")\n(check-sat)\n", "(exit)\n(check-sat)\n", "(check-sat)\n(check-sat)\n", "(assert true)\n",
        "unsat\n(check-sat)\n", "(set-option :produce-models true)\n(check-sat)\n", "(check-sat))\n",
        "(assert (check-sat)"}) {
    EXPECT_NE(not_plain(script), "") << script;
  }
}

}  // namespace checker_needs_test
}  // namespace hexproof
