#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace cache_write_test {

Args cache(const std::string& block, const std::string& buffer) {
  return {{"block", block}, {"buffer", buffer}, {"scope", std::string("global")}};
}

constexpr const char* kSum = R"(
def main(A: T.Buffer((8, 5), "float32"), B: T.Buffer((12,), "float32")):
    for i, k in T.grid(8, 5):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi + 2] = T.float32(0)
            B[vi + 2] = B[vi + 2] + A[vi, vk]
)";

TEST(CacheWrite, CopiesBackTheBoxThatIsWritten) {
  expect_applies(kSum, "cache-write", cache("B", "B"), R"(
def main(A: T.Buffer((8, 5), "float32"), B: T.Buffer((12,), "float32")):
    B_global = T.alloc_buffer((12,), "float32")
    for i, k in T.grid(8, 5):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B_global[vi + 2] = T.float32(0)
            B_global[vi + 2] = B_global[vi + 2] + A[vi, vk]
    for ax0 in range(8):
        with T.block("B_global"):
            v0 = T.axis.spatial(12, 2 + ax0)
            B[v0] = B_global[v0]
)");
}

// The reduction is cut and stands outside: the init still comes first in every cell.
TEST(CacheWrite, ReductionThatIsCut) {
  expect_applies(R"(
def main(A: T.Buffer((8, 6), "float32"), B: T.Buffer((8,), "float32")):
    for ko, i, ki in T.grid(3, 8, 2):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            vk = T.axis.reduce(6, ko * 2 + ki)
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vk]
)",
                 "cache-write", cache("B", "B"), "");
}

// The other cells of the box would be overwritten with nothing.
TEST(CacheWrite, Condition2ABoxWithCellsThatAreNotWritten) {
  expect_refused_rightly(parse(R"(
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            B[vi * 2] = A[vi]
)"),
                         "cache-write", cache("B", "B"), "was written by the nest");
}

TEST(CacheWrite, Condition2WritesUnderACondition) {
  expect_refused_rightly(parse(R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            T.where(i < 7)
            B[vi] = A[vi]
)"),
                         "cache-write", cache("B", "B"), "was written by the nest");
}

// The sum goes on from what the buffer held: the cache does not hold it.
TEST(CacheWrite, Condition3AnAccumulationWithoutInit) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((8, 5), "int32"), B: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 5):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            B[vi] = B[vi] + A[vi, vk]
)");
  EXPECT_TRUE(not_applicable(func, "cache-write", cache("B", "B")));
}

// The init runs for k == 0 only, and the loop starts with k == 1: what is read first is not initialised.
TEST(CacheWrite, Condition3AnInitThatComesLate) {
  expect_refused_rightly(parse(R"(
def main(A: T.Buffer((8, 5), "int32"), B: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 5):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            vk = T.axis.reduce(5, (k + 1) % 5)
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vk]
)"),
                         "cache-write", cache("B", "B"), "");
}

TEST(CacheWrite, DoesNotApply) {
  PrimFunc func = parse(kSum);
  EXPECT_TRUE(not_applicable(func, "cache-write", cache("B", "A")));
  EXPECT_TRUE(not_applicable(func, "cache-write", {{"block", std::string("B")}, {"index", int64_t{1}}}));
}

// The rule copies back the box that is written. One cell less, and the buffer keeps what it held there.
TEST(CacheWrite, Condition1TheRegionHoldsWhatIsWritten) {
  expect_owed_rightly(parse(kSum), "cache-write", cache("B", "B"),
                      "what the nest writes is in the region that is copied back", R"(
def main(A: T.Buffer((8, 5), "float32"), B: T.Buffer((12,), "float32")):
    C = T.alloc_buffer((12,), "float32")
    for i in range(8):
        C[i + 2] = T.float32(0)
        for k in range(5):
            C[i + 2] = C[i + 2] + A[i, k]
    for ax0 in range(7):
        B[2 + ax0] = C[2 + ax0]
)");
}

// Under a guard, every store of the nest writes a cell that is copied back.
TEST(CacheWrite, Condition2TheGuardHoldsWhatIsWritten) {
  const std::string text = R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 6:
            B[i] = A[i]
    for j in range(1):
        B[6] = 3
)";
  PrimFunc func = parse(text);
  Args args{{"block", Path{0}}, {"buffer", std::string("B")}, {"cover", std::string("guard")}};
  expect_owed(func, "cache-write", args, "what the nest writes is copied back");
  EXPECT_EQ(difference(func, applied(func, "cache-write", args)), "");
}

// A cache of a buffer of n cells has a size where the buffer has one.
TEST(CacheWrite, Condition4TheCacheFitsInMemory) {
  PrimFunc func = parse(R"(
def main(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = A[i]
)");
  Args args{{"block", Path{}}, {"buffer", std::string("B")}};
  expect_owed(func, "cache-write", args, "bytes");
  for (int64_t n : {0, 5}) EXPECT_EQ(difference(func, applied(func, "cache-write", args), {{"n", n}}), "");
}

}  // namespace cache_write_test
}  // namespace hexproof
