// What blocks claim, after a rule: `check` proves it of the result, or the step is refused.
#include "tests/rewrite/layouts/layouts.h"
#include "tests/rewrite/traps/traps.h"
#include "verify/check/check.h"

namespace hexproof {
namespace claims_test {

Finding found(const PrimFunc& func) { return check(func, test_prover()).finding; }

/// The rule applies, and all that the result claims is proved.
PrimFunc kept(const std::string& before, const std::string& rule, const Args& args) {
  PrimFunc func = parse(before);
  EXPECT_EQ(found(func), Finding::Proved) << before;
  PrimFunc after = applied(func, rule, args);
  EXPECT_EQ(found(after), Finding::Proved) << rule << "\n" << print(after);
  EXPECT_EQ(difference(func, after), "");
  return after;
}

/// The values would be right; what a block claims would not be.
void refused(const std::string& before, const std::string& rule, const Args& args, const std::string& why) {
  PrimFunc func = parse(before);
  EXPECT_EQ(found(func), Finding::Proved) << before;
  std::optional<Refused> no = refusal(func, rule, args);
  ASSERT_TRUE(no) << rule;
  EXPECT_NE(std::string(no->what()).find(why), std::string::npos) << no->what();
  PrimFunc wrong = proposed(func, rule, args);
  EXPECT_EQ(found(wrong), Finding::Refuted) << print(wrong);
  EXPECT_EQ(difference(func, wrong), "");
}

Path named(const PrimFunc& func, const std::string& block) { return find_blocks(func, block).at(0); }

// Each row is a block, and so is each cell in it.
constexpr const char* kRows = R"(
def main(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32")):
    for i in range(8):
        with T.block("o"):
            vi = T.axis.spatial(8, i)
            T.reads(A[vi, 0:8])
            T.writes(B[vi, 0:8])
            for j in range(8):
                with T.block("c"):
                    vj = T.axis.spatial(8, j)
                    B[vi, vj] = A[vi, vj]
)";

TEST(Claims, CacheReadInANestedBlock) {
  PrimFunc after = kept(kRows, "cache-read", {{"block", std::string("c")}, {"buffer", std::string("A")}});
  // The block around reads the cache now; what it writes is as it was.
  std::string text = print(after);
  EXPECT_EQ(text.find("T.reads(A[vi, 0:8])"), std::string::npos) << text;
  EXPECT_NE(text.find("T.writes(B[vi, 0:8])"), std::string::npos) << text;
}

TEST(Claims, CacheWriteOfANestedBlock) {
  PrimFunc after = kept(kRows, "cache-write", {{"block", std::string("c")}, {"buffer", std::string("B")}});
  EXPECT_NE(print(after).find("T.writes(B_global[vi, 0:8])"), std::string::npos) << print(after);
}

// The copy is larger than what was read: what the block around says of the argument is not enough.
TEST(Claims, CacheReadCopiesMoreThanWasRead) {
  PrimFunc after = kept(R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((2,), "int32")):
    with T.block("root"):
        T.reads(A[0:2])
        T.writes(B[0:2])
        for i in range(2):
            with T.block("b"):
                vi = T.axis.spatial(2, i)
                B[vi] = A[vi * vi]
)",
                        "cache-read", {{"block", std::string("b")}, {"buffer", std::string("A")}});
  EXPECT_EQ(print(after).find("T.reads(A[0:2])"), std::string::npos) << print(after);
}

constexpr const char* kSparse = R"(
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    t = T.alloc_buffer((16,), "int32")
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            T.writes(t[INDEX], B[vi])
            if vi % 2 == 0:
                t[INDEX] = A[vi]
            B[vi] = A[vi]
)";

Args fill(const std::string& text) {
  PrimFunc func = parse(text);
  return {{"at", nth<If>(func)}, {"like", nth<Store>(func)}, {"value", int64_t{0}}};
}

TEST(Claims, InsertStoreInASpatialBlock) {
  const std::string shared = put(kSparse, "INDEX", "vi // 2"), own = put(kSparse, "INDEX", "vi");
  refused(shared, "insert-store", fill(shared), "share no cell of t");
  PrimFunc after = applied(parse(own), "insert-store", fill(own));
  EXPECT_EQ(found(after), Finding::Proved) << print(after);
  EXPECT_NE(print(after).find("T.writes(t[vi], B[vi])"), std::string::npos) << "it covers the new store, too";
}

TEST(Claims, InsertStoreOutsideOfTheRegion) {
  const std::string text = put(kSparse, "t[INDEX], B[vi]", "t[vi // 2 * 2], B[vi]");
  const std::string own = put(text, "INDEX", "vi");
  PrimFunc after = kept(own, "insert-store", fill(own));
  EXPECT_EQ(print(after).find("T.writes"), std::string::npos) << print(after);
}

// The value was read in front of the block; put in, it is read in the block, from a cell of the next instance.
TEST(InlineLet, Condition3WhatABlockReadsItself) {
  const std::string text = R"(
def main(A: T.Buffer((9,), "int32")):
    for i in range(8):
        x: T.int32 = A[i + 1]
        with T.block("b"):
            vi = T.axis.KIND(8, i)
            T.reads()
            T.writes(A[vi])
            A[vi] = x
)";
  const std::string spatial = put(text, "KIND", "spatial"), opaque = put(text, "KIND", "opaque");
  Args args{{"at", nth<LetStmt>(parse(spatial))}};
  refused(spatial, "inline-let", args, "share no cell of A");
  PrimFunc after = kept(opaque, "inline-let", {{"at", nth<LetStmt>(parse(opaque))}});
  EXPECT_EQ(print(after).find("T.reads"), std::string::npos) << print(after);
}

