#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace reindex_read_test {

Args of(const std::string& buffer = "A") {
  return {{"block", std::string("B")}, {"buffer", buffer}, {"name", std::string("C")}};
}

/// A block over vi of `domain`, under a predicate, that reads A[`index`].
PrimFunc one(const std::string& domain, const std::string& index, const std::string& predicate = "True") {
  return parse(
      "def before(A: T.Buffer((12,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
      "    for i in range(8):\n"
      "        with T.block(\"B\"):\n"
      "            vi = T.axis.spatial(" +
      domain + ", i)\n            T.where(" + predicate + ")\n            B[vi] = A[" + index + "] + 1\n");
}

TEST(ReindexRead, ByTheVariablesOfTheBlock) {
  const char* text = R"(
def before(A: T.Buffer((6, 8), "int32"), B: T.Buffer((8, 4), "int32")):
    for i, j, k in T.grid(8, 4, 3):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                B[vi, vj] = 0
            B[vi, vj] = B[vi, vj] + A[vj + vk, vi]
)";
  expect_applies(text, "reindex-read", of(), R"(
def after(A: T.Buffer((6, 8), "int32"), B: T.Buffer((8, 4), "int32")):
    C = T.alloc_buffer((8, 4, 3), "int32")
    for ax0, ax1, ax2 in T.grid(8, 4, 3):
        with T.block("C"):
            v0, v1, v2 = T.axis.remap("SSS", [ax0, ax1, ax2])
            C[v0, v1, v2] = A[v1 + v2, v0]
    for i, j, k in T.grid(8, 4, 3):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                B[vi, vj] = 0
            B[vi, vj] = B[vi, vj] + C[vi, vj, vk]
)");
  // By a map over all variables.
  const Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32), k = Var::fresh("k", kInt32);
  Args mapped = of();
  mapped["map"] = IndexMap{{i, j, k}, {Expr(k), Expr(j) * i32(8) + Expr(i)}, {}};
  expect_applies(text, "reindex-read", mapped, R"(
def after(A: T.Buffer((6, 8), "int32"), B: T.Buffer((8, 4), "int32")):
    C = T.alloc_buffer((3, 32), "int32")
    for ax0, ax1, ax2 in T.grid(8, 4, 3):
        with T.block("C"):
            v0, v1, v2 = T.axis.remap("SSS", [ax0, ax1, ax2])
            C[v2, v1 * 8 + v0] = A[v1 + v2, v0]
    for i, j, k in T.grid(8, 4, 3):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                B[vi, vj] = 0
            B[vi, vj] = B[vi, vj] + C[vk, vj * 8 + vi]
)");
  // Under the predicate of a split that does not divide, all values are visited.
  const char* split = R"(
def before(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
    for io, ii in T.grid(3, 4):
        with T.block("B"):
            vi = T.axis.spatial(10, io * 4 + ii)
            T.where(io * 4 + ii < 10)
            B[vi] = A[9 - vi]
)";
  expect_applies(split, "reindex-read", of(), "");
  // Written earlier, in an allocation of the function's own.
  const char* own = R"(
def before(X: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32")):
    A = T.alloc_buffer((8,), "int32")
    for i in range(4):
        with T.block("A"):
            vi = T.axis.spatial(4, i)
            A[vi * 2] = X[vi]
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi * 2]
)";
  expect_applies(own, "reindex-read", of(), "");
}

TEST(ReindexRead, Condition1TheValuesLieInTheBox) {
  expect_applies(print(one("8", "vi + 2")), "reindex-read", of(), "");
  expect_refused_rightly(one("4", "vi + 2"), "reindex-read", of(), "lie in the box that is copied");
}

TEST(ReindexRead, Condition2APlaceStandsForOneCell) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
)");
  const Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  Args args = of();
  args["map"] = IndexMap{{i, j}, {Expr(i)}, {}};
  expect_refused_rightly(func, "reindex-read", args, "a place of the cache stands for one cell");
  args["map"] = IndexMap{{i}, {Expr(i)}, {}};
  expect_not_applicable(func, "reindex-read", args, "the index map takes 1 indices, and the block has 2 variables");
}

TEST(ReindexRead, Condition3EachValueIsVisited) {
  expect_applies(print(one("8", "vi + 4")), "reindex-read", of(), "");
  // Of the last values no instance runs, and they would read behind the end.
  expect_refused_rightly(one("8", "vi * 2", "i < 6"), "reindex-read", of(), "was read by an instance");
  const PrimFunc guarded = parse(R"(
def before(A: T.Buffer((6,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = T.if_then_else(vi < 6, A[vi], 0)
)");
  expect_refused_rightly(guarded, "reindex-read", of(), "was read by an instance");
}

TEST(ReindexRead, Condition4TheNestLeavesTheBufferAlone) {
  const char* text = R"(
def before(A: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            A[vi + 1] = A[vi] + 1
)";
  expect_not_applicable(parse(text), "reindex-read", of(), "at 2 places");
  const PrimFunc other = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[vi]
        with T.block("W"):
            vi = T.axis.spatial(8, i)
            A[7 - vi] = 5
)");
  expect_not_applicable_rightly(other, "reindex-read", of(), "the nest writes 'A'", R"(
def tempting(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in range(8):
        C[i] = A[i]
    for i in range(8):
        B[i] = C[i]
        A[7 - i] = 5
)");
}

TEST(ReindexRead, Condition5TheCacheFitsInMemory) {
  const PrimFunc func = parse(R"(
def before(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        with T.block("B"):
            vi = T.axis.spatial(n, i)
            B[vi] = A[n - 1 - vi]
)");
  expect_owed(func, "reindex-read", of(), "bytes");
  for (int64_t n : {0, 5}) EXPECT_EQ(difference(func, applied(func, "reindex-read", of()), {{"n", n}}), "");
}

TEST(ReindexRead, RefusesWhatItDoesNotUnderstand) {
  EXPECT_TRUE(not_applicable(one("8", "A[vi] % 8"), "reindex-read", of()));  // at data
  const PrimFunc loop = parse(R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            for k in range(4):
                B[vi] = A[vi, k]
)");
  expect_not_applicable(loop, "reindex-read", of(), "speaks of 'k'");
  Args taken = of();
  taken["name"] = std::string("B");
  EXPECT_TRUE(not_applicable(one("8", "vi"), "reindex-read", taken));
  EXPECT_TRUE(not_applicable(one("8", "3"), "reindex-read", of()));  // no variable of the block
}

}  // namespace reindex_read_test
}  // namespace hexproof
