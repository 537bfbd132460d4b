#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace cache_index_test {

Args of(int64_t k = 0) { return {{"block", std::string("B")}, {"number", k}, {"name", std::string("C")}}; }

PrimFunc one(const std::string& index, const std::string& domain = "8") {
  return parse(
      "def before(A: T.Buffer((12,), \"int32\"), B: T.Buffer((8,), \"int32\"), n: T.int32):\n"
      "    for i in range(8):\n"
      "        with T.block(\"B\"):\n"
      "            vi = T.axis.spatial(" +
      domain + ", i)\n            B[vi] = A[" + index + "] + 1\n");
}

TEST(CacheIndex, ComputedOnce) {
  const char* text = R"(
def before(A: T.Buffer((8, 8), "int32"), B: T.Buffer((12, 12), "int32")):
    for i, j in T.grid(12, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi * 2 // 3, vj * 2 // 3] + A[vi * 2 // 3, 0]
)";
  expect_applies(text, "cache-index", of(), R"(
def after(A: T.Buffer((8, 8), "int32"), B: T.Buffer((12, 12), "int32")):
    C = T.alloc_buffer((12,), "int32")
    for ax0 in range(12):
        with T.block("C"):
            v0 = T.axis.spatial(12, ax0)
            C[v0] = v0 * 2 // 3
    for i, j in T.grid(12, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[C[vi], vj * 2 // 3] + A[C[vi], 0]
)");
  expect_applies(text, "cache-index", of(1), "");
  EXPECT_TRUE(not_applicable(parse(text), "cache-index", of(2)));
  EXPECT_TRUE(not_applicable(parse(text), "cache-index", of(-1)));
}

TEST(CacheIndex, Condition1TheValuesLieInTheBox) {
  expect_refused_rightly(one("vi + 4", "4"), "cache-index", of(), "lie in the box", {{"n", 1}});
  // Neither data nor what is bound inside of the block is computed in front.
  EXPECT_TRUE(not_applicable(one("A[vi] % 8"), "cache-index", of()));
  EXPECT_TRUE(not_applicable(one("vi"), "cache-index", of()));
}

TEST(CacheIndex, Condition2TheIndexIsNoErrorInTheBox) {
  // Of vi == 5 there is no instance, and the index would be divided by zero.
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((12,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(5):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[10 // (5 - vi)]
)");
  expect_refused_rightly(func, "cache-index", of(), "no error");
}

TEST(CacheIndex, Condition3TheCacheFitsInMemory) {
  const PrimFunc func = parse(R"(
def before(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int8")
    B = T.match_buffer(b, (n,), "int8")
    for i in range(n):
        with T.block("B"):
            vi = T.axis.spatial(n, i)
            B[vi] = A[n - 1 - vi]
)");
  // One byte each in the arguments, four in the cache.
  std::optional<Refused> no = refusal(func, "cache-index", of());
  ASSERT_TRUE(no);
  EXPECT_NE(std::string(no->what()).find("bytes"), std::string::npos) << no->what();
  expect_owed(one("vi + 4"), "cache-index", of(), "are no error");
}

}  // namespace cache_index_test
}  // namespace hexproof
