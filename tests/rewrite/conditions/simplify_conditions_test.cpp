// What each application of an expression rule owes at its place.
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/rules/args/values.h"
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace simplify_conditions_test {

/// The expression rule at the expression `expr` of the statement.
Args application(const std::string& rule, const Path& at, const Path& expr) {
  return args_of(SimplifyArgs{.at = at, .applications = {{rule, 0, at, expr}}});
}

TEST(Simplify, DoesNotApply) {
  PrimFunc func = parse("def main(A: T.Buffer((4,), 'int32'), n: T.int32):\n    A[0] = n + 1\n");
  Path at = nth<Store>(func);
  expect_not_applicable(func, "simplify", application("add-zero", at, {1}), "does not match there");
  expect_not_applicable(func, "simplify", application("add-zero", at, {7}), "leads to no expression");
  expect_not_applicable(func, "simplify", {{"at", at}, {"applications", std::string()}}, "does not parse, or is empty");
}

TEST(Simplify, Condition1TheConditionOfTheRule) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((32,), "int32")):
    for k in range(32):
        A[k % 8] = k
    for j in range(8):
        A[j % 8] = j
)");
  expect_refused_rightly(func, "simplify", application("mod-small", nth<Store>(func), {0}),
                         "the rule's condition holds");
  PrimFunc after = applied(func, "simplify", application("mod-small", nth<Store>(func, 1), {0}));
  EXPECT_NE(print(after).find("A[j] = j"), std::string::npos) << print(after);
  EXPECT_EQ(difference(func, after), "");
}

// The sum is small, and neither of its parts is.
TEST(Simplify, Condition2NewIndexArithmeticFits) {
  const std::string text = R"(
def main(A: T.Buffer((16,), "int32"), n: T.int32, m: T.int32):
    if n + m == 0 and n < LIMIT and m < LIMIT:
        A[(n + m) * 4096] = 1
)";
  auto with = [&](const std::string& limit) {
    std::string out = text;
    for (size_t at; (at = out.find("LIMIT")) != std::string::npos;) out.replace(at, 5, limit);
    return parse(out);
  };
  PrimFunc large = with("2097152"), small = with("1000");
  expect_refused_rightly(large, "simplify", application("distribute", nth<Store>(large), {0}), "fits its type",
                         {{"n", 1 << 20}, {"m", -(1 << 20)}});
  EXPECT_EQ(difference(small, applied(small, "simplify", application("distribute", nth<Store>(small), {0})),
                       {{"n", 7}, {"m", -7}}),
            "");
}

// A float that equals zero may be the other one.
TEST(Simplify, Condition3TheBitsOfAKnownValue) {
  const std::string text = R"(
def main(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32")):
    T.assume(A[0] == T.float32(VALUE))
    B[0] = A[0]
)";
  auto with = [&](const std::string& value) {
    std::string out = text;
    return parse(out.replace(out.find("VALUE"), 5, value));
  };
  PrimFunc zero = with("0"), one = with("1");
  expect_refused_rightly(zero, "simplify", application(kKnownValue, nth<Store>(zero), {1}),
                         "the cell holds the bits of the value", {}, 400);
  EXPECT_EQ(difference(one, applied(one, "simplify", application(kKnownValue, nth<Store>(one), {1})), {}, 400), "");
}

// Nothing is evaluated there that an error could come from; without one, the assume says more than it did.
TEST(Simplify, Condition4AnErrorInAnAssume) {
  const std::string text = R"(
def main(A: T.Buffer((1,), "int32"), n: T.int32):
    if n >= LEAST:
        T.assume(A[0] > 8 // n * 0)
        A[0] = 1
)";
  auto with = [&](const std::string& least) {
    std::string out = text;
    return parse(out.replace(out.find("LEAST"), 5, least));
  };
  PrimFunc divides = with("0"), sound = with("1");
  auto args = [](const PrimFunc& func) { return application("mul-zero", nth<Assume>(func), {0, 1}); };
  std::optional<Refused> refused = refusal(divides, "simplify", args(divides));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("what the rule replaces here is free of errors"), std::string::npos);
  EXPECT_EQ(refused->answer.verdict, Verdict::Refuted);
  EXPECT_EQ(difference(sound, applied(sound, "simplify", args(sound)), {{"n", 2}}, 200), "");
}

}  // namespace simplify_conditions_test
}  // namespace hexproof
