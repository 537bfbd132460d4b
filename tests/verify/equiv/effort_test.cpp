// Bounds of the work of proofs: stages, units of a place, and time.
#include "verify/prove/effort.h"

#include <gtest/gtest.h>

#include "ir/buffer.h"
#include "verify/prove/prove_step.h"

namespace hexproof {
namespace effort_test {

Obligation asks(std::vector<Expr> given, Expr goal) {
  return {.rule = "test", .why = "a test", .where = {}, .given = std::move(given), .goal = std::move(goal)};
}

struct EffortTest : testing::Test {
  Var x = Var::fresh("x", kInt32), y = Var::fresh("y", kInt32);
  Expr less_bits = binary(Op::BitAnd, x, y);
  std::vector<Expr> bytes{le(i32(0), x), lt(x, i32(256)), le(i32(0), y), lt(y, i32(256))};
  /// Only bit-vectors know what & is.
  Obligation hard = asks(bytes, le(less_bits + i32(1), Expr(x) + i32(1)));
  Obligation easy = asks(bytes, lt(Expr(x) + Expr(y), i32(511)));
  Obligation wrong = asks(bytes, lt(Expr(x) + Expr(y), i32(510)));
  Prover prover;
};

TEST_F(EffortTest, DearStagesAreLeftOut) {
  {
    DepthScope cheap(Depth::Cheap);
    EXPECT_EQ(prover.prove(hard).verdict, Verdict::Unknown);
    DepthScope full(Depth::Full);  // not deeper than the one around it
    EXPECT_EQ(prover.prove(hard).verdict, Verdict::Unknown);
    EXPECT_EQ(prover.prove(easy).verdict, Verdict::Proved);
    EXPECT_EQ(prover.prove(wrong).verdict, Verdict::Refuted);
  }
  // What the cheap stages left open is no answer for the rest of the run.
  Answer answer = prover.prove(hard);
  EXPECT_EQ(answer.verdict, Verdict::Proved) << answer.reason;
  DepthScope cheap(Depth::Cheap);
  EXPECT_EQ(prover.prove(hard).verdict, Verdict::Unknown) << "little effort gives the same, whatever was asked before";
}

TEST_F(EffortTest, AStepEndsWithTheFirstNeedThatFails) {
  std::vector<Obligation> needs{easy, hard, wrong, hard};
  StepAnswers step = prove_step(prover, needs);
  EXPECT_EQ(step.failed, 2u);
  EXPECT_EQ(step.answers[2].verdict, Verdict::Refuted);
  EXPECT_EQ(step.answers[1].verdict, Verdict::Unknown) << "a dear stage was asked in vain";
  step = prove_step(prover, std::vector<Obligation>{easy, hard});
  EXPECT_FALSE(step.failed);
  EXPECT_EQ(step.answers[1].verdict, Verdict::Proved);
  EXPECT_FALSE(prove_step(prover, std::vector<Obligation>{}).failed);
  DepthScope cheap(Depth::Cheap);
  Prover fresh;
  EXPECT_EQ(prove_step(fresh, std::vector<Obligation>{easy, hard}).failed, 1u);
}

TEST_F(EffortTest, AConjunctionIsRefutedByItsEasyPart) {
  Obligation both = asks(bytes, land(hard.goal, wrong.goal));
  Answer answer = prover.prove(both);
  EXPECT_EQ(answer.verdict, Verdict::Refuted);
  EXPECT_EQ(answer.model.size(), 2u);
}

TEST_F(EffortTest, UnitsOfAPlaceAreUsedUp) {
  {
    Allowance outer(10 * Allowance::kQuestion);
    {
      Allowance place(2 * Allowance::kQuestion);
      EXPECT_EQ(prover.prove(easy).verdict, Verdict::Proved);
      EXPECT_FALSE(place.used_up());
      EXPECT_EQ(prover.prove(easy).verdict, Verdict::Proved);
      EXPECT_TRUE(place.used_up());
      Answer none = prover.prove(easy);
      EXPECT_EQ(none.verdict, Verdict::Unknown);
      EXPECT_NE(none.reason.find("used up"), std::string::npos);
    }
    EXPECT_EQ(prover.prove(easy).verdict, Verdict::Proved);
    for (int k = 0; k < 8; ++k) prover.prove(easy);
    Allowance inner(1000 * Allowance::kQuestion);
    EXPECT_EQ(prover.prove(easy).verdict, Verdict::Unknown) << "the one around it is used up";
  }
  EXPECT_EQ(prover.prove(easy).verdict, Verdict::Proved);
}

TEST_F(EffortTest, UnitsAreTheSameWithAnyNumberOfThreadsAndWithACache) {
  std::vector<Verdict> all[4];
  Prover warm;
  warm.prove(hard);
  for (int way = 0; way < 4; ++way) {
    Prover cold({.jobs = way + 1});
    Prover& asked = way == 3 ? warm : cold;
    Allowance place(3 * Allowance::kQuestion);
    for (int round = 0; round < 3; ++round) {
      for (const Answer& a : asked.prove_all(std::vector<Obligation>{easy, hard})) all[way].push_back(a.verdict);
    }
    EXPECT_EQ(all[way], all[0]) << way;
  }
  EXPECT_EQ(all[0].front(), Verdict::Proved);
  EXPECT_EQ(all[0].back(), Verdict::Unknown);
}

TEST_F(EffortTest, PastTheBudgetNothingIsAsked) {
  TimeBudget::start(1e-6);
  volatile double sum = 0;
  for (int k = 0; k < 1'000'000; ++k) sum = sum + k;  // processor time counts
  EXPECT_TRUE(TimeBudget::used_up());
  EXPECT_FALSE(TimeBudget::overrun());
  EXPECT_THROW(prover.prove(easy), OutOfTime);
  Prover many({.jobs = 4});
  try {
    many.prove_all(std::vector<Obligation>{easy, hard, wrong, easy, hard});
    ADD_FAILURE() << "it was asked";
  } catch (const OutOfTime& e) {
    EXPECT_NE(std::string(e.what()).find("a test"), std::string::npos) << e.what();
  }
  EXPECT_EQ(TimeBudget::asking(), "");
  EXPECT_EQ(TimeBudget::milliseconds_left(20'000), 1000);
  TimeBudget::stop();
  EXPECT_EQ(prover.prove(easy).verdict, Verdict::Proved);
  EXPECT_EQ(TimeBudget::milliseconds_left(20'000), 20'000);
  TimeBudget::start(1000);
  EXPECT_FALSE(TimeBudget::used_up());
  EXPECT_EQ(prover.prove(easy).verdict, Verdict::Proved);
  TimeBudget::stop();
}

}  // namespace effort_test
}  // namespace hexproof
