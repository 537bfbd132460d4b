#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace distribute_loop_test {

Args cut(const PrimFunc& func, int64_t count) { return {{"at", loop_named(func, "i")}, {"count", count}}; }

void expect_distribute(const std::string& before, int64_t count, const std::string& expected) {
  expect_applies(before, "distribute-loop", cut(parse(before), count), expected);
}

void expect_no_distribute(const std::string& before, int64_t count = 1) {
  PrimFunc func = parse(before);
  expect_refused_rightly(func, "distribute-loop", cut(func, count), "what the first part does later");
}

TEST(DistributeLoop, TwoLoops) {
  expect_distribute(R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i]
        C[i] = B[i]
)",
                    1, R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i]
    for i in range(16):
        C[i] = B[i]
)");
}

TEST(DistributeLoop, WhereTheCutStands) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((1,), "int32")):
    for i in range(16):
        B[i] = A[i]
        C[0] = B[i]
        A[i] = C[0]
)";
  expect_distribute(text, 1, "");
  expect_no_distribute(text, 2);
}

TEST(DistributeLoop, Condition2AValueCarriedToTheNextIteration) {
  expect_no_distribute(R"(
def before(A: T.Buffer((17,), "int32"), B: T.Buffer((17,), "int32")):
    for i in range(16):
        B[i] = A[i]
        A[i + 1] = B[i] + 1
)");
  expect_no_distribute(R"(
def before(A: T.Buffer((17,), "int32")):
    for i in range(16):
        A[i] = 1
        A[i + 1] = 2
)");
  expect_distribute(R"(
def before(A: T.Buffer((17,), "int32")):
    for i in range(16):
        A[i + 1] = 1
        A[i] = 2
)",
                    1, "");
}

TEST(DistributeLoop, Condition3Accumulations) {
  const std::string text = R"(
def before(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i in range(16):
        C[0] = C[0] + A[i]
        C[0] = C[0] - B[i]
)";
  auto with_type = [&](const std::string& type) {
    std::string out = text;
    for (size_t at; (at = out.find("TYPE")) != std::string::npos;) out.replace(at, 4, type);
    return out;
  };
  expect_distribute(with_type("int8"), 1, "");
  expect_no_distribute(with_type("float32"));
}

TEST(DistributeLoop, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
        B[i] = 1
    for k in range(16):
        A[k] = 2
)");
  EXPECT_TRUE(not_applicable(func, "distribute-loop", cut(func, 0)));
  EXPECT_TRUE(not_applicable(func, "distribute-loop", cut(func, 2)));
  EXPECT_TRUE(not_applicable(func, "distribute-loop", {{"at", loop_named(func, "k")}, {"count", int64_t{1}}}));
}

// The second loop would ask again, after the first one has written what is asked.
TEST(DistributeLoop, Condition1ABoundThatIsData) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    A[0] = 5
    for n in range(A[0]):
        A[0] = 1
        B[n] = 2
)");
  expect_not_applicable_rightly(func, "distribute-loop", {{"at", loop_named(func, "n")}, {"count", int64_t{1}}},
                                "the extent of the loop depends on the content of a buffer", R"(
def wrong(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    A[0] = 5
    for n in range(A[0]):
        A[0] = 1
    for n in range(A[0]):
        B[n] = 2
)");
}

// S1 of the last iteration divides by n, which S2 of the first one assumed not to be zero.
TEST(DistributeLoop, Condition4AnAssumeOfAnEarlierIteration) {
  const std::string text = R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        A[i] = 8 // T.max(n, 1 - T.min(i, 1))
        T.assume(n > 0)
        B[i] = 8 // n
)";
  PrimFunc func = parse(text);
  EXPECT_TRUE(refusal(func, "distribute-loop", cut(func, 1)));
  // The program ends at the assume; what the rule would make of it divides first.
  EXPECT_EQ(error_of(func, {{"n", 0}}), ErrorKind::FalseAssume);
  EXPECT_EQ(error_of(proposed(func, "distribute-loop", cut(func, 1)), {{"n", 0}}), ErrorKind::Operation);
  // Cut behind the assume, the first part has one of its own.
  EXPECT_EQ(difference(func, applied(func, "distribute-loop", cut(func, 2)), {{"n", 3}}), "");
}

// A let or an allocation around both parts would have to be made twice.
TEST(DistributeLoop, Condition5ADeclarationAroundBothParts) {
  for (const char* declared : {"x: T.int32 = A[i]", "C = T.decl_buffer((1,), \"int32\")\n        C[0] = A[i]"}) {
    PrimFunc func = parse(std::string(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        )") + declared + R"(
        A[i] = 1
        B[i] = 2
)");
    expect_not_applicable(func, "distribute-loop", cut(func, 1), "the body of the loop is no sequence");
  }
}

}  // namespace distribute_loop_test
}  // namespace hexproof
