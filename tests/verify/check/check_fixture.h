// check, in both directions for every kind of error: a sound program is proved, its broken sibling is refuted with the
// error that the interpreter met.
#pragma once
#include "tests/verify/programs.h"

namespace hexproof {

struct CheckTest : testing::Test {
  static Prover& prover() {
    static Prover p;
    return p;
  }
  static void proved(const std::string& text) {
    CheckReport report = check(parse(text), prover());
    EXPECT_EQ(report.finding, Finding::Proved) << describe(report) << text;
    for (const CheckedObligation& o : report.obligations) EXPECT_EQ(o.answer.verdict, Verdict::Proved);
  }
  static void refuted(const std::string& text, const std::string& message) {
    CheckReport report = check(parse(text), prover());
    EXPECT_EQ(report.finding, Finding::Refuted) << describe(report) << text;
    EXPECT_NE(report.counterexample.find(message), std::string::npos) << describe(report);
  }
  static void finds(Finding finding, const std::string& text, const std::string& reason) {
    CheckReport report = check(parse(text), prover());
    EXPECT_EQ(report.finding, finding) << describe(report) << text;
    EXPECT_NE(report.reason.find(reason), std::string::npos) << describe(report);
  }
};

}  // namespace hexproof
