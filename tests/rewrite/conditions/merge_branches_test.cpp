#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace merge_branches_test {

Args pair(const PrimFunc& func, int64_t complementary = 0) {
  return {{"at", nth<If>(func)}, {"complementary", complementary}};
}

TEST(MergeBranches, IdenticalConditions) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        if i < 8:
            A[i] = T.float32(1)
        if i < 8:
            B[i] = T.float32(2)
)";
  expect_applies(text, "merge-branches", pair(parse(text)), R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        if i < 8:
            A[i] = T.float32(1)
            B[i] = T.float32(2)
)");
}

TEST(MergeBranches, ComplementaryConditions) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 8:
            A[i] = 1
        if i >= 8:
            A[i] = 2
)";
  expect_applies(text, "merge-branches", pair(parse(text), 1), R"(
def after(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 8:
            A[i] = 1
        else:
            A[i] = 2
)");
}

TEST(MergeBranches, EqualOnlyInTheRangeOfTheLoop) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if i % 16 < 8:
            A[i] = 1
        else:
            A[i] = 3
        if i < 8:
            B[i] = 2
        else:
            B[i] = 4
)";
  expect_applies(text, "merge-branches", pair(parse(text)), "");
}

TEST(MergeBranches, Condition1ConditionsThatDiffer) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 8:
            A[i] = 1
        if i < 9:
            B[i] = 2
)");
  expect_refused_rightly(func, "merge-branches", pair(func), "conditions are equal");
  expect_refused_rightly(func, "merge-branches", pair(func, 1), "exactly one of the conditions");
}

// The data-dependent conditional of RFC 0077: the body changes what the second condition reads.
TEST(MergeBranches, Condition2TheFirstBodyChangesTheCondition) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if A[i] == 0:
            A[i] = 1
        if A[i] == 0:
            B[i] = 2
)");
  expect_refused_rightly(func, "merge-branches", pair(func), "changes nothing that the second condition reads");
  const char* sound = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        if A[i] == 0:
            C[i] = 1
        if A[i] == 0:
            B[i] = 2
)";
  expect_applies(sound, "merge-branches", pair(parse(sound)), "");
  const char* neighbour = R"(
def before(A: T.Buffer((17,), "int32"), B: T.Buffer((17,), "int32")):
    for i in range(16):
        if A[i] == 0:
            A[i + 1] = 1
        if A[i] == 0:
            B[i] = 2
)";
  expect_applies(neighbour, "merge-branches", pair(parse(neighbour)), "");
}

TEST(MergeBranches, Condition2TheElseBranchWritesToo) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if A[i] == 0:
            B[i] = 1
        else:
            A[i] = 0
        if A[i] == 0:
            B[i] = 2
)");
  expect_refused_rightly(func, "merge-branches", pair(func), "changes nothing that the second condition reads");
}

// Neither condition holds on a NaN.
TEST(MergeBranches, Condition1ComparisonsOfFloatsAreNotComplementary) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        if A[i] < T.float32(0):
            B[i] = T.float32(1)
        if A[i] >= T.float32(0):
            B[i] = T.float32(2)
)");
  expect_refused_rightly(func, "merge-branches", pair(func, 1), "exactly one of the conditions");
}

TEST(MergeBranches, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 8:
            A[i] = 1
        A[i] = 2
)");
  EXPECT_TRUE(not_applicable(func, "merge-branches", pair(func)));
  EXPECT_TRUE(not_applicable(func, "merge-branches", {{"at", loop_named(func, "i")}}));
  EXPECT_TRUE(not_applicable(func, "merge-branches", {{"at", Path{}}}));
}

// Each condition chose for itself.
TEST(MergeBranches, Condition3AnUndef) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    if T.undef(dtype="int32") > 0:
        A[0] = 1
    if T.undef(dtype="int32") > 0:
        B[0] = 2
)");
  expect_not_applicable(func, "merge-branches", pair(func), "a condition holds an undef");
  expect_not_applicable(func, "merge-branches", pair(func, 1), "a condition holds an undef");
}

}  // namespace merge_branches_test
}  // namespace hexproof
