#include "fuzz/hunt/hunt.h"

#include <ctime>

#include "fuzz/campaign.h"
#include "fuzz/hunt/hunt_seeds.h"
#include "fuzz/hunt/probes.h"
#include "fuzz/programs/formulas.h"
#include "fuzz/steps/probe_rule.h"
#include "ir/interpreter/inputs/random_values.h"

namespace hexproof {

namespace {

// In a round:
constexpr uint64_t kPairs = 64;
constexpr uint64_t kGrantedPairs = 128;  // of programs under granted flags, which are small
constexpr uint64_t kRuleProbes = 60;
constexpr uint64_t kProverProbes = 200;
constexpr uint64_t kCheckProbes = 200;
constexpr uint64_t kPairProbes = 60;
constexpr uint64_t kModuleProbes = 150;
constexpr uint64_t kDescriptions = 200;
constexpr uint64_t kHoistings = 50;
constexpr uint64_t kAtHome = 150;
constexpr uint64_t kGranted = 100;
constexpr uint64_t kSeedProbes = 120;
constexpr uint64_t kTempted = 24;      // cases whose steps are tempting
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
  uint64_t random = options.seed * 0x9e3779b97f4a7c15ull, seeds = 0;
  // What is known is asked before anything is tried.
  Prover first({.cache_path = "", .rlimit = kRlimit, .jobs = 1});
  for (; options.seeds && seeds < seed_count() && left() > 0; ++seeds, ++out.cases) {
    std::string wrong = probe_seed(seeds, first);
    if (!wrong.empty()) return found(std::move(wrong));
  }
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
    for (uint64_t k = 0; k < kCheckProbes && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_check(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kPairProbes && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_pairs(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kModuleProbes && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_module(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kDescriptions && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_description(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kHoistings && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_hoisted(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kAtHome && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_at_home(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kGranted && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_granted(next_random(random), prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; options.seeds && k < kSeedProbes && left() > 0; ++k, ++seeds, ++out.cases) {
      std::string wrong = probe_seed(seeds, prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kTempted && left() > 0; ++k, ++out.cases) {
      std::string wrong = probe_steps({.seed = options.seed, .seeds = options.seeds ? CampaignOptions().seeds : 0},
                                      round * kTempted + k, prover, [&] { return left() <= 0; });
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
      if (!options.seeds) campaign.seeds = 0;
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
