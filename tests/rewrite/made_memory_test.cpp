// A rule that makes a memory, or gives one another shape, owes that it exists: nothing is known of it before. So it
// does of the loops that it makes: that their bounds are no error where they stand.
#include <algorithm>

#include "tests/rewrite/conditions.h"
#include "tests/rewrite/layouts/layouts.h"
#include "tests/rewrite/traps/traps.h"
#include "verify/check/check.h"

namespace hexproof {
namespace made_memory_test {

CheckReport checked(const PrimFunc& func) { return check(func, test_prover()); }

/// The rule applies, and the result's memory is proved to exist, as the one before.
PrimFunc exists(const PrimFunc& func, const std::string& rule, const Args& args) {
  EXPECT_EQ(checked(func).finding, Finding::Proved) << print(func);
  PrimFunc after = applied(func, rule, args);
  EXPECT_EQ(checked(after).finding, Finding::Proved) << print(after) << checked(after).reason;
  return after;
}

/// Refused, and rightly: the program would meet an error where the one before meets none.
void no_memory(const PrimFunc& func, const std::string& rule, const Args& args, const std::string& why,
               const std::string& error) {
  EXPECT_EQ(checked(func).finding, Finding::Proved) << print(func);
  std::optional<Refused> no = refusal(func, rule, args);
  ASSERT_TRUE(no) << rule;
  EXPECT_NE(std::string(no->what()).find(why), std::string::npos) << no->what();
  CheckReport wrong = checked(proposed(func, rule, args));
  EXPECT_EQ(wrong.finding, Finding::Refuted) << print(wrong.program) << wrong.reason;
  EXPECT_NE(wrong.counterexample.find(error), std::string::npos) << wrong.counterexample;
}

// One memory of `extent` cells in each iteration.
PrimFunc in_loop(const std::string& extent) {
  return parse(put(R"(
def main(B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        A = T.decl_buffer((EXTENT,), "int32")
        for j in range(EXTENT):
            A[j] = B[j]
        for j in range(EXTENT):
            C[j] = A[j]
)",
                   "EXTENT", extent));
}

TEST(MadeMemory, EmptyInOneIteration) {
  for (const char* map : {"lambda i: [i * 2]", "lambda i: [0, i * 3]", "lambda i: [i * 2, 0]"}) {
    no_memory(in_loop("i"), "transform-layout", layout("A", map), "are not negative", "negative extent");
  }
  exists(in_loop("8 - i"), "transform-layout", layout("A", "lambda i: [i * 2]"));
  exists(in_loop("i"), "transform-layout", layout("A", "lambda i: [i // 4, i % 4]"));
}

// `n` cells between two arguments of `m(n)` cells.
PrimFunc between(const std::string& cells, const std::string& argument = "n", const std::string& type = "int32") {
  std::string text = R"(
def main(b: T.handle, c: T.handle, n: T.int32):
    B = T.match_buffer(b, (MANY,), "TYPE")
    C = T.match_buffer(c, (MANY,), "TYPE")
    T.evaluate(T.assume(n >= 0))
    A = T.alloc_buffer((CELLS,), "TYPE")
    for i in range(CELLS):
        A[i] = B[i]
    for i in range(CELLS):
        C[i] = A[i]
)";
  text = put(put(put(text, "MANY", argument), "CELLS", cells), "TYPE", type);
  return parse(text);
}

TEST(MadeMemory, PaddingBeyondTheLimit) {
  // 2^29 - 1 cells of four bytes fit; in whole tiles they do not.
  std::optional<Refused> no = refusal(between("n"), "transform-layout", layout("A", "lambda i: [i // 4, i % 4]"));
  ASSERT_TRUE(no);
  EXPECT_NE(std::string(no->what()).find("at most 2^31 - 1 bytes"), std::string::npos) << no->what();
  // A larger argument bounds n, and so does what is assumed.
  exists(between("n", "n + 8"), "transform-layout", layout("A", "lambda i: [i // 4, i % 4]"));
  const std::string bounded = R"(
def main(B: T.Buffer((4,), "int16"), n: T.int32):
    T.evaluate(T.assume(n >= 1 and n <= MOST))
    A = T.alloc_buffer((n,), "int16")
    A[0] = T.int16(1)
    B[0] = A[0]
)";
  exists(parse(put(bounded, "MOST", "1000")), "transform-layout", layout("A", "lambda i: [i // 4, i % 4]"));
  exists(parse(put(bounded, "MOST", "500000000")), "transform-layout", layout("A", "lambda i: [i * 2]"));
  no_memory(parse(put(bounded, "MOST", "1000000000")), "transform-layout", layout("A", "lambda i: [i * 2]"),
            "at most 2^31 - 1 bytes", "bytes");
}

