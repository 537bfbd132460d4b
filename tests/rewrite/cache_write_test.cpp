#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

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
TEST(CacheWrite, BoxWithCellsThatAreNotWritten) {
  expect_refused_rightly(parse(R"(
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            B[vi * 2] = A[vi]
)"),
                         "cache-write", cache("B", "B"), "was written by the nest");
}

TEST(CacheWrite, WritesUnderACondition) {
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
TEST(CacheWrite, AccumulationWithoutInit) {
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
TEST(CacheWrite, InitThatComesLate) {
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

}  // namespace
}  // namespace hexproof
