// What assumes say to equiv: which float a cell holds, and ranges of scalars at all sizes.
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"

namespace hexproof {
namespace equiv_assumes_test {

std::string sum(const std::string& flags, const std::string& assumed, const std::string& start) {
  std::string out = "def f(A: T.Buffer((16,), 'float32'), B: T.Buffer((1,), 'float32')):\n";
  if (!flags.empty()) out += "    T.func_attr({'hexproof.fp': '" + flags + "'})\n";
  out += "    T.assume(B[0] == T.float32(" + assumed + "))\n";
  if (!start.empty()) out += "    B[0] = T.float32(" + start + ")\n";
  return out + "    for i in range(16):\n        B[0] = B[0] + A[i]\n";
}

// A float that equals a number is that number, but for the sign of a zero.
TEST(EquivAssumes, ACellThatIsANumber) {
  EXPECT_PROVED(sum("", "1.0", "1.0"), sum("", "1.0", ""));
  EXPECT_PROVED(sum("nsz", "0.0", "0.0"), sum("nsz", "0.0", ""));
  EXPECT_PROVED(sum("nsz", "0.0", "-0.0"), sum("nsz", "0.0", ""));
  EXPECT_REFUTED(sum("", "0.0", "0.0"), sum("", "0.0", ""));
  EXPECT_REFUTED(sum("", "1.0", "2.0"), sum("", "1.0", ""));
  EXPECT_REFUTED(sum("nsz", "0.0", "2.0"), sum("nsz", "0.0", ""));
  // What only `after` assumes is not known.
  std::string unknown = sum("nsz", "0.0", "0.0");
  unknown =
      unknown.replace(unknown.find("    T.assume"), unknown.find("    B[0] = T.") - unknown.find("    T.assume"), "");
  EXPECT_REFUTED(unknown, sum("nsz", "0.0", ""));
}

std::string scalar(const std::string& first, const std::string& value) {
  return "def f(A: T.Buffer((16,), 'int32'), n: T.int32):\n" + first +
         "    for i in range(16):\n        A[i] = " + value + "\n";
}
Finding parametric(const std::string& before, const std::string& after) {
  Prover prover;
  return equiv_parametric(pair_programs(parse(before), parse(after)), prover).finding;
}

TEST(EquivAssumes, RangesOfScalars) {
  const std::string assume = "    T.assume(n >= 0 and n < 8)\n";
  EXPECT_EQ(parametric(scalar(assume, "n // 8"), scalar(assume, "0")), Finding::Proved);
  EXPECT_EQ(parametric(scalar(assume, "n // 8"), scalar("", "0")), Finding::Proved);
  EXPECT_NE(parametric(scalar(assume, "n // 7"), scalar(assume, "0")), Finding::Proved);
  // Not where it may not run, nor where only `after` says it.
  EXPECT_NE(parametric(scalar("    if n < 100:\n        T.assume(n >= 0 and n < 8)\n", "n // 8"), scalar("", "0")),
            Finding::Proved);
  EXPECT_NE(parametric(scalar("", "n // 8"), scalar(assume, "0")), Finding::Proved);
}

}  // namespace equiv_assumes_test
}  // namespace hexproof
