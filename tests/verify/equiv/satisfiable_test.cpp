// Of a proof under assumes it is said whether an input was found that satisfies them.
#include "verify/equiv/satisfiable.h"

#include <gtest/gtest.h>

#include "ir/text/text.h"

namespace hexproof {
namespace satisfiable_test {

CheckReport checked(const std::string& body) {
  Prover prover({.cache_path = "", .jobs = 1});
  const std::string head = "def f(A: T.Buffer((2000000,), \"int32\"), B: T.Buffer((2000000,), \"int32\")):\n";
  return check_program(parse_module(head + body).functions.at(0), prover);
}

const char* const kFill = "    for i in range(2000000):\n        B[i] = 1\n";

TEST(Satisfiable, ARunThatEndsTooEarlyIsNoInputThatPasses) {
  const CheckReport report =
      checked("    for i in range(2000000):\n        T.assume(A[i] >= 0)\n" + std::string(kFill) +
              "    for i in range(1999999):\n        T.assume(A[i] > A[i + 1])\n"
              "    for i in range(2000000):\n        T.assume(A[i] < 1000000)\n");
  EXPECT_EQ(report.finding, Finding::Proved);  // of each place; that no input gets there is beyond what is looked at
  EXPECT_NE(report.reason.find("no input was found"), std::string::npos) << report.reason;
}

TEST(Satisfiable, TheAssumesAloneAreRunToTheirEnd) {
  const CheckReport report = checked("    for i in range(2000000):\n        T.assume(A[i] > 3)\n" + std::string(kFill) +
                                     "    for i in range(2000000):\n        T.assume(A[1999999 - i] > 3)\n");
  EXPECT_EQ(report.finding, Finding::Proved);
  EXPECT_EQ(report.reason, "");
}

TEST(Satisfiable, NothingIsSaidWhereNothingIsAssumed) {
  const CheckReport report = checked(kFill);
  EXPECT_EQ(report.finding, Finding::Proved);
  EXPECT_EQ(report.reason, "");
}

}  // namespace satisfiable_test
}  // namespace hexproof
