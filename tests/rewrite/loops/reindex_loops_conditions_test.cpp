// Each side condition of reindex-loops, with a program that breaks without it.
#include "tests/rewrite/loops/reindex_loops.h"
#include "tests/rewrite/traps/traps.h"

namespace hexproof {
namespace reindex_loops_conditions_test {

using namespace reindexing;

TEST(ReindexLoops, DoesNotApply) {
  // Iterations that meet in a cell; a nest that is not perfect; loops in order already; an index that is data.
  PrimFunc sum = parse(R"(
def func(A: T.Buffer((6,), "int32"), B: T.Buffer((16,), "int32"), N: T.Buffer((6,), "int32")):
    for i, j in T.grid(6, 6):
        A[i] = A[i] + B[i + j]
    for k in range(6):
        A[k] = k
        for l in range(3):
            B[k + l] = k
    for m in range(6):
        A[N[m]] = 1
    for n in T.vectorized(6):
        A[5 - n] = 1
)");
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "i", 2, "A")));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "i", 2, "B")));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "k", 2, "B")));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "k", 1, "B")));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "k", 1, "A")));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "m", 1, "A")));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "n", 1, "A")));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "k", 0, "A")));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "k", 1, "A", 7)));
  EXPECT_TRUE(not_applicable(sum, "reindex-loops", nest_of(sum, "k", 1, "A", 0, {3})));
  PrimFunc ordered = parse("def func(A: T.Buffer((6,), 'int32')):\n    for i in range(6):\n        A[i] = i\n");
  EXPECT_TRUE(not_applicable(ordered, "reindex-loops", nest_of(ordered, "i", 1, "A")));
}

TEST(ReindexLoops, Condition4TheGuardMustHoldTheImage) {
  // Without the image in the guard, cells that no iteration has would be visited.
  PrimFunc func = parse(rfc_output(14));
  Derivation d(func);
  d.apply("transform-layout", layout("A", "lambda i: [i // 4, i % 4]"), test_prover());
  Args args = nest_of(d.current(), "i", 1, "A");
  args["image"] = int64_t{0};
  expect_refused_rightly(d.current(), "reindex-loops", args, "only old iterations are visited");
}

// n fits int32, n + 3 does not: the new bound is an error where the old program has none.
TEST(ReindexLoops, Condition2TheNewBoundsMustFit) {
  PrimFunc func = parse(R"(
def func(A: T.Buffer((4, 4), "int32"), n: T.int32):
    if n == 2147483647:
        for i in range(n):
            if i < 16:
                A[i // 4, i % 4] = i
)");
  Args args = nest_of(func, "i", 1, "A");
  std::optional<Refused> refused = refusal(func, "reindex-loops", args);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("new bounds fit"), std::string::npos) << refused->obligation.why;
  std::vector<Tensor> inputs = random_inputs(func, 0);
  RunOptions few{.undef_seed = 0, .max_steps = 1000};
  std::optional<RunError> error = run(proposed(func, "reindex-loops", args), inputs, {2147483647}, few).error;
  ASSERT_TRUE(error);
  EXPECT_NE(error->str().find("int32"), std::string::npos) << error->str();
  // With a smaller n it is right.
  PrimFunc smaller = parse(put(print(func), "2147483647", "1000"));
  expect_sound(smaller, "reindex-loops", nest_of(smaller, "i", 1, "A"), {{"n", 1000}});
}

