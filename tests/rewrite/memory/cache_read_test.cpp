#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace cache_read_test {

Args cache(const std::string& block, const std::string& buffer) {
  return {{"block", block}, {"buffer", buffer}, {"scope", std::string("global")}};
}

constexpr const char* kWindow = R"(
def main(A: T.Buffer((20, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    for i, j in T.grid(8, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi * 2 + 1, vj] + A[vi * 2 + 3, vj]
)";

TEST(CacheRead, CopiesTheBoxThatIsRead) {
  expect_applies(kWindow, "cache-read", cache("B", "A"), R"(
def main(A: T.Buffer((20, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    A_global = T.alloc_buffer((20, 4), "float32")
    for ax0, ax1 in T.grid(17, 4):
        with T.block("A_global"):
            v0 = T.axis.spatial(20, 1 + ax0)
            v1 = T.axis.spatial(4, ax1)
            A_global[v0, v1] = A[v0, v1]
    for i, j in T.grid(8, 4):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A_global[vi * 2 + 1, vj] + A_global[vi * 2 + 3, vj]
)");
}

TEST(CacheRead, ByIndexWithoutWhatIsWritten) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((4,), "int32"), F: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    for i, k in T.grid(1, 4):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vk] * F[vk]
)");
  PrimFunc after = applied(func, "cache-read", {{"block", std::string("B")}, {"index", int64_t{1}}});
  EXPECT_TRUE(find_allocation(after, "F_global"));
  EXPECT_EQ(difference(func, after), "");
  EXPECT_TRUE(not_applicable(func, "cache-read", {{"block", std::string("B")}, {"index", int64_t{2}}}));
}

// Only the cells 2, ..., 9 of the temporary hold a value: the copy must not read the others.
constexpr const char* kPartlyWritten = R"(
def main(A: T.Buffer((12,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((12,), "int32")
    for i in range(8):
        C[i + 2] = A[i]
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = C[)";
std::string partly(const std::string& index) { return kPartlyWritten + index + "]\n"; }

TEST(CacheRead, SourceThatWasWrittenBefore) { expect_applies(partly("vi + 2"), "cache-read", cache("B", "C"), ""); }

TEST(CacheRead, Condition3ABoxWithUninitialisedCells) {
  // The remainder has a box of its own, and all of it is written.
  expect_applies(partly("vi * 5 % 8 + 2"), "cache-read", cache("B", "C"), "");
  // No box is found for a choice: the whole buffer would be copied.
  expect_refused_rightly(parse(partly("T.if_then_else(vi < 4, 2, vi // 4 * 2)")), "cache-read", cache("B", "C"),
                         "was written before");
}

TEST(CacheRead, Condition4AStoreAfterTheCopy) {
  expect_refused_rightly(parse(R"(
def main(A: T.Buffer((9,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            A[vi + 1] = A[vi] + 1
)"),
                         "cache-read", cache("B", "A"), "no store after the copy");
  expect_applies(R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            A[vi + 8] = A[vi] + 1
)",
                 "cache-read", cache("B", "A"), "");
}

// The guard keeps the index inside: the box is cut to the buffer.
TEST(CacheRead, BoxIsCutToTheBuffer) {
  const char* guarded = R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((12,), "int32")):
    for i in range(12):
        if i >= 3 and i < 10:
            with T.block("B"):
                vi = T.axis.spatial(12, i)
                B[vi] = A[vi - 3]
)";
  expect_applies(guarded, "cache-read", cache("B", "A"), "");
}

TEST(CacheRead, DoesNotApply) {
  PrimFunc func = parse(kWindow);
  EXPECT_TRUE(not_applicable(func, "cache-read", cache("C", "A")));
  EXPECT_TRUE(not_applicable(func, "cache-read", cache("B", "B")));
  EXPECT_TRUE(not_applicable(func, "cache-read", {{"block", std::string("B")}}));
  PrimFunc local = parse(R"(
def main(A: T.Buffer((8,), "int32")):
    for i in range(8):
        C = T.alloc_buffer((1,), "int32")
        C[0] = i
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            A[vi] = C[0]
)");
  EXPECT_TRUE(not_applicable(local, "cache-read", cache("B", "C")));
}

// The rule copies the box that is read. One row less, and a cell of the cache is read that holds nothing.
TEST(CacheRead, Condition1TheRegionHoldsWhatIsRead) {
  expect_owed_rightly(parse(kWindow), "cache-read", cache("B", "A"), "what the block reads is in the copied region", R"(
def main(A: T.Buffer((20, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    A_global = T.alloc_buffer((20, 4), "float32")
    for ax0, ax1 in T.grid(16, 4):
        A_global[1 + ax0, ax1] = A[1 + ax0, ax1]
    for i, j in T.grid(8, 4):
        B[i, j] = A_global[i * 2 + 1, j] + A_global[i * 2 + 3, j]
)");
}

// The copy reads the whole region: where that leaves the buffer, it is an error that the block did not make.
TEST(CacheRead, Condition2TheRegionIsInsideOfTheBuffer) {
  expect_owed_rightly(parse(kWindow), "cache-read", cache("B", "A"), "the region lies inside of", R"(
def main(A: T.Buffer((20, 4), "float32"), B: T.Buffer((8, 4), "float32")):
    A_global = T.alloc_buffer((20, 4), "float32")
    for ax0, ax1 in T.grid(20, 4):
        A_global[1 + ax0, ax1] = A[1 + ax0, ax1]
    for i, j in T.grid(8, 4):
        B[i, j] = A_global[i * 2 + 1, j] + A_global[i * 2 + 3, j]
)");
}

// A cache of a buffer of n cells has a size where the buffer has one.
TEST(CacheRead, Condition5TheCacheFitsInMemory) {
  PrimFunc func = parse(R"(
def main(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = A[i]
)");
  Args args{{"block", Path{}}, {"buffer", std::string("A")}};
  expect_owed(func, "cache-read", args, "bytes");
  for (int64_t n : {0, 5}) EXPECT_EQ(difference(func, applied(func, "cache-read", args), {{"n", n}}), "");
}

}  // namespace cache_read_test
}  // namespace hexproof
