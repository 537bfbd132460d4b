// All errors of a function are told at once: each met by the interpreter, none that only follows from another one.
#include "tests/verify/check/check_fixture.h"
#include "verify/check/error_met.h"

namespace hexproof {
namespace check_errors_test {

struct CheckErrors : CheckTest {
  /// The lines of what is told, with those of the errors in front of it.
  static std::map<int, std::vector<int>> told(const CheckReport& report) {
    std::map<int, std::vector<int>> out;
    if (!report.met) return out;
    std::vector<ErrorMet> all = {*report.met};
    all.insert(all.end(), report.met->others.begin(), report.met->others.end());
    for (const ErrorMet& one : all) {
      std::vector<int>& behind = out[one.error.span.line];
      for (const Span& place : one.behind) behind.push_back(place.line);
    }
    return out;
  }
  static std::map<int, std::vector<int>> told(const std::string& text) { return told(check(parse(text), prover())); }
  using Told = std::map<int, std::vector<int>>;
};

const char* const kHead = "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n";

TEST_F(CheckErrors, OfAllPhases) {
  const CheckReport report = check(parse(kHead + std::string("    for i in range(9):\n"
                                                             "        A[i] = 1\n"
                                                             "    C = T.alloc_buffer((8,), \"int32\")\n"
                                                             "    B[0] = C[3]\n"
                                                             "    for i in T.parallel(8):\n"
                                                             "        B[0] = i\n")),
                                   prover());
  EXPECT_EQ(report.finding, Finding::Refuted);
  EXPECT_EQ(told(report), (Told{{3, {}}, {5, {3}}, {7, {3, 5}}})) << describe(report);
  EXPECT_EQ(report.reason, "");
}

TEST_F(CheckErrors, AnInputThatMeetsItFirstIsPreferred) {
  // The branch is taken on some inputs only.
  EXPECT_EQ(told(kHead + std::string("    if A[0] > 3:\n        B[8] = 1\n    if A[1] > 3:\n        B[9] = 1\n")),
            (Told{{3, {}}, {5, {}}}));
}

TEST_F(CheckErrors, WhatFollowsFromAnErrorIsNotTold) {
  // The division is of what line 3 would have stored; nothing shows that it can be zero.
  const CheckReport report = check(parse(kHead + std::string("    C = T.alloc_buffer((8,), \"int32\")\n"
                                                             "    C[0] = C[1]\n"
                                                             "    B[0] = 5 // C[0]\n")),
                                   prover());
  EXPECT_EQ(told(report), (Told{{3, {}}})) << describe(report);
  // It is said that it is open, and why.
  EXPECT_NE(report.reason.find("1 obligation stayed open:\ncheck-division"), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("comes first in the runs that were tried"), std::string::npos) << report.reason;
}

TEST_F(CheckErrors, NothingIsProvedByWhatIsRefuted) {
  const std::string tail =
      "    C = T.alloc_buffer((8,), \"int32\")\n    C[0] = 1\n    B[0] = C[0]\n    for i in T.parallel(8):\n        "
      "B[i] = i\n";
  auto later = [](const CheckReport& report) {
    return std::count_if(report.obligations.begin(), report.obligations.end(), [](const CheckedObligation& o) {
      return o.obligation.rule == "check-race" || o.obligation.rule == "check-initialised";
    });
  };
  EXPECT_GT(later(check(parse(kHead + tail), prover())), 0);
  EXPECT_EQ(later(check(parse(kHead + ("    A[8] = 1\n" + tail)), prover())), 0);
}

TEST_F(CheckErrors, BehindAFalseAssume) {
  const CheckReport report = check(parse(kHead + std::string("    for i in range(8):\n"
                                                             "        T.assume(i > 9)\n"
                                                             "    A[8] = 1\n"
                                                             "    for i in range(8):\n"
                                                             "        T.assume(i > 10)\n"
                                                             "    A[9] = 1\n")),
                                   prover());
  EXPECT_EQ(told(report), (Told{{3, {}}, {4, {3}}, {6, {3, 4}}, {7, {3, 4, 6}}})) << describe(report);
}

// That `n & m` is at most `n` no solver shows here; what a run meets is that the index is outside.
TEST_F(CheckErrors, AnErrorAnswersTheQuestionThatAsksAboutItsKind) {
  const CheckReport report =
      check(parse("def f(n: T.int64, m: T.int64, A: T.Buffer((1,), \"int64\")):\n"
                  "    if n >= T.int64(0) and m >= T.int64(0) and n // T.int64(2) <= T.int64(500) and m // T.int64(2) "
                  "<= T.int64(500):\n"
                  "        if n * m >= T.int64(0):\n"
                  "            A[n] = T.int64(1000) // T.if_then_else((n & m) > n, T.int64(0), T.int64(1))\n"),
            prover());
  EXPECT_EQ(told(report), (Told{{4, {}}})) << describe(report);
  ASSERT_TRUE(report.met);
  EXPECT_EQ(report.met->error.kind, ErrorKind::OutOfBounds);
  for (const CheckedObligation& o : report.obligations) {
    if (o.obligation.where.span.line != 4) continue;
    const bool is_bounds = o.obligation.rule == "check-bounds";
    EXPECT_EQ(o.answer.verdict == Verdict::Refuted, is_bounds) << describe(report);
  }
}

// One statement may be in error in two ways.
TEST_F(CheckErrors, OfTwoKindsAtOneStatement) {
  const CheckReport report =
      check(parse(kHead + std::string("    for i in range(8):\n        B[A[i]] = 5 // A[i]\n")), prover());
  ASSERT_TRUE(report.met);
  std::set<ErrorKind> kinds = {report.met->error.kind};
  for (const ErrorMet& other : report.met->others) kinds.insert(other.error.kind);
  EXPECT_EQ(kinds, (std::set<ErrorKind>{ErrorKind::OutOfBounds, ErrorKind::Operation})) << describe(report);
}

TEST_F(CheckErrors, AsManyAsThereAre) {
  std::string text = kHead;
  for (int i = 8; i < 28; ++i) text += "    A[" + std::to_string(i) + "] = 1\n";
  EXPECT_EQ(told(text).size(), 20u);
  for (int i = 28; i < 48; ++i) text += "    A[" + std::to_string(i) + "] = 1\n";
  const CheckReport report = check(parse(text), prover());
  EXPECT_EQ(told(report).size(), 32u);
  EXPECT_NE(report.reason.find("8 obligations stayed open"), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("more errors of one function are not looked for"), std::string::npos) << report.reason;
}

}  // namespace check_errors_test
}  // namespace hexproof
