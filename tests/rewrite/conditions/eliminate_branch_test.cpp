#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace eliminate_branch_test {

Args branch(const PrimFunc& func, int64_t takes, size_t k = 0) { return {{"at", nth<If>(func, k)}, {"takes", takes}}; }

TEST(EliminateBranch, AConditionThatHolds) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 16:
            A[io * 4 + ii] = T.float32(1)
)";
  expect_applies(text, "eliminate-branch", {{"at", nth<If>(parse(text))}}, R"(
def after(A: T.Buffer((16,), "float32")):
    for io, ii in T.grid(4, 4):
        A[io * 4 + ii] = T.float32(1)
)");
}

TEST(EliminateBranch, AConditionThatNeverHolds) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i >= 16:
            A[i] = 1
        else:
            A[i] = 2
)";
  expect_applies(text, "eliminate-branch", branch(parse(text), 0), R"(
def after(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 2
)");
}

TEST(EliminateBranch, Condition1TheBoundIsOffByOne) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((15,), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 15:
            A[io * 4 + ii] = T.float32(1)
)");
  expect_refused_rightly(func, "eliminate-branch", branch(func, 1), "always holds");
  expect_refused_rightly(func, "eliminate-branch", branch(func, 0), "never holds");
}

TEST(EliminateBranch, ABlockPredicate) {
  const char* text = R"(
def before(A: T.Buffer((NN,), "float32")):
    for io, ii in T.grid(4, 4):
        with T.block("A"):
            v = T.axis.spatial(NN, io * 4 + ii)
            T.where(io * 4 + ii < NN)
            A[v] = T.float32(1)
)";
  auto with_size = [&](const std::string& n) {
    std::string out = text;
    for (size_t at; (at = out.find("NN")) != std::string::npos;) out.replace(at, 2, n);
    return parse(out);
  };
  PrimFunc whole = with_size("16"), cut = with_size("14");
  PrimFunc after = applied(whole, "eliminate-branch", {{"at", nth<Block>(whole)}});
  EXPECT_FALSE(checked_at(after, nth<Block>(after)).as<Block>()->predicate);
  EXPECT_EQ(difference(whole, after), "");
  expect_refused_rightly(cut, "eliminate-branch", {{"at", nth<Block>(cut)}}, "always holds");
}

TEST(EliminateBranch, AFactAboutACell) {
  const char* sound = R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    if A[0] > 3:
        if A[0] > 2:
            B[0] = 1
)";
  PrimFunc func = parse(sound);
  PrimFunc after = applied(func, "eliminate-branch", branch(func, 1, 1));
  EXPECT_EQ(difference(func, after), "");
  // The store in between ends what was known.
  PrimFunc killed = parse(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    if A[0] > 3:
        A[0] = B[1]
        if A[0] > 2:
            B[0] = 1
)");
  expect_refused_rightly(killed, "eliminate-branch", branch(killed, 1, 1), "always holds", {}, 200);
}

// The first iteration could rely on the assume, the others add up (the B[0] sum of RFC 0077).
TEST(EliminateBranch, AFactThatDiesInTheLoop) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((1,), "int32"), C: T.Buffer((4,), "int32")):
    B[0] = 0
    for i in range(4):
        if B[0] == 0:
            C[i] = 1
        B[0] = B[0] + 1
)");
  expect_refused_rightly(func, "eliminate-branch", branch(func, 1), "always holds");
}

// Data wraps: v + 1 > v is false for the greatest int8.
TEST(EliminateBranch, DataBehindALetWraps) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((1,), "int8"), B: T.Buffer((1,), "int8")):
    v: T.int8 = A[0]
    A[0] = T.int8(3)
    if v + T.int8(1) > v:
        B[0] = T.int8(1)
)");
  expect_refused_rightly(func, "eliminate-branch", branch(func, 1), "always holds", {}, 200);
}

// Comparisons of floats are false on a NaN.
TEST(EliminateBranch, NotLessIsNotGreaterOrEqual) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((2,), "float32"), B: T.Buffer((1,), "float32")):
    if not (A[0] < A[1]):
        if A[0] >= A[1]:
            B[0] = A[0]
)");
  expect_refused_rightly(func, "eliminate-branch", branch(func, 1, 1), "always holds", {}, 200);
}

TEST(EliminateBranch, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "eliminate-branch", {{"at", loop_named(func, "i")}}));
}

// What an undef is compared with one time says nothing of the next.
TEST(EliminateBranch, Condition2AnUndef) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    if T.undef(dtype="int32") == 0:
        A[0] = 2
)");
  expect_not_applicable(func, "eliminate-branch", branch(func, 1), "undef");
  expect_not_applicable(func, "eliminate-branch", branch(func, 0), "undef");
}

}  // namespace eliminate_branch_test
}  // namespace hexproof
