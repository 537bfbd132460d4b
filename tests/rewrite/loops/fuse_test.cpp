#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace fuse_test {

Args fuse_args(const PrimFunc& func, const std::string& loop) {
  return {{"at", loop_named(func, loop)}, {"name", std::string("f")}};
}

void expect_fuse(const std::string& before, const std::string& expected, const Sizes& sizes = {}) {
  expect_applies(before, "fuse", fuse_args(parse(before), "i"), expected, sizes);
}

TEST(Fuse, TwoLoops) {
  expect_fuse(R"(
def before(A: T.Buffer((3, 5), "float32"), B: T.Buffer((3, 5), "float32")):
    for i, j in T.grid(3, 5):
        B[i, j] = A[i, j]
)",
              R"(
def after(A: T.Buffer((3, 5), "float32"), B: T.Buffer((3, 5), "float32")):
    for f in range(15):
        B[f // 5, f % 5] = A[f // 5, f % 5]
)");
}

TEST(Fuse, StartsThatAreNotZeroAndAConditionBetween) {
  expect_fuse(R"(
def before(A: T.Buffer((8, 9), "int16")):
    for i in range(2, 7):
        if i < 6:
            for j in range(1, 8):
                A[i, j] = A[i, j - 1]
)",
              R"(
def after(A: T.Buffer((8, 9), "int16")):
    for f in range(35):
        if 2 + f // 7 < 6:
            A[2 + f // 7, 1 + f % 7] = A[2 + f // 7, 1 + f % 7 - 1]
)");
}

TEST(Fuse, SymbolicExtents) {
  const std::string text = R"(
def before(a: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m), "int32")
    for i, j in T.grid(n, m):
        A[i, j] = A[i, j] + i
)";
  for (int64_t n : {0, 1, 3}) {
    for (int64_t m : {0, 1, 4}) expect_fuse(text, "", {{"n", n}, {"m", m}});
  }
}

TEST(Fuse, ZeroExtent) {
  expect_fuse(R"(
def before(A: T.Buffer((4,), "int32")):
    for i in range(4):
        for j in range(0):
            A[i] = j
)",
              "");
}

TEST(Fuse, DoesNotApply) {
  PrimFunc two = parse(R"(
def before(A: T.Buffer((8, 8), "int32")):
    for i in range(8):
        A[i, 0] = 1
        for j in range(8):
            A[i, j] = 0
)");
  EXPECT_TRUE(not_applicable(two, "fuse", fuse_args(two, "i")));
  PrimFunc data = parse(R"(
def before(A: T.Buffer((8, 8), "int32")):
    for i in range(8):
        if A[i, 0] > 0:
            for j in range(8):
                A[i, j] = 0
)");
  EXPECT_TRUE(not_applicable(data, "fuse", fuse_args(data, "i")));
}

// Two extents that fit int32 with a product that does not: refused in int32, accepted in int64.
TEST(Fuse, Condition2TheProductMustFit) {
  auto text = [](const std::string& type) {
    return R"(
def before(A: T.Buffer((1,), "int32"), n: T.)" +
           type + ", m: T." + type + R"():
    if n >= 0 and n <= 65536 and m >= 0 and m <= 65536:
        for i in range(n):
            for j in range(m):
                A[0] = 1
)";
  };
  PrimFunc narrow = parse(text("int32"));
  std::optional<Refused> refused = refusal(narrow, "fuse", fuse_args(narrow, "i"));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("product of the extents"), std::string::npos);
  PrimFunc after = proposed(narrow, "fuse", fuse_args(narrow, "i"));
  std::vector<Tensor> inputs = random_inputs(narrow, 0);
  RunOptions few{.undef_seed = 0, .max_steps = 1000};
  EXPECT_TRUE(run(after, inputs, {65536, 65536}, few).error);
  EXPECT_FALSE(run(narrow, inputs, {65536, 65536}, few).error);

  PrimFunc wide = parse(text("int64"));
  EXPECT_NE(print(applied(wide, "fuse", fuse_args(wide, "i"))).find("T.int64"), std::string::npos);
}

