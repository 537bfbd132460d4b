#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace decompose_reduction_test {

Args at_loop(const PrimFunc& func, const std::string& loop) {
  return {{"at", nth<Block>(func)}, {"loop", loop_named(func, loop)}};
}

const char* kMatmul = R"(
def before(A: T.Buffer((4, 6), "TYPE"), B: T.Buffer((6, 5), "TYPE"), C: T.Buffer((4, 5), "TYPE")):
    for i, j, k in T.grid(4, 5, 6):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.cast(0, "TYPE")
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";

std::string with_type(std::string text, const std::string& type) {
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
  return text;
}

TEST(DecomposeReduction, InFrontOfTheReductionLoop) {
  std::string text = with_type(kMatmul, "int32");
  expect_applies(text, "decompose-reduction", at_loop(parse(text), "k"), R"(
def after(A: T.Buffer((4, 6), "int32"), B: T.Buffer((6, 5), "int32"), C: T.Buffer((4, 5), "int32")):
    for i, j in T.grid(4, 5):
        with T.block("C_init"):
            vi_init, vj_init = T.axis.remap("SS", [i, j])
            C[vi_init, vj_init] = T.cast(0, "int32")
        for k in range(6):
            with T.block("C_update"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)");
}

TEST(DecomposeReduction, InFrontOfEachLoopAndForEachType) {
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    for (const char* loop : {"i", "j", "k"}) {
      std::string text = with_type(kMatmul, type);
      expect_applies(text, "decompose-reduction", at_loop(parse(text), loop), "");
    }
  }
}

TEST(DecomposeReduction, Condition3TheReductionLoopStandsOutside) {
  const char* text = R"(
def before(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    for k, i in T.grid(6, 4):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, vk]
)";
  expect_applies(text, "decompose-reduction", at_loop(parse(text), "k"), R"(
def after(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    for i_init in range(4):
        with T.block("C_init"):
            vi_init = T.axis.spatial(4, i_init)
            C[vi_init] = 0
    for k, i in T.grid(6, 4):
        with T.block("C_update"):
            vi, vk = T.axis.remap("SR", [i, k])
            C[vi] = C[vi] + A[vi, vk]
)");
  // In front of the inner loop, each k would initialise again.
  PrimFunc func = parse(text);
  expect_refused_rightly(func, "decompose-reduction", at_loop(func, "i"), "initialised before");
}

TEST(DecomposeReduction, GuardsAndPredicates) {
  const char* text = R"(
def before(A: T.Buffer((14, 10), "float32"), C: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            for ko, ki in T.grid(3, 4):
                with T.block("C"):
                    vi = T.axis.spatial(14, io * 4 + ii)
                    vk = T.axis.reduce(10, ko * 4 + ki)
                    T.where(ko * 4 + ki < 10)
                    with T.init():
                        C[vi] = T.float32(0)
                    C[vi] = C[vi] + A[vi, vk]
)";
  for (const char* loop : {"io", "ii", "ko"}) {
    expect_applies(text, "decompose-reduction", at_loop(parse(text), loop), "");
  }
  PrimFunc func = parse(text);
  expect_refused_rightly(func, "decompose-reduction", at_loop(func, "ki"), "initialised before");
}

// Zero iterations of the reduction leave C alone; the init in front would not.
TEST(DecomposeReduction, Condition2AReductionThatMayBeEmpty) {
  const std::string text = R"(
def before(A: T.Buffer((4, 8), "int32"), C: T.Buffer((4,), "int32"), n: T.int32):
    if n >= LOW and n <= 8:
        for i, k in T.grid(4, n):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = 0
                C[vi] = C[vi] + A[vi, vk]
)";
  auto with_low = [&](const std::string& low) {
    std::string out = text;
    return out.replace(out.find("LOW"), 3, low);
  };
  PrimFunc func = parse(with_low("0"));
  expect_refused_rightly(func, "decompose-reduction", at_loop(func, "k"), "runs at least once", {{"n", 0}});
  expect_applies(with_low("1"), "decompose-reduction", at_loop(parse(with_low("1")), "k"), "", {{"n", 5}});
}

// A loop that neither reduces nor indexes: each of its iterations starts the sum anew.
TEST(DecomposeReduction, Condition4ALoopThatRepeatsTheSum) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((6,), "int32"), C: T.Buffer((1,), "int32")):
    for t, k in T.grid(3, 6):
        with T.block("C"):
            vk = T.axis.reduce(6, k)
            with T.init():
                C[0] = 0
            C[0] = C[0] + A[vk]
)");
  expect_refused_rightly(func, "decompose-reduction", at_loop(func, "t"), "at its start");
  PrimFunc inner = applied(func, "decompose-reduction", at_loop(func, "k"));
  EXPECT_EQ(difference(func, inner), "");
}

