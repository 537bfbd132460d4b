#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace same_branches_test {

template <class Record>
Args at(const PrimFunc& func, size_t k = 0) {
  return {{"at", nth<Record>(func, k)}};
}

TEST(SameBranches, Condition1BranchesThatDiffer) {
  for (const char* other : {"A[i] = 2", "A[15 - i] = 1", "B[i] = 1", "A[i] = 1\n            A[i] = 1"}) {
    PrimFunc func = parse(std::string(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if B[i] > 0:
            A[i] = 1
        else:
            )") + other + "\n");
    EXPECT_TRUE(not_applicable(func, "same-branches", at<If>(func)));
  }
  PrimFunc none = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i > 3:
            A[i] = 1
)");
  EXPECT_TRUE(not_applicable(none, "same-branches", at<If>(none)));
}

TEST(SameBranches, Condition2TheConditionStaysAsAnEvaluate) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float16"), n: T.int32):
    for i in range(16):
        if 8 // n > i:
            for j in range(2):
                A[i] = A[i] + T.float16(1)
        else:
            for k in range(2):
                A[i] = A[i] + T.float16(1)
)";
  expect_applies(text, "same-branches", at<If>(parse(text)), R"(
def after(A: T.Buffer((16,), "float16"), n: T.int32):
    for i in range(16):
        T.evaluate(8 // n > i)
        for j in range(2):
            A[i] = A[i] + T.float16(1)
)",
                 {{"n", 2}});
  // It is an error for n == 0, so it does not go.
  PrimFunc after = applied(parse(text), "same-branches", at<If>(parse(text)));
  std::optional<Refused> refused = refusal(after, "remove-empty", at<Evaluate>(after));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->answer.verdict, Verdict::Refuted);
  std::vector<Tensor> tensors = random_inputs(after, 1);
  EXPECT_TRUE(run(after, tensors, {0}).error) << "the error that the evaluate is there for";
}

TEST(SameBranches, UpToTheNamesOfWhatIsBound) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    if n > 3:
        x: T.int32 = n + 1
        for i in range(16):
            A[i] = x
    else:
        y: T.int32 = n + 1
        for j in range(16):
            A[j] = y
)";
  expect_applies(text, "same-branches", at<If>(parse(text)), R"(
def after(A: T.Buffer((16,), "int32"), n: T.int32):
    T.evaluate(n > 3)
    x: T.int32 = n + 1
    for i in range(16):
        A[i] = x
)",
                 {{"n", 4}});
}

TEST(SameBranches, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i > 3:
            A[i] = 1
)");
  expect_not_applicable(func, "same-branches", at<If>(func), "the if has no else");
  expect_not_applicable(func, "same-branches", at<Store>(func), "an if");
}

// What the rule would make without its check keeps one of the branches.
TEST(SameBranches, Condition1OneBranchForBoth) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if B[i] > 0:
            A[i] = 1
        else:
            A[i] = 2
)");
  expect_not_applicable_rightly(func, "same-branches", at<If>(func), "the branches differ", R"(
def wrong(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        T.evaluate(B[i] > 0)
        A[i] = 1
)");
}

}  // namespace same_branches_test
}  // namespace hexproof