TEST(Fuse, Condition3TwoNegativeExtentsDoNotRun) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((1,), "int32"), n: T.int32, m: T.int32):
    if n >= -3 and n <= 3 and m >= -3 and m <= 3:
        for i in range(n):
            for j in range(m):
                A[0] = A[0] + 1
)");
  expect_refused_rightly(func, "fuse", fuse_args(func, "i"), "not both negative", {{"n", -2}, {"m", -2}});
}

// The inner extent is an error that the outer loop, which runs zero times, kept from being evaluated.
TEST(Fuse, ABoundThatWasNotEvaluated) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    if n >= 0 and n <= 4:
        for i in range(n):
            for j in range(8 // n):
                A[i * 2 + j % 2] = j
)");
  expect_refused_rightly(func, "fuse", fuse_args(func, "i"), "product of the extents", {{"n", 0}});
}

// A bound that depends on the outer loop, or that its iterations may change.
TEST(Fuse, Condition1InnerBoundsThatChange) {
  PrimFunc triangle = parse(R"(
def before(A: T.Buffer((8, 8), "int32")):
    for i in range(8):
        for j in range(i):
            A[i, j] = 0
)");
  EXPECT_TRUE(not_applicable(triangle, "fuse", fuse_args(triangle, "i")));
  PrimFunc changes = parse(R"(
def before(A: T.Buffer((8, 8), "int32"), N: T.Buffer((1,), "int32")):
    N[0] = 4
    for i in range(4):
        for j in range(N[0]):
            A[i, j] = 1
            N[0] = 2
)");
  expect_not_applicable_rightly(changes, "fuse", fuse_args(changes, "i"), "depends on the content of a buffer", R"(
def wrong(A: T.Buffer((8, 8), "int32"), N: T.Buffer((1,), "int32")):
    N[0] = 4
    for f in range(4 * N[0]):
        A[f // 4, f % 4] = 1
        N[0] = 2
)");
}

// The indices are computed from the flat one; they are what the loops had.
TEST(Fuse, Condition4TheIndicesFit) {
  const char* text = R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(n, n + 2):
        for j in range(n, n + 3):
            A[(i - n) * 2 + (j - n)] = i - j
)";
  PrimFunc func = parse(text);
  Rewrite rewrite = rule_by_name("fuse").apply(func, fuse_args(func, "i"));
  size_t owed = 0;
  for (const Obligation& o : rewrite.needs) owed += o.why.find("index fits its type") != std::string::npos;
  EXPECT_EQ(owed, 2u) << "of the outer and of the inner index";
  // Near the greatest int32, the old bounds themselves overflow; below it all is well.
  const std::string bounded =
      std::string(text).replace(std::string(text).find("    for i"), 5, "    if n < 1000:\n     ");
  EXPECT_EQ(difference(func, rewrite.after, {{"n", 5}}), "");
}

// Iterations of a parallel loop inside of a serial one would run beside those of the next.
TEST(Fuse, Condition5LoopsOfTwoKinds) {
  PrimFunc kinds = parse(R"(
def before(A: T.Buffer((8, 8), "int32")):
    for i in range(8):
        for j in T.parallel(8):
            A[i, j] = 0
)");
  EXPECT_TRUE(not_applicable(kinds, "fuse", fuse_args(kinds, "i")));
  PrimFunc carried = parse(R"(
def before(A: T.Buffer((9,), "int32")):
    for i in range(8):
        for j in T.parallel(2):
            A[i + j] = i
)");
  expect_not_applicable(carried, "fuse", fuse_args(carried, "i"), "only two serial, two unrolled or two parallel");
  EXPECT_NE(difference(parse(R"(
def before(A: T.Buffer((9,), "int32")):
    for i in range(8):
        A[i] = i
        A[i + 1] = i
)"),
                       parse(R"(
def wrong(A: T.Buffer((9,), "int32")):
    for f in T.parallel(16):
        A[f // 2 + f % 2] = f // 2
)")),
            "");
}

}  // namespace fuse_test
}  // namespace hexproof
