// check: padding of an argument that nobody filled holds no value.
#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "verify/check/check.h"

namespace hexproof {
namespace check_padding_test {

CheckReport checked(const std::string& body, const std::string& attribute = "lambda io, ii: io * 4 + ii >= 14") {
  static Prover prover;
  std::string text = "def main(A: T.Buffer((4, 4), \"int32\"), B: T.Buffer((16,), \"int32\")):\n";
  if (!attribute.empty()) text += "    T.func_attr({\"hexproof.padding.0\": \"" + attribute + "\"})\n";
  return check(pick_function(parse_module(text + body), ""), prover);
}

constexpr const char* kInside = R"(
    for i in range(14):
        B[i] = A[i // 4, i % 4]
)";
constexpr const char* kAll = R"(
    for i in range(16):
        B[i] = A[i // 4, i % 4]
)";
constexpr const char* kFilled = R"(
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            A[io, ii] = 0
    for i in range(16):
        B[i] = A[i // 4, i % 4]
)";
constexpr const char* kFilledInPart = R"(
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 15:
            A[io, ii] = 0
    for i in range(16):
        B[i] = A[i // 4, i % 4]
)";
constexpr const char* kAllowed = R"(
    for io, ii in T.grid(4, 4):
        T.evaluate(T.assume(io * 4 + ii < 14 or A[io, ii] == T.undef()))
    for i in range(16):
        B[i] = A[i // 4, i % 4]
)";

TEST(CheckPadding, OnlyWhatIsFilledIsRead) {
  EXPECT_EQ(checked(kInside).finding, Finding::Proved);
  EXPECT_EQ(checked(kAll, "").finding, Finding::Proved);
  CheckReport all = checked(kAll);
  EXPECT_EQ(all.finding, Finding::Refuted) << all.reason;
  EXPECT_NE(all.counterexample.find("uninitialised"), std::string::npos) << all.counterexample;
}

TEST(CheckPadding, FilledByTheFunction) {
  CheckReport filled = checked(kFilled);
  EXPECT_EQ(filled.finding, Finding::Proved) << filled.reason;
  EXPECT_EQ(checked(kFilledInPart).finding, Finding::Refuted);
}

TEST(CheckPadding, PermissionToRead) {
  CheckReport allowed = checked(kAllowed);
  EXPECT_NE(allowed.finding, Finding::Refuted) << allowed.counterexample;
}

TEST(CheckPadding, ThroughAFlatView) {
  const std::string view = "    F = T.Buffer((16,), \"int32\", data=A.data)\n";
  EXPECT_EQ(checked(view + "    for i in range(14):\n        B[i] = F[i]\n").finding, Finding::Proved);
  EXPECT_EQ(checked(view + "    for i in range(15):\n        B[i] = F[i]\n").finding, Finding::Refuted);
}

// An attribute that cannot be read says that every cell may be open.
TEST(CheckPadding, AttributeThatDoesNotRead) {
  EXPECT_NE(checked(kInside, "lambda io: nonsense").finding, Finding::Proved);
}

}  // namespace check_padding_test
}  // namespace hexproof