TEST(ReindexLoops, Condition5TheOrderMatters) {
  // Cells from the last one to the first: each reads what its neighbour was.
  for (const char* value : {"A[10 - i] + 1", "A[8 - i] + 1"}) {
    PrimFunc func = parse(put(R"(
def func(A: T.Buffer((11,), "int32")):
    for i in range(8):
        A[9 - i] = V
)",
                              "V", value));
    Args args = nest_of(func, "i", 1, "A", 1);
    expect_refused_rightly(func, "reindex-loops", args, "iterations whose order changes");
  }
  PrimFunc writes = parse(R"(
def func(A: T.Buffer((11,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(11):
        A[10 - i] = i
        B[i // 3] = i
)");
  expect_refused_rightly(writes, "reindex-loops", nest_of(writes, "i", 1, "A"), "iterations whose order changes");
}

TEST(ReindexLoops, Condition6Trap10AFloatSumKeepsItsOrder) {
  std::string sum = R"(
def func(A: T.Buffer((16,), "DTYPE"), B: T.Buffer((16,), "DTYPE")):
    for i in range(16):
        B[0] = B[0] + A[i]
)";
  for (const char* dtype : {"float16", "float32"}) {
    Derivation d(parse(put(sum, "DTYPE", dtype)));
    d.apply("transform-layout", layout("A", "lambda i: [i % 4, i // 4]"), test_prover());
    expect_refused_rightly(d.current(), "reindex-loops", nest_of(d.current(), "i", 1, "A"),
                           "iterations whose order changes", {}, 400);
    // The sibling whose layout keeps the order, and the one that adds nothing up.
    Derivation kept(parse(put(sum, "DTYPE", dtype)));
    kept.apply("transform-layout", layout("A", "lambda i: [i // 4, i % 4]"), test_prover());
    kept.apply("reindex-loops", nest_of(kept.current(), "i", 1, "A"), test_prover());
    expect_related(kept);
    Derivation single(parse(put(put(sum, "DTYPE", dtype), "B[0]", "B[i]")));
    single.apply("transform-layout", layout("A", "lambda i: [i % 4, i // 4]"), test_prover());
    single.apply("reindex-loops", nest_of(single.current(), "i", 1, "A"), test_prover());
    expect_related(single);
  }
  for (const char* dtype : {"int8", "int32"}) {
    Derivation d(parse(put(sum, "DTYPE", dtype)));
    d.apply("transform-layout", layout("A", "lambda i: [i % 4, i // 4]"), test_prover());
    d.apply("reindex-loops", nest_of(d.current(), "i", 1, "A"), test_prover());
    expect_related(d);
  }
}

// A triangle, a bound that its own loop changes, vectors, an index that is data.
TEST(ReindexLoops, Condition1TheNestIsABox) {
  PrimFunc func = parse(R"(
def func(A: T.Buffer((8, 8), "int32"), N: T.Buffer((8,), "int32")):
    for i in range(8):
        for j in range(i):
            A[j, i] = 1
    for k in range(8):
        for l in range(N[0]):
            A[l % 8, k] = 1
            N[0] = 2
    for m in range(8):
        A[N[m], 0] = 1
    for n in T.vectorized(8):
        A[0, 7 - n] = 1
)");
  expect_not_applicable(func, "reindex-loops", nest_of(func, "i", 2, "A"), "depend on loop 'i'");
  expect_not_applicable(func, "reindex-loops", nest_of(func, "k", 2, "A"), "depends on the content of a buffer");
  expect_not_applicable(func, "reindex-loops", nest_of(func, "m", 1, "A"), "depends on the content of a buffer");
  expect_not_applicable(func, "reindex-loops", nest_of(func, "n", 1, "A"), "vectorized");
}

// The rule finds the box and the guard. A smaller box leaves iterations out.
TEST(ReindexLoops, Condition3EveryIterationIsVisited) {
  PrimFunc func = parse(R"(
def func(A: T.Buffer((16,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        A[10 - i * 2] = B[i]
)");
  Args args = nest_of(func, "i", 1, "A");
  for (const char* why : {"every iteration is visited: its cell is in the box",
                          "every iteration is visited: the guard holds", "no two iterations visit one cell"}) {
    expect_owed_rightly(func, "reindex-loops", args, why, R"(
def wrong(A: T.Buffer((16,), "int32"), B: T.Buffer((6,), "int32")):
    for y in range(1, 11):
        if y % 2 == 0:
            A[y] = B[5 - y // 2]
)");
  }
  PrimFunc after = applied(func, "reindex-loops", args);
  EXPECT_EQ(difference(func, after), "") << print(after);
}

}  // namespace reindex_loops_conditions_test
}  // namespace hexproof
