#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace reindex_write_test {

Args of() { return {{"block", std::string("B")}, {"buffer", std::string("A")}, {"name", std::string("C")}}; }

/// for i: block B over vi = `binding` in `domain`, under a predicate: A[`index`] = `value`
PrimFunc one(const std::string& index, const std::string& value = "X[vi]", const std::string& predicate = "True",
             const std::string& binding = "i", const std::string& domain = "8") {
  return parse(
      "def before(X: T.Buffer((8,), \"int32\"), A: T.Buffer((16,), \"int32\")):\n"
      "    for i in range(8):\n"
      "        with T.block(\"B\"):\n"
      "            vi = T.axis.opaque(" +
      domain + ", " + binding + ")\n            T.where(" + predicate + ")\n            A[" + index + "] = " + value +
      "\n");
}

Args mapped(const IndexMap& map) {
  Args args = of();
  args["map"] = map;
  return args;
}

TEST(ReindexWrite, ByTheVariablesOfTheBlock) {
  const char* text = R"(
def before(X: T.Buffer((8, 4, 3), "int32"), A: T.Buffer((4, 8), "int32")):
    for i, j, k in T.grid(8, 4, 3):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                A[vj, 7 - vi] = 0
            A[vj, 7 - vi] = A[vj, 7 - vi] + X[vi, vj, vk]
)";
  expect_applies(text, "reindex-write", of(), R"(
def after(X: T.Buffer((8, 4, 3), "int32"), A: T.Buffer((4, 8), "int32")):
    C = T.alloc_buffer((8, 4), "int32")
    for i, j, k in T.grid(8, 4, 3):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + X[vi, vj, vk]
    for ax0, ax1 in T.grid(8, 4):
        with T.block("C"):
            v0, v1 = T.axis.remap("SS", [ax0, ax1])
            A[v1, 7 - v0] = C[v0, v1]
)");
  const Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32), k = Var::fresh("k", kInt32);
  expect_applies(text, "reindex-write", mapped({{i, j, k}, {Expr(j) * i32(8) + Expr(i)}, {}}), "");
}

TEST(ReindexWrite, Condition1TheValuesLieInTheBox) {
  expect_applies(print(one("vi * 2")), "reindex-write", of(), "");
  expect_refused_rightly(one("vi * 2", "X[vi]", "True", "i", "4"), "reindex-write", of(), "lie in the box");
}

TEST(ReindexWrite, Condition2CellsAndPlacesAreOneToOne) {
  // Two instances write one cell, the later one the smaller value of vi: two places would be copied back in the wrong
  // order.
  expect_refused_rightly(one("vi // 2", "X[vi]", "True", "7 - i"), "reindex-write", of(), "a cell has one place");
  const Var i = Var::fresh("i", kInt32);
  expect_refused_rightly(one("vi"), "reindex-write", mapped({{i}, {floordiv(Expr(i), i32(2))}, {}}),
                         "a place of the cache stands for one cell");
}

TEST(ReindexWrite, Condition3EachValueIsVisited) {
  expect_refused_rightly(one("vi", "X[vi]", "i < 6"), "reindex-write", of(), "was written by an instance");
}

TEST(ReindexWrite, Condition4WhatIsReadWasWritten) {
  expect_not_applicable_rightly(one("vi", "A[vi] + X[vi]"), "reindex-write", of(), "no write before it", R"(
def tempting(X: T.Buffer((8,), "int32"), A: T.Buffer((16,), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in range(8):
        C[i] = C[i] + X[i]
    for i in range(8):
        A[i] = C[i]
)");
}

TEST(ReindexWrite, Condition5NothingElseTouchesTheBuffer) {
  const PrimFunc func = parse(R"(
def before(X: T.Buffer((8,), "int32"), A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            A[vi] = X[vi]
        with T.block("D"):
            vi = T.axis.spatial(8, i)
            D[vi] = A[vi]
)");
  expect_not_applicable_rightly(func, "reindex-write", of(), "touched in the nest outside of the block", R"(
def tempting(X: T.Buffer((8,), "int32"), A: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in range(8):
        C[i] = X[i]
        D[i] = A[i]
    for i in range(8):
        A[i] = C[i]
)");
  // In the predicate of the block itself.
  const PrimFunc guarded = one("vi", "X[vi]", "A[15] < 9");
  EXPECT_TRUE(not_applicable(guarded, "reindex-write", of()));
}

TEST(ReindexWrite, Condition6TheCacheFitsInMemory) {
  const PrimFunc func = parse(R"(
def before(x: T.handle, a: T.handle, n: T.int32):
    X = T.match_buffer(x, (n,), "int32")
    A = T.match_buffer(a, (n,), "int32")
    for i in range(n):
        with T.block("B"):
            vi = T.axis.spatial(n, i)
            A[n - 1 - vi] = X[vi]
)");
  expect_owed(func, "reindex-write", of(), "bytes");
  for (int64_t n : {0, 5}) EXPECT_EQ(difference(func, applied(func, "reindex-write", of()), {{"n", n}}), "");
}

}  // namespace reindex_write_test
}  // namespace hexproof
