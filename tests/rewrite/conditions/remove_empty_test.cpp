#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace remove_empty_test {

template <class Record>
Args at(const PrimFunc& func, size_t k = 0) {
  return {{"at", nth<Record>(func, k)}};
}

TEST(RemoveEmpty, Condition1Evaluates) {
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

TEST(RemoveEmpty, Condition2LoopsThatNeverRun) {
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

TEST(RemoveEmpty, Condition3AnAllocationThatNothingMentions) {
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

TEST(RemoveEmpty, StatementsAroundNothing) {
  const char* text = R"(
def before(A: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(n):
        x: T.int32 = i + 1
        if x > 3:
            pass
    A[0] = 1
)";
  expect_applies(text, "remove-empty", {{"at", loop_named(parse(text), "i")}}, R"(
def after(A: T.Buffer((4,), "int32"), n: T.int32):
    A[0] = 1
)",
                 {{"n", 5}});
}

TEST(RemoveEmpty, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        T.evaluate(8 // n)
    A[0] = 1
)");
  expect_not_applicable(func, "remove-empty", {{"at", loop_named(func, "i")}}, "the statement does something");
  expect_not_applicable(func, "remove-empty", at<Store>(func), "the statement does something");
  expect_not_applicable(func, "remove-empty", {{"at", Path{}}}, "part by part");
  expect_not_applicable(func, "remove-empty", {{"at", nth<Store>(func)}, {"kind", std::string("unused")}},
                        "neither an allocation nor a view");
  expect_not_applicable(func, "remove-empty", {{"at", nth<Store>(func)}, {"kind", std::string("no")}},
                        "none of no-iteration, unused, then");
}

// An index out of bounds, a cell without content, a division by zero: each is why somebody may have put it there.
TEST(RemoveEmpty, Condition1AnErrorIsNotHidden) {
  for (const char* error : {"A[n] > 0", "8 // n > 2", "n * n > 2"}) {
    PrimFunc func = parse(std::string(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    T.evaluate()") + error +
                          ")\n    A[0] = 1\n");
    std::optional<Refused> refused = refusal(func, "remove-empty", at<Evaluate>(func));
    ASSERT_TRUE(refused) << error;
    EXPECT_EQ(refused->answer.verdict, Verdict::Refuted) << refused->what();
    // The error is lost: it is no wrong value, but it is what the statement is for.
    int errors = 0;
    for (int64_t n : {0, 1 << 20}) {
      std::vector<Tensor> tensors = random_inputs(func, 1), same = tensors;
      errors += run(func, tensors, {n}).error.has_value();
      EXPECT_FALSE(run(proposed(func, "remove-empty", at<Evaluate>(func)), same, {n}).error);
    }
    EXPECT_GT(errors, 0) << error;
  }
}

// The memory of an allocation is used by the name of a view of it, too.
TEST(RemoveEmpty, Condition3AViewOfItsMemory) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((4,), "int32")
    V = T.decl_buffer((2, 2), "int32", data=C.data)
    V[0, 0] = A[1]
    A[0] = V[0, 0]
)");
  expect_not_applicable(func, "remove-empty", {{"at", nth<AllocBuffer>(func)}, {"kind", std::string("unused")}},
                        "the buffer is used");
  expect_not_applicable(func, "remove-empty", {{"at", nth<DeclBuffer>(func)}, {"kind", std::string("unused")}},
                        "the buffer is used");
}

}  // namespace remove_empty_test
}  // namespace hexproof
