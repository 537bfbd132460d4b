#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

Args split_args(const PrimFunc& func, const std::string& loop, int64_t factor) {
  return {
      {"at", loop_named(func, loop)}, {"factor", factor}, {"outer", std::string("io")}, {"inner", std::string("ii")}};
}

void expect_split(const std::string& before, int64_t factor, const std::string& expected, const Sizes& sizes = {}) {
  expect_applies(before, "split", split_args(parse(before), "i", factor), expected, sizes);
}

TEST(Split, KeepsTheGuard) {
  expect_split(R"(
def before(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i]
)",
               4, R"(
def after(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io in range(4):
        for ii in range(4):
            if io * 4 + ii < 14:
                B[io * 4 + ii] = A[io * 4 + ii]
)");
}

TEST(Split, LeavesTheGuardOutWhereTheFactorDivides) {
  expect_split(R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i]
)",
               4, R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for io in range(4):
        for ii in range(4):
            B[io * 4 + ii] = A[io * 4 + ii]
)");
}

TEST(Split, LoopsThatDoNotStartAtZeroAndFactorsBeyondTheExtent) {
  expect_split(R"(
def before(A: T.Buffer((20,), "int8")):
    for i in range(3, 13):
        A[i] = A[i - 1] + A[i]
)",
               3, "");
  expect_split(R"(
def before(A: T.Buffer((20,), "int8")):
    for i in range(5):
        A[i] = A[i] * A[i]
)",
               64, "");
}

TEST(Split, SymbolicExtent) {
  for (int64_t n : {0, 1, 7, 8, 9}) {
    expect_split(R"(
def before(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = A[i]
)",
                 8, "", {{"n", n}});
  }
}

TEST(Split, AReductionBlockKeepsItsInit) {
  expect_split(R"(
def before(A: T.Buffer((6, 14), "int32"), C: T.Buffer((6,), "int32")):
    for j, i in T.grid(6, 14):
        with T.block("C"):
            vj, vi = T.axis.remap("SR", [j, i])
            with T.init():
                C[vj] = 0
            C[vj] = C[vj] + A[vj, vi]
)",
               4, "");
}

TEST(Split, Kinds) {
  PrimFunc parallel = parse(R"(
def before(A: T.Buffer((12,), "int32")):
    for i in T.parallel(12):
        A[i] = 1
)");
  PrimFunc after = applied(parallel, "split", split_args(parallel, "i", 4));
  EXPECT_EQ(checked_at(after, loop_named(after, "io")).as<For>()->kind, ForKind::Parallel);
  EXPECT_EQ(checked_at(after, loop_named(after, "ii")).as<For>()->kind, ForKind::Serial);
  PrimFunc vectorized = parse(R"(
def before(A: T.Buffer((12,), "int32")):
    for i in T.vectorized(12):
        A[i] = 1
)");
  EXPECT_TRUE(not_applicable(vectorized, "split", split_args(vectorized, "i", 4)));
}

TEST(Split, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((14,), "int32"), N: T.Buffer((1,), "int32")):
    for i in range(14):
        A[i] = 1
    for k in range(N[0]):
        A[0] = N[0]
)");
  EXPECT_TRUE(not_applicable(func, "split", split_args(func, "i", 0)));
  EXPECT_TRUE(not_applicable(func, "split", split_args(func, "i", -4)));
  EXPECT_TRUE(not_applicable(func, "split", split_args(func, "i", int64_t{1} << 40)));
  EXPECT_TRUE(not_applicable(func, "split", split_args(func, "k", 4)));  // the extent is data
  EXPECT_TRUE(not_applicable(func, "split", {{"at", Path{7, 7}}, {"factor", int64_t{4}}}));
}

// The extent n fits int32, n + k - 1 does not; with a loop this long the interpreter does not get through, so the
// arithmetic of the new bound alone shows the error.
TEST(Split, TheNumberOfIterationsMustFit) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((1,), "int32"), n: T.int32):
    if n == 2147483647:
        for i in range(n):
            A[0] = 1
)");
  std::optional<Refused> refused = refusal(func, "split", split_args(func, "i", 4));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("number of outer iterations"), std::string::npos);
  PrimFunc after = proposed(func, "split", split_args(func, "i", 4));
  std::vector<Tensor> inputs = random_inputs(func, 0);
  RunOptions few{.undef_seed = 0, .max_steps = 1000};
  EXPECT_TRUE(run(after, inputs, {2147483647}, few).error);
  EXPECT_FALSE(run(func, inputs, {2147483647}, few).error);
}

}  // namespace
}  // namespace hexproof
