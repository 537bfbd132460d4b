// compute-at where the last tile sticks out of what the producer computed.
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace compute_at_clip_test {

Args at(const std::string& block, const std::string& loop, int64_t clip) {
  return {{"block", block}, {"loop", loop}, {"clip", clip}};
}

constexpr const char* kLastTile = R"(
def before(A: T.Buffer((64, 3), "float32"), O: T.Buffer((64,), "float32")):
    X = T.alloc_buffer((64, 3), "float32")
    for i, j in T.grid(64, 3):
        with T.block("X"):
            vi, vj = T.axis.remap("SS", [i, j])
            X[vi, vj] = A[vi, vj] * T.float32(2)
    for io, ii, k in T.grid(7, 10, 3):
        with T.block("C"):
            T.where(io * 10 + ii < 64)
            vi = T.axis.spatial(64, io * 10 + ii)
            vk = T.axis.reduce(3, k)
            with T.init():
                O[vi] = T.float32(0)
            O[vi] = O[vi] + X[vi, vk]
)";

TEST(ComputeAtClip, TheLastTile) {
  expect_applies(kLastTile, "compute-at", at("X", "io", 1), "");
  const std::string after = print(applied(parse(kLastTile), "compute-at", at("X", "io", 1)));
  EXPECT_NE(after.find("T.where(io * 10 + ax0 < 64)"), std::string::npos) << after;
}

// A halo on both sides, of which the padded stage computes all there is.
TEST(ComputeAtClip, AHaloOfAPaddedStage) {
  expect_applies(R"(
def before(A: T.Buffer((30,), "int32"), O: T.Buffer((30,), "int32")):
    X = T.alloc_buffer((32,), "int32")
    for i in range(32):
        with T.block("X"):
            vi = T.axis.spatial(32, i)
            X[vi] = T.if_then_else(1 <= vi and vi < 31, A[vi - 1], 0)
    for io, ii in T.grid(5, 7):
        with T.block("C"):
            T.where(io * 7 + ii < 30)
            vi = T.axis.spatial(30, io * 7 + ii)
            O[vi] = X[vi] + X[vi + 1] + X[vi + 2]
)",
                 "compute-at", at("X", "io", 1), "");
}

TEST(ComputeAt, Condition3TheGuardCutsOffWhatTheProducerDidNotCompute) {
  PrimFunc func = parse(kLastTile);
  expect_refused_rightly(func, "compute-at", at("X", "io", 0), "was computed by the producer before");
  // Of a buffer that the producer fills in part the rest is somebody else's; it may not be read.
  PrimFunc part = parse(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32, O: T.Buffer((16,), "int32")):
    X = T.alloc_buffer((16,), "int32")
    for i in range(8):
        with T.block("X"):
            vi = T.axis.spatial(8, i)
            X[vi] = A[vi]
    for io, ii in T.grid(4, 4):
        with T.block("C"):
            vi = T.axis.spatial(16, io * 4 + ii)
            O[vi] = T.if_then_else(vi < n, X[vi], 0)
)");
  EXPECT_TRUE(refusal(part, "compute-at", at("X", "io", 0)));
  EXPECT_TRUE(refusal(part, "compute-at", at("X", "io", 1)));  // nothing says that n is at most 8
}

}  // namespace compute_at_clip_test
}  // namespace hexproof
