#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace split_test {

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

TEST(Split, Condition6Kinds) {
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
def before(A: T.Buffer((14,), "int32")):
    for i in range(14):
        A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "split", {{"at", Path{7, 7}}, {"factor", int64_t{4}}}));
}

// The extent n fits int32, n + k - 1 does not; with a loop this long the interpreter does not get through, so the
// arithmetic of the new bound alone shows the error.
TEST(Split, Condition2TheNumberOfIterationsMustFit) {
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

TEST(Split, Condition1AFactorThatIsNoneOfTheType) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((14,), "int32")):
    for i in range(14):
        A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "split", split_args(func, "i", 0)));
  EXPECT_TRUE(not_applicable(func, "split", split_args(func, "i", -4)));
  EXPECT_TRUE(not_applicable(func, "split", split_args(func, "i", int64_t{1} << 40)));
  // With the factor -4, no iteration would be left.
  EXPECT_NE(difference(func, parse(R"(
def wrong(A: T.Buffer((14,), "int32")):
    for io in range((14 + -4 - 1) // -4):
        for ii in range(-4):
            A[io * -4 + ii] = 1
)")),
            "");
}

// The last tile ends behind the greatest int8, and the guard is asked there, too.
TEST(Split, Condition3TheFlatIndexFitsBehindTheGuard) {
  const std::string text = R"(
def before(A: T.Buffer((128,), "int32"), n: T.int8):
    if n >= T.int8(0) and n <= T.int8(LAST):
        for i in T.serial(T.int8(0), n):
            A[i] = 1
)";
  auto with = [&](const std::string& last) {
    std::string out = text;
    return parse(out.replace(out.find("LAST"), 4, last));
  };
  PrimFunc most = with("121"), less = with("99");
  std::optional<Refused> refused = refusal(most, "split", split_args(most, "i", 100));
  ASSERT_TRUE(refused);
  EXPECT_NE(difference(most, proposed(most, "split", split_args(most, "i", 100)), {{"n", 121}}), "");
  EXPECT_EQ(difference(less, applied(less, "split", split_args(less, "i", 9)), {{"n", 99}}), "");
}

// m + io * k + ii is asked only behind the guard: it is a value that i had, so nothing is owed near the greatest int32.
TEST(Split, Condition4TheOldIndexIsAValueOfTheLoop) {
  const char* text = R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(2147483640, 2147483647):
        A[i - 2147483640] = i
)";
  PrimFunc func = parse(text);
  PrimFunc after = applied(func, "split", split_args(func, "i", 4));
  EXPECT_NE(print(after).find("if io * 4 + ii < 7"), std::string::npos) << print(after);
  EXPECT_EQ(difference(func, after), "");
  // Without the guard, the last of them does not fit.
  EXPECT_NE(difference(func, parse(R"(
def wrong(A: T.Buffer((8,), "int32")):
    for io in range(2):
        for ii in range(4):
            A[2147483640 + (io * 4 + ii) - 2147483640] = 2147483640 + (io * 4 + ii)
)")),
            "");
}

// The extent would be asked again in each tile, after the loop has changed it.
TEST(Split, Condition5ABoundThatIsData) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), N: T.Buffer((1,), "int32")):
    N[0] = 14
    for k in range(N[0]):
        A[k] = k
        N[0] = 5
)");
  expect_not_applicable_rightly(func, "split", split_args(func, "k", 4), "depends on the content of a buffer", R"(
def wrong(A: T.Buffer((16,), "int32"), N: T.Buffer((1,), "int32")):
    N[0] = 14
    for io in range((N[0] + 3) // 4):
        for ii in range(4):
            if io * 4 + ii < N[0]:
                A[io * 4 + ii] = io * 4 + ii
                N[0] = 5
)");
}

}  // namespace split_test
}  // namespace hexproof
