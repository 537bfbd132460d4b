#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace reverse_compute_at_test {

constexpr const char* kRule = "reverse-compute-at";

Args at(const std::string& block, const std::string& loop, int64_t clip = 0) {
  return {{"block", block}, {"loop", loop}, {"clip", clip}};
}

constexpr const char* kTiles = R"(
def before(A: T.Buffer((16, 8), "float32"), O: T.Buffer((16, 8), "float32")):
    B = T.alloc_buffer((16, 8), "float32")
    for io, ii, j in T.grid(4, 4, 8):
        with T.block("P"):
            vi = T.axis.spatial(16, io * 4 + ii)
            vj = T.axis.spatial(8, j)
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(16, 8):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            O[vi, vj] = B[vi, vj] + T.float32(1)
)";

TEST(ReverseComputeAt, ToATile) {
  expect_applies(kTiles, kRule, at("C", "io"), R"(
def after(A: T.Buffer((16, 8), "float32"), O: T.Buffer((16, 8), "float32")):
    B = T.alloc_buffer((16, 8), "float32")
    for io in range(4):
        for ii, j in T.grid(4, 8):
            with T.block("P"):
                vi = T.axis.spatial(16, io * 4 + ii)
                vj = T.axis.spatial(8, j)
                B[vi, vj] = A[vi, vj] * T.float32(2)
        for ax0, ax1 in T.grid(4, 8):
            with T.block("C"):
                vi = T.axis.spatial(16, io * 4 + ax0)
                vj = T.axis.spatial(8, ax1)
                O[vi, vj] = B[vi, vj] + T.float32(1)
)");
  expect_applies(kTiles, kRule, at("C", "ii"), "");
}

TEST(ReverseComputeAt, TheInnermostLoopLeavesOneInstance) {
  PrimFunc after = applied(parse(kTiles), kRule, {{"block", std::string("C")}, {"loop", nth<For>(parse(kTiles), 2)}});
  EXPECT_EQ(difference(parse(kTiles), after), "");
  EXPECT_EQ(print(after).find("ax0"), std::string::npos) << print(after);
}

// A reduction is complete where the loop over its sums is through.
TEST(ReverseComputeAt, BehindAReduction) {
  const char* text = R"(
def before(A: T.Buffer((8, 6), "float32"), O: T.Buffer((8,), "float32")):
    S = T.alloc_buffer((8,), "float32")
    for i, k in T.grid(8, 6):
        with T.block("S"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vk]
    for i in range(8):
        with T.block("C"):
            vi = T.axis.spatial(8, i)
            O[vi] = S[vi] * T.float32(2)
)";
  PrimFunc func = parse(text);
  expect_applies(text, kRule, {{"block", std::string("C")}, {"loop", nth<For>(func, 0)}}, "");
  // (Inside of it the last one of several instances would see the sum, the others a part of it: that is not tried.)
  std::optional<Refused> inside = refusal(func, kRule, {{"block", std::string("C")}, {"loop", nth<For>(func, 1)}});
  ASSERT_TRUE(inside);
  EXPECT_NE(inside->obligation.why.find("is not written any more"), std::string::npos);
}

constexpr const char* kLastTile = R"(
def before(A: T.Buffer((10,), "int32"), O: T.Buffer((10,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for io, ii in T.grid(3, 4):
        with T.block("P"):
            T.where(io * 4 + ii < 10)
            vi = T.axis.spatial(10, io * 4 + ii)
            B[vi] = A[vi] * 2
    for i in range(10):
        with T.block("C"):
            vi = T.axis.spatial(10, i)
            O[vi] = B[vi] + 1
)";

TEST(ReverseComputeAt, Condition1NoOtherInstances) {
  PrimFunc func = parse(kLastTile);
  expect_refused_rightly(func, kRule, at("C", "io"), "in no other instances");
  expect_applies(kLastTile, kRule, at("C", "io", 1), "");
  EXPECT_NE(print(applied(func, kRule, at("C", "io", 1))).find("T.where(io * 4 + ax0 < 10)"), std::string::npos);
}

TEST(ReverseComputeAt, Condition2EveryInstance) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), O: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = 7
    for io, ii in T.grid(2, 4):
        with T.block("P"):
            vi = T.axis.spatial(16, io * 4 + ii)
            B[vi] = A[vi] * 2
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            O[vi] = B[vi] + 1
)");
  expect_refused_rightly(func, kRule, at("C", "io"), "every instance of the block runs");
}

