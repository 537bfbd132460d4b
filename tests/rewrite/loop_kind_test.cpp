// vectorize, parallelize, unroll
#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

Args loop_i(const PrimFunc& func) { return {{"at", loop_named(func, "i")}}; }

TEST(LoopKind, IndependentIterations) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i] + B[i]
)";
  auto expected = [](const std::string& kind) {
    return R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.)" +
           kind + R"((16):
        B[i] = A[i] + B[i]
)";
  };
  expect_applies(text, "vectorize", loop_i(parse(text)), expected("vectorized"));
  expect_applies(text, "parallelize", loop_i(parse(text)), expected("parallel"));
  expect_applies(text, "unroll", loop_i(parse(text)), expected("unroll"));
}

TEST(LoopKind, ScratchOfTheIteration) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            S = T.alloc_buffer((1,), "float32")
            S[0] = A[vi]
            B[vi] = S[0]
)";
  expect_applies(text, "parallelize", loop_i(parse(text)), "");
  PrimFunc shared = parse(R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), S: T.Buffer((1,), "float32")):
    for i in range(16):
        S[0] = A[i]
        B[i] = S[0]
)");
  expect_refused_rightly(shared, "parallelize", loop_i(shared), "no two iterations");
}

TEST(LoopKind, Neighbours) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((17,), "int32")):
    for i in range(16):
        A[i + 1] = A[i]
)");
  expect_refused_rightly(func, "vectorize", loop_i(func), "no two iterations");
  expect_refused_rightly(func, "parallelize", loop_i(func), "no two iterations");
  PrimFunc apart = parse(R"(
def before(A: T.Buffer((32,), "int32")):
    for i in range(16):
        A[i + 16] = A[i]
)");
  EXPECT_EQ(difference(apart, applied(apart, "vectorize", loop_i(apart))), "");
}

// Accumulations into one cell race, whatever the ring.
TEST(LoopKind, AccumulationsRace) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((1,), "int32")):
    for i in range(16):
        C[0] = C[0] + A[i]
)");
  expect_refused_rightly(func, "parallelize", loop_i(func), "no two iterations");
  expect_refused_rightly(func, "vectorize", loop_i(func), "no two iterations");
}

TEST(LoopKind, OverlapOnlyAtTheEnd) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((64,), "int32")):
    for i in range(9):
        for j in range(8):
            A[(i * 8 + j) % 64] = i
)");
  expect_refused_rightly(func, "parallelize", loop_i(func), "no two iterations");
  PrimFunc eight = parse(R"(
def before(A: T.Buffer((64,), "int32")):
    for i in range(8):
        for j in range(8):
            A[(i * 8 + j) % 64] = i
)");
  EXPECT_EQ(difference(eight, applied(eight, "parallelize", loop_i(eight))), "");
}

TEST(LoopKind, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in T.parallel(16):
        A[i] = 1
    for k in range(n):
        A[0] = 1
)");
  for (const char* rule : {"vectorize", "parallelize", "unroll"}) {
    EXPECT_TRUE(not_applicable(func, rule, loop_i(func))) << rule;
    EXPECT_TRUE(not_applicable(func, rule, {{"at", nth<Store>(func)}})) << rule;
  }
  EXPECT_TRUE(not_applicable(func, "vectorize", {{"at", loop_named(func, "k")}}));
}

}  // namespace
}  // namespace hexproof
