// Questions under other names, and values that refute a question.
#include <gtest/gtest.h>

#include "ir/buffer.h"
#include "verify/prove/solvers/arithmetic/normal_form.h"
#include "verify/prove/solvers/cache/question_key.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/refute.h"

namespace hexproof {
namespace quick_questions_test {

struct Question {
  std::vector<Expr> given;
  Expr goal;
};

std::vector<Expr> in_range(const Var& v, int64_t extent) { return {le(i32(0), v), lt(Expr(v), i32(extent))}; }

/// A[i] == B[i + by] with 0 <= i < extent.
Question cells(int64_t extent, int64_t by, bool one_buffer) {
  Var i = Var::fresh("i", kInt32);
  Buffer a = make_buffer("A", kInt32, {i32(16)}), b = one_buffer ? a : make_buffer("B", kInt32, {i32(16)});
  return {in_range(i, extent), eq(load(a, {Expr(i)}), load(b, {Expr(i) + i32(by)}))};
}

QuestionKey key(const Question& q) { return question_key(q.given, q.goal); }

TEST(QuestionKey, LeavesNamesOutAndNothingElse) {
  EXPECT_EQ(key(cells(4, 1, false)), key(cells(4, 1, false)));
  EXPECT_NE(key(cells(4, 1, false)), key(cells(5, 1, false)));
  EXPECT_NE(key(cells(4, 1, false)), key(cells(4, 2, false)));
  EXPECT_NE(key(cells(4, 1, false)), key(cells(4, 1, true)));
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32), n = Var::fresh("n", kInt64);
  EXPECT_NE(question_key({}, lt(Expr(i), Expr(j))), question_key({}, lt(Expr(i), Expr(i))));
  EXPECT_NE(question_key({}, lt(Expr(i), Expr(j))), question_key({}, le(Expr(i), Expr(j))));
  EXPECT_NE(question_key({}, eq(Expr(i), Expr(i))), question_key({}, eq(Expr(n), Expr(n))));
  EXPECT_NE(question_key({}, fits(binary(Op::Add, i, j, true))), question_key({}, fits(binary(Op::Add, i, j, false))));
  EXPECT_NE(question_key({lt(Expr(i), Expr(j))}, boolean(false)), question_key({}, lt(Expr(i), Expr(j))));
}

TEST(QuestionKey, HasTheOrderInWhichVariablesWereMade) {
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  EXPECT_NE(question_key({}, lt(Expr(i), Expr(j))), question_key({}, lt(Expr(j), Expr(i))));
}

TEST(QuestionKey, NumbersOpaqueValues) {
  auto opaque = [](const std::string& name) { return call(kInt32, name, {}); };
  auto differ = [&](const char* a, const char* b) { return question_key({}, eq(opaque(a), opaque(b))); };
  EXPECT_EQ(differ("x#1", "y#2"), differ("x#3", "y#4"));
  EXPECT_NE(differ("x#1", "x#1"), differ("x#1", "x#2"));
  EXPECT_NE(differ("f", "g"), differ("f", "h"));
}

TEST(ProvedQuickly, SaysTheSameWhenItIsAskedAgain) {
  for (int k = 0; k < 3; ++k) {
    Var i = Var::fresh("i", kInt32);
    EXPECT_TRUE(proved_quickly(in_range(i, 4), lt(Expr(i), i32(4))));
    EXPECT_FALSE(proved_quickly(in_range(i, 4), lt(Expr(i), i32(3))));
    EXPECT_EQ(decide_quickly(in_range(i, 4), lt(Expr(i), i32(4))).verdict, Verdict::Proved);
    Answer refuted = decide_quickly(in_range(i, 4), lt(Expr(i), i32(3)));
    ASSERT_EQ(refuted.verdict, Verdict::Refuted);
    EXPECT_EQ(refuted.model, (Model{{i, 3}}));
  }
}

/// The values of the answer satisfy what is given and break the goal.
void expect_confirmed(const Question& q, const Answer& answer) {
  Valuation valuation;
  for (const auto& [var, value] : answer.model) valuation.vars.emplace(var, value);
  valuation.terms = answer.terms;
  Evaluator evaluator(valuation);
  for (const Expr& e : q.given) EXPECT_TRUE(evaluator.holds(e));
  EXPECT_FALSE(evaluator.holds(q.goal));
}

TEST(RefuteByValues, SolvesTheEquationsThatTheGoalDenies) {
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32), k = Var::fresh("k", kInt32);
  Question q{in_range(i, 16), lnot(eq(floormod(Expr(i) + i32(2), i32(16)), Expr(j)))};
  for (const Expr& e : in_range(j, 16)) q.given.push_back(e);
  q.given.push_back(lt(Expr(i), Expr(j)));
  Question sum{in_range(i, 4), lnot(eq(Expr(i) * i32(4) + (i32(3) - Expr(k)), i32(15) - Expr(j)))};
  for (const Expr& e : in_range(j, 16)) sum.given.push_back(e);
  for (const Expr& e : in_range(k, 4)) sum.given.push_back(e);
  for (const Question& each : {q, sum, cells(4, 1, false), cells(4, 1, true)}) {
    std::optional<Answer> answer = refute_by_values(each.given, each.goal, {{i, {0, 15}}, {j, {0, 15}}, {k, {0, 3}}});
    ASSERT_TRUE(answer);
    expect_confirmed(each, *answer);
  }
}

TEST(RefuteByValues, FindsNothingAgainstWhatIsTrue) {
  Var i = Var::fresh("i", kInt32);
  EXPECT_FALSE(refute_by_values(in_range(i, 4), lt(Expr(i), i32(4)), {{i, {0, 3}}}));
  EXPECT_FALSE(refute_by_values({lt(Expr(i), i32(0)), le(i32(0), i)}, boolean(false), {}));
  Question same = cells(4, 0, true);
  EXPECT_FALSE(refute_by_values(same.given, same.goal, {}));
}

}  // namespace quick_questions_test
}  // namespace hexproof
