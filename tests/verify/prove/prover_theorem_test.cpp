#include <gtest/gtest.h>

#include "verify/prove/theorem.h"

namespace hexproof {
namespace prover_theorem_test {

class TheoremTest : public testing::TestWithParam<DType> {
 protected:
  DType t = GetParam();
  Var x = Var::fresh("x", t), y = Var::fresh("y", t), c = Var::fresh("c", t);
  Expr num(int64_t v) { return imm(t, v); }

  void expect(Verdict verdict, const Answer& a) {
    EXPECT_EQ(a.verdict, verdict) << t.str() << " " << a.solver << ": " << a.reason;
  }
  Answer rule(Expr lhs, Expr rhs, std::vector<Expr> when, RuleUse use) {
    return prove_rule("test", lhs, rhs, when, use);
  }
};

TEST_P(TheoremTest, QuotientOfAProductAndARest) {
  Expr lhs = floordiv(x * c + y, c), rhs = x + floordiv(y, c);
  expect(Verdict::Proved, rule(lhs, rhs, {lt(num(0), c)}, RuleUse::Index));
  expect(Verdict::Refuted, rule(lhs, rhs, {lt(num(0), c)}, RuleUse::Data));
  expect(Verdict::Proved,
         prove_theorem(
             {.rule = "test", .why = "", .where = {}, .given = {lt(num(0), c), fits(lhs)}, .goal = eq(lhs, rhs)}));
  expect(Verdict::Refuted,
         prove_theorem({.rule = "test", .why = "", .where = {}, .given = {lt(num(0), c)}, .goal = eq(lhs, rhs)}));
}

TEST_P(TheoremTest, SumsReassociateOnDataButMayOverflowAsIndices) {
  Expr lhs = (x + y) + c, rhs = x + (y + c);
  expect(Verdict::Proved, rule(lhs, rhs, {}, RuleUse::Data));
  if (t.is_int()) expect(Verdict::Refuted, rule(lhs, rhs, {}, RuleUse::Index));
  expect(Verdict::Proved, rule(lhs, rhs, {fits(y + c)}, RuleUse::Index));
}

TEST_P(TheoremTest, DivisionErrorsMayGoButNotCome) {
  expect(Verdict::Proved, rule(floormod(x, y) - floormod(x, y), num(0), {}, RuleUse::Data));
  expect(Verdict::Refuted, rule(num(0), floormod(x, y) - floormod(x, y), {}, RuleUse::Data));
  if (t.is_int()) expect(Verdict::Refuted, rule(num(1), floordiv(y, y), {ge(x, num(0))}, RuleUse::Index));
  expect(Verdict::Proved, rule(floordiv(y, y), num(1), {}, RuleUse::Index));
}

TEST_P(TheoremTest, FloorAndTruncation) {
  Expr floor = floordiv(x, num(5)), trunc = binary(Op::TruncDiv, x, num(5));
  expect(t.is_int() ? Verdict::Refuted : Verdict::Proved, rule(floor, trunc, {}, RuleUse::Data));
  expect(Verdict::Proved, rule(floor, trunc, {ge(x, num(0))}, RuleUse::Data));
  expect(Verdict::Proved, rule(floor, trunc, {ge(x, num(0))}, RuleUse::Index));
}

INSTANTIATE_TEST_SUITE_P(Integers, TheoremTest,
                         testing::Values(kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64, kUInt64),
                         [](const auto& info) { return info.param.str(); });

class FloatTheoremTest : public TheoremTest {};

TEST_P(FloatTheoremTest, Zeros) {
  Expr zero = fimm(t, 0.0), minus = fimm(t, -0.0);
  expect(Verdict::Refuted, rule(x + zero, x, {}, RuleUse::Data));
  expect(Verdict::Proved, rule(x + minus, x, {}, RuleUse::Data));
  expect(Verdict::Proved, rule(x - zero, x, {}, RuleUse::Data));
  expect(Verdict::Refuted, rule(x * zero, zero, {}, RuleUse::Data));
  expect(Verdict::Proved, rule(x * fimm(t, 1.0), x, {}, RuleUse::Data));
}

TEST_P(FloatTheoremTest, Comparisons) {
  expect(Verdict::Refuted, rule(lnot(lt(x, y)), ge(x, y), {}, RuleUse::Data));
  expect(Verdict::Refuted, rule(eq(x, x), boolean(true), {}, RuleUse::Data));
  expect(Verdict::Refuted, rule(max(x, y), max(y, x), {}, RuleUse::Data));
  expect(Verdict::Proved, rule(max(x, x), x, {}, RuleUse::Data));
}

INSTANTIATE_TEST_SUITE_P(Floats, FloatTheoremTest, testing::Values(kFloat16, kBFloat16, kFloat32, kFloat64),
                         [](const auto& info) { return info.param.str(); });

}  // namespace prover_theorem_test
}  // namespace hexproof
