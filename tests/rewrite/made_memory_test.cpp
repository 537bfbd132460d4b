// A rule that makes a memory, or gives one another shape, owes that it exists: nothing is known of it before.
#include "tests/rewrite/layouts.h"
#include "tests/rewrite/traps.h"
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

}  // namespace
}  // namespace hexproof
