// What holds because no execution gets there is told apart from what holds.
#include "verify/prove/vacuous.h"

#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "verify/check/check.h"

namespace hexproof {
namespace vacuous_test {

CheckReport checked(const std::string& body) {
  Prover prover({.cache_path = "", .jobs = 1});
  return check(parse_module("def f(A: T.Buffer((4,), \"int32\")):\n" + body).functions.at(0), prover);
}

size_t unreachable(const CheckReport& report) {
  size_t out = 0;
  for (const CheckedObligation& o : report.obligations) out += is_int(o.obligation.goal, 0);
  return out;
}

TEST(Vacuous, ABranchThatIsNeverTakenIsProvedToBeNeverTaken) {
  CheckReport report = checked("    for i in range(4):\n        if i > 5:\n            A[i + 7] = 1\n");
  EXPECT_EQ(report.finding, Finding::Proved);
  EXPECT_EQ(unreachable(report), 1u);
}

TEST(Vacuous, ABranchThatIsTakenIsNot) {
  CheckReport report = checked("    for i in range(4):\n        if i > 2:\n            A[i] = 1\n");
  EXPECT_EQ(report.finding, Finding::Proved);
  EXPECT_EQ(unreachable(report), 0u);
}

TEST(Vacuous, AllThatIsAskedUnderAContradictionIsMarked) {
  Var i = Var::fresh("i", kInt32);
  Obligation never{"r", "a", {}, {lt(Expr(i), i32(0)), ge(Expr(i), i32(3))}, eq(Expr(i), i32(7))};
  Obligation always{"r", "b", {}, {lt(Expr(i), i32(0))}, lt(Expr(i), i32(2))};
  std::vector<Obligation> places = unreachable_places(std::vector{never, always, never});
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].given, never.given);
  Answer yes;
  yes.verdict = Verdict::Proved;
  std::vector<std::pair<Obligation, Answer>> answered = {{never, yes}, {always, yes}, {places[0], yes}};
  EXPECT_EQ(vacuous(answered), (std::vector<bool>{true, false, true}));
  // As long as it is not proved, it says nothing.
  answered.back().second.verdict = Verdict::Unknown;
  EXPECT_EQ(vacuous(answered), (std::vector<bool>{false, false, false}));
}

}  // namespace vacuous_test
}  // namespace hexproof
