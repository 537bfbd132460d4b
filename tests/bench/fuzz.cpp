// Program-schedule pairs per second and core.
#include <cstdio>

#include "fuzz/campaign.h"

int main() {
  hexproof::CampaignOptions options;
  options.runs = 4000;
  options.seed = 11;
  options.jobs = 1;
  hexproof::CampaignReport report = hexproof::run_campaign(options, {});
  double per_second = static_cast<double>(report.runs) / report.seconds;
  std::printf("%.0f pairs per second on one core, %.2f steps accepted per pair; ratio to the goal of 500: %.2f\n",
              per_second, static_cast<double>(report.accepted) / static_cast<double>(report.runs), per_second / 500);
}
