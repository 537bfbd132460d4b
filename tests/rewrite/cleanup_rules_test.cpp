// same-branches, remove-empty, clamp-index.
#include "rewrite/passes/passes.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

template <class Record>
Args at(const PrimFunc& func, size_t k = 0) {
  return {{"at", nth<Record>(func, k)}};
}

TEST(SameBranches, TheConditionStaysAsAnEvaluate) {
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

TEST(SameBranches, BranchesThatDiffer) {
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

TEST(RemoveEmpty, Evaluates) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    if n > 0 and n < 9:
        T.evaluate(8 // n > A[n])
    A[0] = 1
)");
  PrimFunc after = applied(func, "remove-empty", at<Evaluate>(func));
  EXPECT_EQ(difference(func, after, {{"n", 3}}), "");
  EXPECT_EQ(print(applied(after, "remove-empty", at<If>(after))).find("if"), std::string::npos);
  PrimFunc local = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(8):
        B[i] = 0
    T.evaluate(B[9] > 0)
    A[0] = 1
)");
  EXPECT_TRUE(refusal(local, "remove-empty", at<Evaluate>(local)));
}

TEST(RemoveEmpty, LoopsThatNeverRun) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    if n > 3:
        for i in range(T.min(2 - n, 4)):
            A[i] = 1
    for j in range(n):
        A[0] = 2
)");
  Args never = {{"at", loop_named(func, "i")}, {"kind", std::string("no-iteration")}};
  for (int64_t n : {0, 5}) EXPECT_EQ(difference(func, applied(func, "remove-empty", never), {{"n", n}}), "");
  Args may = {{"at", loop_named(func, "j")}, {"kind", std::string("no-iteration")}};
  expect_refused_rightly(func, "remove-empty", may, "never runs", {{"n", 2}});
  EXPECT_TRUE(not_applicable(func, "remove-empty", {{"at", loop_named(func, "j")}}));
}

TEST(RemoveEmpty, AnAllocationThatNothingMentions) {
  const std::string text = R"(
def before(A: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((4,), "int32")
    A[0] = VALUE
)";
  auto with = [&](const std::string& value) {
    std::string out = text;
    return parse(out.replace(out.find("VALUE"), 5, value));
  };
  Args args = {{"at", nth<AllocBuffer>(with("1"))}, {"kind", std::string("unused")}};
  expect_program(applied(with("1"), "remove-empty", args), R"(
def after(A: T.Buffer((4,), "int32")):
    A[0] = 1
)");
  EXPECT_TRUE(not_applicable(with("T.if_then_else(A[0] > 0, 1, C[0])"), "remove-empty", args));
}

TEST(RemoveEmpty, AThenThatDoesNothing) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 3 or A[i] > 5:
            THEN
        else:
            A[i] = 1
)";
  auto with = [&](const std::string& then) {
    std::string out = text;
    return parse(out.replace(out.find("THEN"), 4, then));
  };
  PrimFunc empty = with("for k in range(3):\n                pass"), full = with("A[0] = 2"),
           checked = with("T.evaluate(A[0])");
  Args args{{"at", nth<If>(empty)}, {"kind", std::string("then")}};
  PrimFunc after = applied(empty, "remove-empty", args);
  EXPECT_EQ(difference(empty, after), "");
  EXPECT_FALSE(stmt_at(after, nth<If>(after)).as<If>()->else_case);
  EXPECT_TRUE(not_applicable(full, "remove-empty", args));
  EXPECT_TRUE(not_applicable(checked, "remove-empty", args));
  EXPECT_TRUE(not_applicable(after, "remove-empty", {{"at", nth<If>(after)}, {"kind", std::string("then")}}));
}

TEST(RemoveEmpty, AnAssumeStays) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        T.assume(A[i] == 0)
    A[0] = 1
)");
  EXPECT_TRUE(not_applicable(func, "remove-empty", {{"at", loop_named(func, "i")}}));
  EXPECT_TRUE(not_applicable(func, "remove-empty", at<Assume>(func)));
}

/// The index of the first load in the value of the first store.
Args clamp(const PrimFunc& func, Path expr = {1, 0}) { return {{"at", nth<Store>(func)}, {"expr", expr}}; }

TEST(ClampIndex, ThereAndBack) {
  const char* text = R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 4:
            B[i] = A[i]
)";
  const char* after = R"(
def after(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 4:
            B[i] = A[i % 4]
)";
  expect_applies(text, "clamp-index", clamp(parse(text)), after);
  Args back = clamp(parse(after));
  back["back"] = int64_t{1};
  expect_applies(after, "clamp-index", back, text);
}

TEST(ClampIndex, OutsideOfTheRange) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i % 4] + i
        C[i] = i - 3
)");
  Args back = clamp(func, {1, 0, 0});
  back["back"] = int64_t{1};
  expect_refused_rightly(func, "clamp-index", back, "less than the extent");
  Args plain = clamp(func, {1, 1});
  plain["extent"] = int64_t{4};
  expect_refused_rightly(func, "clamp-index", plain, "less than the extent");
  plain["extent"] = int64_t{8};
  EXPECT_EQ(difference(func, applied(func, "clamp-index", plain)), "");
  Args negative = {{"at", nth<Store>(func, 1)}, {"expr", Path{1}}, {"extent", int64_t{8}}};
  expect_refused_rightly(func, "clamp-index", negative, "not negative");
}

TEST(ClampIndex, UnderAChoice) {
  const char* text = R"(
def before(A: T.Buffer((4,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.if_then_else(i >= 4, A[i - 4], T.int8(0))
)";
  expect_applies(text, "clamp-index", clamp(parse(text), {1, 1, 0}), R"(
def after(A: T.Buffer((4,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.if_then_else(i >= 4, A[(i - 4) % 4], T.int8(0))
)");
}

}  // namespace
}  // namespace hexproof
