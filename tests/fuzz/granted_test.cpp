// Programs under granted flags: what they may compute, and that nothing which is proved computes more.
#include "fuzz/granted/granted.h"

#include <gtest/gtest.h>

#include "fuzz/campaign.h"
#include "fuzz/granted/outcomes.h"
#include "ir/interpreter/scalar_ops.h"
#include "ir/text/text.h"

namespace hexproof {
namespace granted_test {

PrimFunc program(const std::string& flags, const std::string& body) {
  const std::string head = "def f(A: T.Buffer((4,), \"float32\"), B: T.Buffer((2,), \"float32\")):\n";
  PrimFunc func = parse_module(head + body).functions.at(0);
  if (!flags.empty()) func.attrs[kFastMathAttribute] = flags;
  return func;
}

size_t outcomes_of(const std::string& flags, const std::string& body,
                   std::vector<float> a = {1 + 3 * 0x1p-23f, 1 + 3 * 0x1p-23f, -1, 1e-8f}) {
  std::vector<Tensor> inputs{make_tensor(kFloat32, {4}), make_tensor(kFloat32, {2})};
  for (size_t i = 0; i < 4; ++i) store_scalar(float_scalar(kFloat32, a[i]), &inputs[0].data[4 * i]);
  std::optional<Outcomes> all = outcomes(program(flags, body), inputs, 1000);
  if (!all || !all->complete || all->erroneous) return 0;
  return all->all.size();
}

TEST(Outcomes, OneWithoutFlags) {
  EXPECT_EQ(outcomes_of("", "    B[0] = A[0] * A[1] + A[2] * A[0] + A[3]\n"), 1u);
  EXPECT_EQ(outcomes_of("contract", "    B[0] = A[0] * A[1]\n"), 1u);
}

TEST(Outcomes, AProductKeepsItsRoundingOrNot) {
  EXPECT_EQ(outcomes_of("contract", "    B[0] = A[0] * A[1] + A[2]\n"), 2u);
  EXPECT_EQ(outcomes_of("contract", "    x: T.float32 = A[0] * A[1]\n    B[0] = x + A[2]\n    B[1] = x + A[2]\n"), 4u);
  EXPECT_EQ(outcomes_of("contract", "    x: T.float32 = A[0] * A[1] + A[2]\n    B[0] = x\n    B[1] = x\n"), 2u);
  EXPECT_EQ(outcomes_of("contract", "    B[0] = A[0] * A[1]\n    B[1] = B[0] + A[2]\n"), 2u);
  EXPECT_EQ(outcomes_of("contract", "    B[0] = T.max(A[0] * A[1], A[2] * A[2]) * T.float32(1) + A[2]\n"), 2u);
}

TEST(Outcomes, SumsAreRegrouped) {
  EXPECT_EQ(outcomes_of("reassoc", "    B[0] = A[0] + A[3] + A[3]\n", {1.0f, 0, 0, 5e-8f}), 2u);
  EXPECT_EQ(outcomes_of("reassoc", "    B[0] = A[0] + A[3]\n    B[1] = B[0] + A[3]\n", {1.0f, 0, 0, 5e-8f}), 2u);
  EXPECT_EQ(outcomes_of("reassoc", "    B[0] = A[0] * A[1]\n"), 1u);
}

TEST(Outcomes, AQuotientByAZeroIsEitherInfinity) {
  EXPECT_EQ(outcomes_of("nsz", "    B[0] = T.float32(1) / A[0]\n", {0, 0, 0, 0}), 2u);
  EXPECT_EQ(outcomes_of("", "    B[0] = T.float32(1) / A[0]\n", {0, 0, 0, 0}), 1u);
}

TEST(Granted, NothingThatIsProvedComputesMore) {
  CampaignReport report =
      run_campaign({.runs = 300, .seed = 5, .jobs = 2, .padded = 0, .constructs = 0, .granted = 100}, {});
  EXPECT_EQ(report.unsound, 0u) << (report.findings.empty() ? "" : report.findings[0]);
  EXPECT_GT(report.sound, report.runs / 4);
}

}  // namespace granted_test
}  // namespace hexproof
