// separate-digits, and what of an `and` or an `or` the rest implies.
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/rules/args/values.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace conditions_test {

std::string guarded(const std::string& condition) {
  return R"(
def f(A: T.Buffer((3, 8), "int32"), n: T.int32):
    for io, ii, fi in T.grid(3, 8, 3):
        if )" +
         condition + ":\n            A[io, ii] = fi\n";
}

Args digits(const PrimFunc& func, int form) {
  Path at = nth<If>(func);
  return args_of(SimplifyArgs{.at = at, .applications = {{"separate-digits", form, at, {0}}}});
}

void expect_digits(const std::string& condition, int form, const std::string& expected) {
  expect_applies(guarded(condition), "simplify", digits(parse(guarded(condition)), form), guarded(expected),
                 {{"n", 1}});
}

TEST(SeparateDigits, Forms) {
  expect_digits("io * 8 + ii < 20", 0, "not (io == 2 and ii >= 4)");
  expect_digits("io * 8 + ii < 20", 1, "io < 2 or io == 2 and ii < 4");
  expect_digits("io * 8 + ii >= 2", 0, "not (io == 0 and ii < 2)");
  expect_digits("io * 8 + ii >= 10", 1, "io > 1 or io == 1 and ii >= 2");
  // The constant on the other side, or on both; other comparisons; a digit of several loops.
  expect_digits("0 <= io * 8 + ii - 2", 0, "not (io == 0 and ii < 2)");
  expect_digits("8 * io + ii - 2 <= 17", 0, "not (io == 2 and ii >= 4)");
  expect_digits("io * 8 + ii + fi - 2 < 18", 0, "not (io == 2 and ii + fi >= 4)");
  expect_digits("20 > io * 8 + (ii + fi)", 0, "not (io == 2 and ii + fi >= 4)");
  expect_digits("ii + fi - 2 > 0 - io * 8", 0, "not (io == 0 and ii + fi < 3)");
}

// The last row may be any row: the form that says "not in the last one" holds only where there is none behind it.
TEST(SeparateDigits, WhatTheRangesMustGive) {
  for (auto [condition, form] : std::vector<std::pair<std::string, int>>{
           {"io * 8 + ii < 12", 0}, {"io * 8 + ii >= 10", 0}, {"io * 4 + ii < 6", 1}, {"io * 4 + ii - fi >= 8", 1}}) {
    PrimFunc func = parse(guarded(condition));
    expect_refused_rightly(func, "simplify", digits(func, form), "the rule's condition holds", {{"n", 1}});
  }
}

TEST(SeparateDigits, DoesNotMatch) {
  for (const char* condition :
       {"io < 2", "io * 8 + ii == 5", "io * n + ii < 5", "ii + fi < 3", "A[io, ii] * 8 + ii < 9"}) {
    PrimFunc func = parse(guarded(condition));
    EXPECT_TRUE(not_applicable(func, "simplify", digits(func, 0))) << condition;
  }
}

std::string simplified(const std::string& condition) {
  PrimFunc func = parse(guarded(condition));
  Derivation derivation(func);
  simplify(derivation, test_prover());
  EXPECT_EQ(difference(func, derivation.current(), {{"n", 1}}), "");
  return print(derivation.current());
}

TEST(Implied, OneComparisonByAnother) {
  auto holds = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(holds(simplified("ii >= 2 and ii + fi >= 2"), "if ii >= 2:")) << simplified("ii >= 2 and ii + fi >= 2");
  EXPECT_TRUE(holds(simplified("ii + fi < 4 and ii < 2"), "if ii < 2:"));
  EXPECT_TRUE(holds(simplified("ii >= 2 or ii + fi >= 2"), "if ii + fi >= 2:"));
  // Neither implies the other.
  EXPECT_TRUE(holds(simplified("ii >= 2 and ii + fi >= 3"), "if ii >= 2 and ii + fi >= 3:"));
  EXPECT_TRUE(holds(simplified("ii >= 2 or ii + fi >= 5"), "if ii >= 2:"));
  EXPECT_TRUE(holds(simplified("ii >= 3 or ii + fi < 2"), "if ii >= 3 or ii + fi < 2:"));
}

}  // namespace conditions_test
}  // namespace hexproof
