#include "fuzz/hunt/hunt.h"

#include <ctime>

#include "fuzz/campaign.h"
#include "fuzz/programs/formulas.h"
#include "fuzz/steps/probe_rule.h"
#include "ir/interpreter/random_values.h"

namespace hexproof {

namespace {

// In a round:
constexpr uint64_t kPairs = 128;
constexpr uint64_t kGrantedPairs = 512;  // of programs under granted flags, which are small
constexpr uint64_t kRuleProbes = 60;
constexpr uint64_t kProverProbes = 60;
constexpr uint32_t kVerdicts = 2;      // every second pair is shown to check and equiv
constexpr uint32_t kInside = 4;        // every fourth one runs with everything static asserted
constexpr uint64_t kRlimit = 100'000;  // of one proof, as in campaigns

}  // namespace

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Hunted hunt(const HuntOptions& options) {
  Hunted out;
  const double start = processor_seconds();
  auto spent = [&] { return processor_seconds() - start; };
  auto found = [&](std::string finding) {
    out.found = true;
    out.finding = std::move(finding);
    out.seconds = spent();
    return out;
  };
  auto left = [&] { return options.seconds - spent(); };
  uint64_t random = options.seed * 0x9e3779b97f4a7c15ull;
  for (uint64_t round = 0; left() > 0; ++round) {
    Prover prover({.cache_path = "", .rlimit = kRlimit, .jobs = 1});
    // The cheap ones first.
    for (uint64_t k = 0; k < kRuleProbes && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_expression_rule(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kProverProbes && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_prover(next_random(random), prover);
      if (wrong.empty()) wrong = probe_prover_with_needle(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    if (left() <= 0) break;
    for (const bool granted : {true, false}) {
      CampaignOptions campaign{.runs = granted ? kGrantedPairs : kPairs,
                               .seconds = left(),
                               .seed = options.seed + round,
                               .jobs = 1,
                               .verdicts = kVerdicts,
                               .inside = kInside,
                               .shrink = false,
                               .rlimit = kRlimit};
      if (granted) campaign.padded = campaign.constructs = 0, campaign.granted = 100;
      CampaignReport report;
      try {
        report = run_campaign(campaign, {});
      } catch (const std::exception& e) {
        return found(std::string("the campaign failed: ") + e.what());
      }
      out.cases += report.runs;
      if (report.unsound > 0) return found(report.findings.at(0));
      if (left() <= 0) break;
    }
  }
  out.seconds = spent();
  return out;
}

}  // namespace hexproof