TEST(MadeMemory, SymbolicAndEmpty) {
  no_memory(between("n"), "transform-layout", layout("A", "lambda i: [i * 2]"), "", "negative extent");
  exists(between("n", "n * 2"), "transform-layout", layout("A", "lambda i: [i // 2, i % 2]"));
}

// An argument of a layout that no caller can make: where the one before is empty, the one after has no size.
TEST(MadeMemory, ArgumentOfNegativeExtent) {
  PrimFunc func = between("n");
  std::optional<Refused> no = refusal(func, "transform-layout", layout("B", "lambda i: [i * 2]"));
  ASSERT_TRUE(no);
  EXPECT_NE(std::string(no->what()).find("the extents of B are not negative"), std::string::npos) << no->what();
  applied(func, "transform-layout", layout("B", "lambda i: [i // 4, i % 4]"));
}

TEST(MadeMemory, CompactToLessThanNothing) {
  PrimFunc func = parse(R"(
def main(B: T.Buffer((16,), "int32")):
    for i in range(8):
        A = T.decl_buffer((16,), "int32")
        for j in range(i):
            A[j] = j
        for j in range(i):
            B[j] = A[j]
)");
  Path alloc = nth<AllocBuffer>(func);
  Var i = stmt_at(func, loop_named(func, "i")).as<For>()->var;
  auto to = [&](const Expr& extent) {
    return Args{
        {"buffer", std::string("A")}, {"base", std::vector<Expr>{i32(0)}}, {"extent", std::vector<Expr>{extent}}};
  };
  exists(func, "compact-buffer", to(Expr(i)));
  // No cell is used where the extent is negative; there is no such memory all the same.
  PrimFunc late = parse(put(print(func), "range(i)", "range(i - 3)"));
  Var k = stmt_at(late, loop_named(late, "i")).as<For>()->var;
  no_memory(late, "compact-buffer", to(Expr(k) - i32(3)), "not negative", "negative extent");
}

TEST(MadeMemory, ElidedToLessThanNothing) {
  PrimFunc func = parse(R"(
def main(B: T.Buffer((16,), "int32"), n: T.int32):
    T.evaluate(T.assume(n >= 0 and n <= 1000))
    A = T.alloc_buffer((n,), "int32")
    for j in range(n - 4):
        A[j] = 1
    B[0] = 1
)");
  Var n = func.scalars().at(0);
  auto to = [](const Expr& cells) {
    return Args{{"buffer", std::string("A")}, {"shape", std::vector<Expr>{cells}}, {"map", index_map("lambda i: [i]")}};
  };
  exists(func, "elide-padding", to(Expr(n)));
  no_memory(func, "elide-padding", to(Expr(n) - i32(4)), "not negative", "negative extent");
}

TEST(MadeMemory, CachesAreAsLargeAsWhatTheyCache) {
  PrimFunc func = between("n");
  for (const char* rule : {"cache-read", "cache-write"}) {
    bool reads = rule == std::string("cache-read");
    PrimFunc after =
        exists(func, rule, {{"block", nth<For>(func, reads ? 0 : 1)}, {"buffer", std::string(reads ? "B" : "C")}});
    EXPECT_EQ(find_all(after, [](const Stmt& s) { return s.as<AllocBuffer>() != nullptr; }).size(), 2u);
  }
}

