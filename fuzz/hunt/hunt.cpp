#include "fuzz/hunt/hunt.h"

#include <ctime>

#include "fuzz/campaign.h"
#include "fuzz/constructs/constructs.h"
#include "fuzz/hunt/hunt_seeds.h"
#include "fuzz/hunt/tempter.h"
#include "fuzz/programs/formulas.h"
#include "fuzz/steps/probe_rule.h"
#include "fuzz/verdicts.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"

namespace hexproof {

namespace {

// In a round:
constexpr uint64_t kPairs = 64;
constexpr uint64_t kGrantedPairs = 128;  // of programs under granted flags, which are small
constexpr uint64_t kRuleProbes = 60;
constexpr uint64_t kProverProbes = 60;
constexpr uint64_t kCheckProbes = 400;
constexpr uint64_t kSeedProbes = 120;
constexpr uint64_t kTempted = 24;      // cases whose steps are tempting
constexpr uint32_t kVerdicts = 2;      // every second pair is shown to check and equiv
constexpr uint32_t kInside = 4;        // every fourth one runs with everything static asserted
constexpr uint64_t kRlimit = 100'000;  // of one proof, as in campaigns

/// One or two constructs, or a mutant of them.
std::string probe_check(uint64_t seed, Prover& prover) {
  std::vector<uint32_t> numbers(100);
  for (uint32_t& n : numbers) n = static_cast<uint32_t>(next_random(seed));
  Choices choices(numbers);
  PrimFunc program = random_constructed_program(choices, {static_cast<int>(seed % all_constructs().size())}).func;
  if (seed / 2 % 2 == 0) {
    if (std::optional<Mutant> mutant = some_mutant(program, next_random(seed))) program = mutant->program;
  }
  const std::string wrong = wrong_check(program, seed % (1u << 31), prover);
  return wrong.empty() ? "" : wrong + "\n" + print(program);
}

/// What the first step of a case does that goes wrong and is accepted.
std::string probe_steps(const CampaignOptions& campaign, uint64_t number, Prover& prover,
                        const std::function<bool()>& over) {
  std::string finding;
  auto more = [&] { return finding.empty() && !over(); };
  Tempter tempter(
      campaign.seed + number, [&](const StepRequest&, const Rewrite&) { return more(); },
      [&](const PrimFunc& program, const StepRequest& step, uint64_t input_seed) {
        const Trial trial = try_step(program, step, input_seed, prover, 0);
        if (trial.outcome == Outcome::Unsound) finding = trial.finding + "\n" + to_text(trial.fuzz_case);
      });
  with_campaign_case(campaign, number, [&](const PrimFunc& func, uint64_t seed, const StepSource& next) {
    if (!func.granted_flags().empty()) return;
    while (std::optional<StepRequest> step = more() ? next(func) : std::nullopt) {
      if (step->rule != "pass" && step->rule != "primitive") tempter.tempt(func, *step, seed, more);
    }
  });
  return finding;
}

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
  for (; seeds < seed_count() && left() > 0; ++seeds, ++out.cases) {
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
    for (uint64_t k = 0; k < kSeedProbes && left() > 0; ++k, ++seeds, ++out.cases) {
      std::string wrong = probe_seed(seeds, prover);
      if (!wrong.empty()) return found(std::move(wrong));
    }
    for (uint64_t k = 0; k < kTempted && left() > 0; ++k, ++out.cases) {
      std::string wrong =
          probe_steps({.seed = options.seed}, round * kTempted + k, prover, [&] { return left() <= 0; });
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
