#include "rewrite/schedule/blocks/stages.h"
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace decompose_padding_test {

constexpr const char* kRule = "decompose-padding";

Args at(const PrimFunc& func, size_t loop = 0) { return {{"at", nth<Block>(func)}, {"loop", nth<For>(func, loop)}}; }

constexpr const char* kPad = R"(
def before(A: T.Buffer((6, 8), "float32"), B: T.Buffer((8, 10), "float32")):
    for i, j in T.grid(8, 10):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.if_then_else(1 <= vi and vi < 7 and 1 <= vj and vj < 9, A[vi - 1, vj - 1], T.float32(0))
)";

TEST(DecomposePadding, OfAPaddedStage) {
  expect_applies(kPad, kRule, at(parse(kPad)), R"(
def after(A: T.Buffer((6, 8), "float32"), B: T.Buffer((8, 10), "float32")):
    for i, j in T.grid(8, 10):
        with T.block("B_pad_const"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.float32(0)
    for i, j in T.grid(8, 10):
        if 1 <= i and i < 7 and 1 <= j and j < 9:
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi - 1, vj - 1]
)");
  expect_applies(kPad, kRule, at(parse(kPad), 1), "");
}

TEST(DecomposePadding, AsAPrimitive) {
  Derivation derivation(parse(kPad));
  Schedule schedule(derivation, test_prover());
  const LoopRef loop = schedule.get_loops({"B"})[0];
  EXPECT_TRUE(can_decompose_padding(schedule, {"B"}, loop));
  EXPECT_EQ(derivation.steps().size(), 0u);
  EXPECT_EQ(decompose_padding(schedule, {"B"}, loop).name, "B_pad_const");
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "");
  EXPECT_EQ(print(derivation.current()).find(" if "), std::string::npos) << print(derivation.current());
  EXPECT_FALSE(can_decompose_padding(schedule, {"B"}, schedule.get_loops({"B"})[0]));
}

TEST(DecomposePadding, Condition1WhatIsNoPadding) {
  for (const char* value : {"A[vi]", "T.if_then_else(vi < 4, A[vi], A[0])", "T.if_then_else(A[vi] < 4, A[vi], 0)"}) {
    const std::string text = R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = )" + std::string(value) +
                             "\n";
    EXPECT_TRUE(not_applicable(parse(text), kRule, at(parse(text)))) << text;
  }
  PrimFunc parallel = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in T.parallel(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = T.if_then_else(vi < 4, A[vi], 0)
)");
  expect_not_applicable(parallel, kRule, at(parallel), "not serial");
}

TEST(DecomposePadding, Condition2CellsOfTheirOwn) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32")):
    for i, j in T.grid(2, 4):
        with T.block("B"):
            vi = T.axis.opaque(2, i)
            vj = T.axis.spatial(4, j)
            B[vj] = T.if_then_else(vi < 1, A[vj], 0)
)");
  expect_refused_rightly(func, kRule, at(func), "different cells");
  expect_applies(print(func), kRule, at(func, 1), "");
}

TEST(DecomposePadding, Condition3WhatReadsTheBuffer) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = T.if_then_else(vi < 4, B[vi] + 1, 0)
)");
  expect_not_applicable_rightly(func, kRule, at(func), "reads the buffer", R"(
def tempting(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = 0
    for i in range(8):
        if i < 4:
            B[i] = B[i] + 1
)");
}

}  // namespace decompose_padding_test
}  // namespace hexproof
