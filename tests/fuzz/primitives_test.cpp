// Campaigns make every schedule primitive, and what goes through changes no result.
#include <gtest/gtest.h>

#include "fuzz/campaign.h"
#include "fuzz/steps/primitive_steps.h"

namespace hexproof {
namespace primitives_test {

CampaignReport campaign_of(const std::vector<std::string>& wanted, uint64_t runs, uint64_t seed) {
  return run_campaign({.runs = runs,
                       .seed = seed,
                       .jobs = 2,
                       .padded = 0,
                       .constructs = 0,
                       .granted = 0,
                       .schedules = 100,
                       .primitives = wanted},
                      {});
}

class EachPrimitive : public testing::TestWithParam<std::string> {};

TEST_P(EachPrimitive, GoesThroughAndIsSound) {
  uint64_t fired = 0;
  for (uint64_t seed = 1; seed <= 12 && fired == 0; ++seed) {
    const CampaignReport report = campaign_of({GetParam()}, 24, seed);
    EXPECT_EQ(report.unsound, 0u) << (report.findings.empty() ? "" : report.findings[0]);
    const auto counted = report.primitives.find(GetParam());
    ASSERT_NE(counted, report.primitives.end());
    fired += counted->second.fired;
  }
  EXPECT_GT(fired, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, EachPrimitive, testing::ValuesIn(campaign_primitives()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace primitives_test
}  // namespace hexproof
