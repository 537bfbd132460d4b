#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace cache_inplace_test {

Args of(const std::string& block = "B") { return {{"block", block}, {"buffer", std::string("A")}}; }

TEST(CacheInplace, AnUpdateInPlace) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.opaque(8, i)
            A[vi + 4] = A[11 - vi] + 1
)";
  Args args = of();
  args["scope"] = std::string("local");
  expect_applies(text, "cache-inplace", args, R"(
def after(A: T.Buffer((16,), "int32")):
    A_local = T.alloc_buffer((16,), "int32", scope="local")
    for ax0 in range(8):
        with T.block("A_local_read"):
            v0 = T.axis.spatial(16, 4 + ax0)
            A_local[v0] = A[v0]
    for i in range(8):
        with T.block("B"):
            vi = T.axis.opaque(8, i)
            A_local[vi + 4] = A_local[11 - vi] + 1
    for ax0 in range(8):
        with T.block("A_local_write"):
            v0 = T.axis.spatial(16, 4 + ax0)
            A[v0] = A_local[v0]
)");
  // Only some of the cells are written: the others go back as they were.
  const char* some = R"(
def before(A: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            if A[vi] < T.float32(0):
                A[vi] = A[vi] * T.float32(2)
)";
  expect_applies(some, "cache-inplace", {{"block", std::string("B")}, {"index", int64_t{0}}}, "");
  EXPECT_TRUE(not_applicable(parse(some), "cache-inplace", {{"block", std::string("B")}, {"index", int64_t{1}}}));
}

TEST(CacheInplace, Condition1WhatIsTouchedIsCopied) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            A[vi + 4] = A[vi + 4] + 1
)");
  expect_owed_rightly(func, "cache-inplace", of(), "is in the copied region", R"(
def other(A: T.Buffer((16,), "int32")):
    C = T.alloc_buffer((16,), "int32")
    for i in range(7):
        C[i + 4] = A[i + 4]
    for i in range(8):
        C[i + 4] = C[i + 4] + 1
    for i in range(8):
        A[i + 4] = C[i + 4]
)");
}

TEST(CacheInplace, Condition2TheRegionHoldsValues) {
  auto text = [](int cells) {
    return "def before(D: T.Buffer((8,), \"int32\")):\n"
           "    A = T.alloc_buffer((8,), \"int32\")\n"
           "    for i in range(" +
           std::to_string(cells) +
           "):\n        with T.block(\"A\"):\n            vi = T.axis.spatial(8, i)\n            A[vi] = vi\n"
           "    for i in range(8):\n        with T.block(\"B\"):\n            vi = T.axis.spatial(8, i)\n"
           "            if vi < 6:\n                A[vi] = A[vi] + 1\n            else:\n                A[vi] = 0\n"
           "    for i in range(8):\n        D[i] = A[i]\n";
  };
  expect_applies(text(8), "cache-inplace", of(), "");
  expect_refused_rightly(parse(text(6)), "cache-inplace", of(), "was written before");
  const PrimFunc never = parse(R"(
def before(D: T.Buffer((8,), "int32")):
    A = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            A[vi] = 0
            A[vi] = A[vi] + 1
    for i in range(8):
        D[i] = A[i]
)");
  expect_not_applicable(never, "cache-inplace", of(), "nothing before the block writes");
}

TEST(CacheInplace, Condition3NoAssumeSpeaksOfTheBuffer) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            T.assume(A[vi] < 7)
            A[vi] = A[vi] + 1
)");
  expect_not_applicable(func, "cache-inplace", of(), "an assume in the nest");
}

TEST(CacheInplace, Condition4TheCacheFitsInMemory) {
  const PrimFunc func = parse(R"(
def before(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    for i in range(n):
        A[i] = A[i] + 1
)");
  const Args args{{"block", Path{}}, {"buffer", std::string("A")}};
  expect_owed(func, "cache-inplace", args, "bytes");
  for (int64_t n : {0, 5}) EXPECT_EQ(difference(func, applied(func, "cache-inplace", args), {{"n", n}}), "");
}

}  // namespace cache_inplace_test
}  // namespace hexproof