// The extent of a block's domain is not evaluated where the block stands, nor is a loop that is never reached.
TEST(CacheIndex, Condition3TheExtentsOfTheBoxAreNoError) {
  const PrimFunc func = parse(R"(
def main(A: T.Buffer((16,), "int32"), n: T.int32):
    if n != 0:
        for i in range(8):
            with T.block("b"):
                vi = T.axis.spatial(T.max(T.min(8 // n, 8), 8), i)
                A[vi + 1] = 7
)");
  const Args args{{"block", std::string("b")}, {"number", int64_t{0}}, {"name", std::string("C")}};
  expect_refused_rightly(func, "cache-index", args, "are no error", {{"n", 0}});
}

// `8 // n` stands below a loop over n; what is made has the loops in the order of the block's variables.
PrimFunc below_n(const std::string& outer) {
  return parse(put(R"(
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (8, n), "int32")
    B = T.match_buffer(b, (8, n), "int32")
    for j in range(OUTER):
        for i in range(8 // n):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
)",
                   "OUTER", outer));
}

Args box_of(const std::string& buffer, const std::string& map) {
  return {{"block", std::string("b")}, {"buffer", buffer}, {"name", std::string("C")}, {"map", index_map(map)}};
}

TEST(ReindexRead, Condition5TheExtentsOfTheBoxAreNoError) {
  expect_refused_rightly(below_n("n"), "reindex-read", box_of("A", "lambda i, j: [i % 8, j]"), "the bounds of loop",
                         {{"n", 0}});
}

TEST(ReindexWrite, Condition6TheExtentsOfTheBoxAreNoError) {
  expect_refused_rightly(below_n("n"), "reindex-write", box_of("B", "lambda i, j: [i % 8, j]"), "the bounds of loop",
                         {{"n", 0}});
}

TEST(ComputeAt, Condition8TheBoundsInTheirNewOrder) {
  const std::string text = R"(
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (8, n), "int32")
    B = T.match_buffer(b, (4, 8, n), "int32")
    C = T.alloc_buffer((8, n), "int32")
    for j in range(n):
        for i in range(8 // n):
            with T.block("p"):
                vi, vj = T.axis.remap("SS", [ORDER])
                C[vi, vj] = A[vi, vj] + 1
    for x in range(4):
        for j in range(n):
            for i in range(8 // n):
                with T.block("c"):
                    vx, vi, vj = T.axis.remap("SSS", [x, i, j])
                    B[vx, vi, vj] = C[vi, vj]
)";
  const Args args{{"block", std::string("p")}, {"loop", std::string("x")}};
  expect_refused_rightly(parse(put(text, "ORDER", "i, j")), "compute-at", args, "the bounds of loop", {{"n", 0}});
  // In the order of the loops they were evaluated wherever they are now.
  std::string kept = put(text, "vi, vj = T.axis.remap(\"SS\", [ORDER])", "vj, vi = T.axis.remap(\"SS\", [j, i])");
  applied(parse(kept), "compute-at", args);
}

TEST(ReverseComputeAt, Condition6TheBoundsInTheirNewOrder) {
  const PrimFunc func = parse(R"(
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (8, n), "int32")
    B = T.match_buffer(b, (8, n), "int32")
    C = T.alloc_buffer((1,), "int32")
    for x in range(1):
        with T.block("p"):
            vx = T.axis.spatial(1, x)
            C[vx] = 5
    for j in range(n):
        for i in range(8 // n):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = C[0] + A[vi, vj]
)");
  expect_refused_rightly(func, "reverse-compute-at", {{"block", std::string("c")}, {"loop", std::string("x")}},
                         "the bounds of loop", {{"n", 0}});
}

// The loop over r, without which 8 // m is never evaluated, is none of those behind.
TEST(Rfactor, Condition6TheLoopsBehindAreNoError) {
  const PrimFunc func = parse(R"(
def main(A: T.Buffer((4,), "int32"), C: T.Buffer((8,), "int32"), m: T.int32):
    for r in range(m):
        for s in range(T.min(8 // m, m)):
            for k in range(4):
                with T.block("C"):
                    vs, vr, vk = T.axis.remap("SRR", [s, r, k])
                    C[vs] = C[vs] + A[vk]
)");
  expect_refused_rightly(func, "rfactor", {{"loop", nth<For>(func, 2)}}, "", {{"m", 0}});
}

TEST(DecomposeReduction, Condition7TheStartsOfTheBlockAround) {
  const std::string text = R"(
def main(A: T.Buffer((8, 4), "int32"), C: T.Buffer((8,), "int32"), n: T.int32):
    for i, ko in T.grid(8, 1):
        with T.block("o"):
            vi = T.axis.spatial(8, i)
            vo = T.axis.reduce((START, 1), ko)
            for k in range(4):
                with T.block("b"):
                    vi2 = T.axis.spatial(8, vi)
                    vk = T.axis.reduce(4, k + vo * 4)
                    with T.init():
                        C[vi2] = 0
                    C[vi2] = C[vi2] + A[vi2, vk]
)";
  auto into = [](const PrimFunc& func) {
    return Args{{"at", nth<Block>(func, 1)}, {"loop", nth<For>(func, 2)}, {"into", int64_t{1}}};
  };
  const PrimFunc func = parse(put(text, "START", "T.max(T.min(8 // n, 0), 0)"));
  expect_refused_rightly(func, "decompose-reduction", into(func), "the start of a reduction", {{"n", 0}});
  const PrimFunc plain = parse(put(text, "START", "0"));
  applied(plain, "decompose-reduction", into(plain));
}

// In n + 4 there is no room for the last sizes of a buffer of bytes: 5 does not divide 2^31 - 1, and 4 divides 2^31.
TEST(TransformLayout, Condition7TheLoopsOverPaddingAreNoError) {
  const PrimFunc func = parse(R"(
def main(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int8")
    for i in range(n):
        A[i] = T.int8(1)
)");
  const std::optional<Refused> no =
      refusal(func, "transform-layout", layout("A", "lambda i: [i // 5, i % 5]", int64_t{0}));
  ASSERT_TRUE(no);
  EXPECT_NE(std::string(no->what()).find("the bounds of loop"), std::string::npos) << no->what();
  applied(func, "transform-layout", layout("A", "lambda i: [i // 4, i % 4]", int64_t{0}));
  // The loops stand behind what is assumed of scalars.
  const PrimFunc read = parse(R"(
def main(a: T.handle, C: T.Buffer((1,), "int8"), n: T.int32):
    A = T.match_buffer(a, (n,), "int8")
    T.assume(n >= 1 and n <= 1000)
    C[0] = A[0]
)");
  applied(read, "transform-layout", layout("A", "lambda i: [i // 5, i % 5]", int64_t{0}));
}

/// What stands in front of the nest relies on the assume in it.
PrimFunc assumes_inside(const std::string& store) {
  return parse(put(R"(
def main(a: T.handle, B: T.Buffer((100,), "int32")):
    m = T.int32()
    A = T.match_buffer(a, (m,), "int32")
    for i in range(16):
        T.assume(i < m)
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            STORE
)",
                   "STORE", store));
}

void expect_no_error_owed(const PrimFunc& func, const std::string& rule, const Args& args) {
  const Rewrite rewrite = rule_by_name(rule).apply(func, args);
  EXPECT_TRUE(std::any_of(rewrite.needs.begin(), rewrite.needs.end(),
                          [](const Obligation& o) { return o.rule.starts_with("check-"); }))
      << rule << " does not ask whether the copy is free of errors";
  ASSERT_TRUE(refusal(func, rule, args)) << rule;
}

Args copy_of(const std::string& buffer) { return {{"block", std::string("b")}, {"buffer", buffer}}; }

TEST(ReindexRead, Condition6TheCopyReliesOnNoAssumeInTheNest) {
  expect_no_error_owed(assumes_inside("B[vi * 6 + 1] = A[vi]"), "reindex-read", copy_of("A"));
}

TEST(CacheRead, Condition6TheCopyReliesOnNoAssumeInTheNest) {
  expect_no_error_owed(assumes_inside("B[vi * 6 + 1] = A[vi]"), "cache-read", copy_of("A"));
}

TEST(CacheInplace, Condition5TheCopyReliesOnNoAssumeInTheNest) {
  expect_no_error_owed(assumes_inside("A[vi] = A[vi] + 1"), "cache-inplace", copy_of("A"));
}

// What bounds a size may be an assume: memory stands behind it, and the next step finds the stages inside.
TEST(MadeMemory, BehindTheAssumeThatBoundsIt) {
  const PrimFunc func = parse(R"(
def main(A: T.Buffer((100,), "int32"), B: T.Buffer((100,), "int32"), n: T.int32):
    T.assume(n >= 0 and n <= 50)
    for i in range(n):
        with T.block("b"):
            vi = T.axis.spatial(n, i)
            A[vi] = B[vi * 2]
)");
  const Args index{{"block", std::string("b")}, {"number", int64_t{0}}, {"name", std::string("C")}};
  const PrimFunc first = exists(func, "cache-index", index);
  EXPECT_EQ(nth<AllocBuffer>(first), (Path{1})) << print(first);
  const PrimFunc second = exists(func, "reindex-read", copy_of("B"));
  exists(second, "cache-read", copy_of("B_global"));
  exists(func, "reindex-write", copy_of("A"));
  const PrimFunc sum = parse(R"(
def main(C: T.Buffer((1,), "int32"), B: T.Buffer((100,), "int32"), n: T.int32):
    T.assume(n >= 1 and n <= 50)
    for i in range(n):
        with T.block("b"):
            vi = T.axis.reduce(n, i)
            with T.init():
                C[0] = 0
            C[0] = C[0] + B[vi]
)");
  exists(sum, "rfactor", {{"loop", std::string("i")}});
}

// The cells of a store at a loaded index are those of before, and yet nobody sees that instances share none.
TEST(CacheIndex, TheIndexOfAStoreInABlockThatClaims) {
  const Args args{{"block", std::string("b")}, {"number", int64_t{0}}, {"name", std::string("C")}};
  const std::string text = R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.KIND(8, i)
            A[vi * 2] = 3
)";
  EXPECT_TRUE(refusal(parse(put(text, "KIND", "spatial")), "cache-index", args));
  exists(parse(put(text, "KIND", "opaque")), "cache-index", args);
}

}  // namespace made_memory_test
}  // namespace hexproof