// Row i + 1 is initialised with what row i has become.
TEST(DecomposeReduction, Condition5TheInitReadsWhatAnUpdateWrote) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 6), "int32"), C: T.Buffer((5,), "int32")):
    for i, k in T.grid(4, 6):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi + 1] = C[vi]
            C[vi + 1] = C[vi + 1] + A[vi, vk]
)");
  expect_refused_rightly(func, "decompose-reduction", at_loop(func, "i"), "ran before an initialisation");
  PrimFunc inner = applied(func, "decompose-reduction", at_loop(func, "k"));
  EXPECT_EQ(difference(func, inner), "");
}

TEST(DecomposeReduction, DoesNotApply) {
  PrimFunc none = parse(R"(
def before(A: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.block("A"):
            vi = T.axis.spatial(4, i)
            A[vi] = 1
    for o in range(4):
        A[o] = 2
)");
  EXPECT_TRUE(not_applicable(none, "decompose-reduction", at_loop(none, "i")));
  EXPECT_TRUE(not_applicable(none, "decompose-reduction", at_loop(none, "o")));
  PrimFunc beside = parse(R"(
def before(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i, 0] = 3
        for k in range(6):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = 0
                C[vi] = C[vi] + A[vi, vk]
)");
  EXPECT_EQ(difference(beside, applied(beside, "decompose-reduction", at_loop(beside, "i"))), "");
  PrimFunc branch = parse(R"(
def before(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        if i < 3:
            for k in range(6):
                with T.block("C"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    with T.init():
                        C[vi] = 0
                    C[vi] = C[vi] + A[vi, vk]
        else:
            A[0, 0] = 1
)");
  EXPECT_TRUE(not_applicable(branch, "decompose-reduction", at_loop(branch, "i")));
}

constexpr const char* kTile = R"(
def before(A: T.Buffer((8, 12), "int32"), C: T.Buffer((8,), "int32")):
    L = T.alloc_buffer((8, 12), "int32")
    for io in range(2):
        for ko in range(3):
            for ax0, ax1 in T.grid(4, 4):
                with T.block("L"):
                    v0 = T.axis.spatial(8, io * 4 + ax0)
                    v1 = T.axis.spatial(12, ko * 4 + ax1)
                    L[v0, v1] = A[v0, v1] * 3
            STATEMENT
            for ii, ki in T.grid(4, 4):
                with T.block("C"):
                    vi = T.axis.spatial(8, io * 4 + ii)
                    vk = T.axis.reduce(12, ko * 4 + ki)
                    with T.init():
                        C[vi] = 0
                    C[vi] = C[vi] + L[vi, vk]
)";

Args sum_at(const PrimFunc& func, const std::string& loop) {
  return {{"at", find_blocks(func, "C").at(0)}, {"loop", loop_named(func, loop)}};
}

std::string tile_with(const std::string& statement) {
  std::string text = kTile;
  return text.replace(text.find("STATEMENT"), 9, statement);
}

// A cache was computed at the loop over tiles of the sum.
TEST(DecomposeReduction, BesideACache) {
  const std::string text = tile_with("L[io * 4, ko * 4] = 7");
  expect_applies(text, "decompose-reduction", sum_at(parse(text), "ko"), "");
  expect_applies(text, "decompose-reduction", sum_at(parse(text), "io"), "");
}

TEST(DecomposeReduction, Condition6WhatStandsBesideTheBlock) {
  PrimFunc writes = parse(tile_with("C[io * 4 + 1] = C[io * 4 + 1] + 9"));
  expect_refused_rightly(writes, "decompose-reduction", sum_at(writes, "ko"), "what stands beside the block");
  PrimFunc reads = parse(tile_with("L[io * 4, ko * 4] = C[io * 4]"));
  expect_refused_rightly(reads, "decompose-reduction", sum_at(reads, "ko"), "what stands beside the block");
}

// In front of the loop there is no reduction variable to initialise with.
TEST(DecomposeReduction, Condition1TheInitUsesTheReduction) {
  PrimFunc uses = parse(R"(
def before(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    for i, k in T.grid(4, 6):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = A[vi, vk]
            C[vi] = C[vi] + A[vi, vk]
)");
  EXPECT_TRUE(not_applicable(uses, "decompose-reduction", at_loop(uses, "k")));
}

// A predicate on data may change between the initialisation in front and the update.
TEST(DecomposeReduction, Condition1APredicateOnData) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    for i, k in T.grid(4, 6):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            T.where(C[i] < 3)
            with T.init():
                C[vi] = 5
            C[vi] = C[vi] + A[vi, vk]
)");
  expect_not_applicable_rightly(func, "decompose-reduction", at_loop(func, "k"), "depends on the content of a buffer",
                                R"(
def wrong(A: T.Buffer((4, 6), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        if C[i] < 3:
            C[i] = 5
        for k in range(6):
            if C[i] < 3:
                C[i] = C[i] + A[i, k]
)");
}

}  // namespace decompose_reduction_test
}  // namespace hexproof