// Inside of one instance of the outer block no cell is shared; among all of them, some are.
TEST(LowerBlock, Condition2WhatTheBlockInsideClaims) {
  const std::string text = R"(
def main(B: T.Buffer((8,), "int32")):
    for i in range(4):
        with T.block("o"):
            vi = T.axis.opaque(4, i)
            for j in range(4):
                with T.block("c"):
                    vj = T.axis.spatial(4, j)
                    B[INDEX] = 1
)";
  const std::string shared = put(text, "INDEX", "vj + vi"), own = put(text, "INDEX", "vj * 2 + vi % 2");
  refused(shared, "lower-block", {{"at", named(parse(shared), "o")}}, "share no cell of B");
  kept(own, "lower-block", {{"at", named(parse(own), "o")}});
}

// The instances of the two branches become those of one block.
TEST(SameBranches, Condition3WhatTheirBlocksClaim) {
  const std::string text = R"(
def main(B: T.Buffer((16,), "int32")):
    for i in range(16):
        if i % 2 == 0:
            with T.block("b"):
                vi = T.axis.spatial(16, i)
                B[INDEX] = 1
        else:
            with T.block("b"):
                vi = T.axis.spatial(16, i)
                B[INDEX] = 1
)";
  const std::string shared = put(text, "INDEX", "vi // 2"), own = put(text, "INDEX", "vi");
  refused(shared, "same-branches", {{"at", nth<If>(parse(shared))}}, "share no cell of B");
  kept(own, "same-branches", {{"at", nth<If>(parse(own))}});
}

TEST(Claims, OvercomputeInAnOuterBlock) {
  const std::string text = R"(
def main(B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        B[i, j] = 7
    for i in range(4):
        with T.block("o"):
            vi = T.axis.spatial(4, i)
            T.writes(B[vi, 0:4])
            for j in range(5):
                if j < 4:
                    with T.block("c"):
                        vj = T.axis.opaque(4, j)
                        B[ROW, vj % 4] = 7
)";
  const std::string own = put(text, "ROW", "vi"), other = put(text, "ROW", "(vi + vj // 4) % 4");
  kept(own, "overcompute", {{"at", nth<If>(parse(own))}});
  refused(other, "overcompute", {{"at", nth<If>(parse(other))}}, "instances of block o");
}

TEST(Claims, LayoutsInABlockWithRegions) {
  constexpr const char* kText = R"(
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    with T.block("root"):
        T.reads(A[0:14])
        T.writes(B[0:14])
        for i in range(14):
            with T.block("b"):
                vi = T.axis.spatial(14, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = A[vi]
)";
  auto map = [](const std::string& buffer) { return layout(buffer, index_map("lambda i: [i // 4, i % 4]"), i32(0)); };
  kept(kText, "cache-read", {{"block", std::string("b")}, {"buffer", std::string("A")}});
  for (const char* buffer : {"A", "B"}) {
    PrimFunc after = applied(parse(kText), "transform-layout", map(buffer));
    EXPECT_EQ(found(after), Finding::Proved) << print(after);
    EXPECT_EQ(found(applied(after, "flatten", {})), Finding::Proved);
  }
}

TEST(Claims, LoopsInABlockWithRegions) {
  const PrimFunc func = parse(kRows);
  PrimFunc inner = kept(kRows, "split",
                        {{"at", loop_named(func, "j")},
                         {"factor", int64_t{3}},
                         {"outer", std::string("xo")},
                         {"inner", std::string("xi")}});
  EXPECT_NE(print(inner).find("T.reads(A[vi, 0:8])"), std::string::npos) << print(inner);
  PrimFunc outer = kept(kRows, "split",
                        {{"at", loop_named(func, "i")},
                         {"factor", int64_t{3}},
                         {"outer", std::string("xo")},
                         {"inner", std::string("xi")}});
  EXPECT_NE(print(outer).find("T.reads(A[vi, 0:8])"), std::string::npos) << print(outer);
  kept(kRows, "lower-block", {{"at", named(func, "c")}});
  kept(kRows, "lower-block", {{"at", named(func, "o")}});
  kept(kRows, "parallelize", {{"at", loop_named(func, "i")}});
}

// The producer moves into a loop of the block around; the sum's init becomes a block of its own.
TEST(Claims, ProducersAndReductionsInABlockWithRegions) {
  kept(R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    with T.block("root"):
        T.reads(A[0:8])
        T.writes(B[0:8])
        t = T.alloc_buffer((8,), "int32")
        for i in range(8):
            with T.block("p"):
                vi = T.axis.spatial(8, i)
                t[vi] = A[vi] + 1
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                B[vi] = t[vi]
)",
       "compute-at", {{"block", std::string("p")}, {"loop", Path{0, 0, 1}}});
  constexpr const char* kSum = R"(
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.block("o"):
            vo = T.axis.spatial(4, i)
            T.reads(A[vo, 0:8])
            T.writes(B[vo])
            for k in range(8):
                with T.block("sum"):
                    vi = T.axis.spatial(4, vo)
                    vk = T.axis.reduce(8, k)
                    T.reads(A[vi, vk])
                    T.writes(B[vi])
                    with T.init():
                        B[vi] = 0
                    B[vi] = B[vi] + A[vi, vk]
)";
  const PrimFunc sum = parse(kSum);
  PrimFunc after = applied(sum, "decompose-reduction", {{"at", named(sum, "sum")}, {"loop", loop_named(sum, "k")}});
  EXPECT_EQ(found(after), found(sum)) << print(after);
}

}  // namespace claims_test
}  // namespace hexproof