TEST(ReverseComputeAt, Condition3WhatIsWrittenLater) {
  // The neighbour's cell is computed in the next iteration.
  PrimFunc stencil = parse(R"(
def before(A: T.Buffer((17,), "int32"), O: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((17,), "int32")
    for i in range(17):
        B[i] = 0
    for i in range(16):
        with T.block("P"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * 2
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            O[vi] = B[vi] + B[vi + 1]
)");
  expect_refused_rightly(stencil, kRule, {{"block", std::string("C")}, {"loop", nth<For>(stencil, 1)}},
                         "is not written any more");
  // A statement behind the loop, in the body of a loop around it, writes the cell again.
  PrimFunc behind = parse(R"(
def before(A: T.Buffer((4, 4), "int32"), O: T.Buffer((4, 4), "int32")):
    B = T.alloc_buffer((4, 4), "int32")
    for i in range(4):
        for j in range(4):
            with T.block("P"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * 2
        for k in range(4):
            B[i, k] = B[i, k] + 1
    for i, j in T.grid(4, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            O[vi, vj] = B[vi, vj]
)");
  expect_refused_rightly(behind, kRule, {{"block", std::string("C")}, {"loop", nth<For>(behind, 1)}},
                         "is not written any more");
  expect_applies(print(behind), kRule, {{"block", std::string("C")}, {"loop", nth<For>(behind, 0)}}, "");
  // Each pass over the rows computes all anew.
  PrimFunc again = parse(R"(
def before(A: T.Buffer((4, 4), "int32"), O: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for i, j in T.grid(4, 4):
        B[j] = A[i, j]
    for j in range(4):
        with T.block("C"):
            vj = T.axis.spatial(4, j)
            O[vj] = B[vj]
)");
  Rewrite rewrite = rule_by_name(kRule).apply(again, {{"block", std::string("C")}, {"loop", nth<For>(again, 1)}});
  EXPECT_TRUE(refusal(again, kRule, {{"block", std::string("C")}, {"loop", nth<For>(again, 1)}}));
}

TEST(ReverseComputeAt, Condition4WhatTheOthersTouch) {
  // The nest reads what the consumer overwrites.
  PrimFunc in_place = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        with T.block("P"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[15 - vi] * 2
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            A[vi] = B[vi] + 1
)");
  expect_refused_rightly(in_place, kRule, {{"block", std::string("C")}, {"loop", nth<For>(in_place, 0)}},
                         "does not touch what it writes");
  // What stands between changes an input.
  PrimFunc between = parse(R"(
def before(A: T.Buffer((16,), "int32"), D: T.Buffer((16,), "int32"), O: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        with T.block("P"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi] * 2
    D[3] = 5
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            O[vi] = B[vi] + D[vi]
)");
  expect_refused_rightly(between, kRule, {{"block", std::string("C")}, {"loop", nth<For>(between, 0)}},
                         "does not write what the block reads");
}

TEST(ReverseComputeAt, Condition5TheNewBindingsFit) {
  expect_owed(parse(kTiles), kRule, at("C", "io"), "the new binding of 'vi' fits its type");
}

TEST(ReverseComputeAt, DoesNotApply) {
  PrimFunc func = parse(kTiles);
  EXPECT_TRUE(not_applicable(func, kRule, at("P", "io")));
  EXPECT_TRUE(not_applicable(func, kRule, {{"block", std::string("C")}, {"loop", nth<For>(func, 3)}}));
  EXPECT_TRUE(not_applicable(func, kRule, {{"block", std::string("none")}, {"loop", nth<For>(func, 0)}}));
  std::string text = kTiles;
  text.replace(text.find("B[vi, vj] + T.float32(1)"), 24, "O[vi, vj] + B[vi, vj]");
  expect_not_applicable(parse(text), kRule, at("C", "io"), "no init sets");
  std::string parallel = R"(
def before(A: T.Buffer((16,), "int32"), O: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in T.parallel(16):
        B[i] = A[i]
    for j in range(16):
        with T.block("C"):
            v = T.axis.spatial(16, j)
            O[v] = B[v]
)";
  expect_not_applicable(parse(parallel), kRule, at("C", "i"), "not serial");
}

}  // namespace reverse_compute_at_test
}  // namespace hexproof
