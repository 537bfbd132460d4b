#include "fuzz/hunt/hunt_needs.h"

#ifdef HEXPROOF_MUTANTS

#include <algorithm>

#include "fuzz/campaign.h"
#include "fuzz/steps/steps.h"
#include "fuzz/verdicts.h"
#include "ir/base/mutant.h"
#include "ir/interpreter/random_values.h"
#include "rewrite/kernel/mutant_needs.h"
#include "verify/check/claims.h"
#include "verify/prove/effort.h"

namespace hexproof {

namespace {

constexpr uint64_t kRound = 200;            // cases, before it is seen again which rules are left
constexpr int kInputsOfStep = 8;            // that a step without its need is tried on
constexpr uint64_t kUnitsOfStep = 120'000;  // resource units of its proofs
constexpr const char* kClaims = "kernel/block-claims";

std::string fault_of(const std::string& rule, const Obligation& need) {
  return need.rule == kBlockClaims ? kClaims : mutant_without(rule, need);
}

class NeedHunt {
 public:
  NeedHunt(const HuntOptions& options, std::set<std::string> names) : options_(options), left_(std::move(names)) {}

  std::map<std::string, Hunted> run() {
    for (uint64_t round = 0; !over(); ++round) {
      CampaignOptions campaign{.seed = options_.seed + round};
      if (round % 2 == 1) campaign.cells = cells();
      for (uint64_t k = 0; k < kRound && !over(); ++k, ++cases_) {
        with_campaign_case(campaign, k,
                           [&](const PrimFunc& func, uint64_t seed, const StepSource& next) { one(func, seed, next); });
      }
    }
    for (const std::string& name : left_) {
      const Tried& tried = tried_[name];
      found_[name] = {false, spent(), cases_,
                      "refused for it " + std::to_string(tried.refused) + " times, for nothing else " +
                          std::to_string(tried.alone) + " times"};
    }
    return std::move(found_);
  }

 private:
  double spent() const { return processor_seconds() - start_; }
  bool over() const { return left_.empty() || spent() >= options_.seconds; }

  /// A need of the rule is left.
  bool wanted(const std::string& rule) const {
    const std::string start = "rule/" + rule + "/";
    auto first = left_.lower_bound(start);
    return first != left_.end() && first->starts_with(start);
  }

  /// Each rule that is left, with each construct around which it can find its shape.
  std::vector<Coverage::Place> cells() const {
    std::vector<Coverage::Place> out;
    const std::vector<std::string>& names = step_names();
    for (size_t column = 0; column < names.size(); ++column) {
      if (!wanted(names[column])) continue;
      for (size_t row = 0; row < Coverage::rows().size(); ++row) {
        if (!unreachable(Coverage::rows()[row], names[column]).empty()) continue;
        out.emplace_back(static_cast<int>(row), static_cast<int>(column));
      }
    }
    // Rounds are shorter than the list: each starts elsewhere.
    if (!out.empty()) {
      std::rotate(out.begin(), out.begin() + static_cast<long>(cases_ * 7919 % out.size()), out.end());
    }
    return out;
  }

  void one(const PrimFunc& func, uint64_t seed, const StepSource& next) {
    Derivation derivation(func);
    while (std::optional<StepRequest> step = next(derivation.current())) {
      if (over()) return;
      if (step->rule == "pass" || step->rule == "primitive") continue;  // they try rules, and leave out what is refused
      // Of other rules a few, for programs that only come out of derivations.
      if (!wanted(step->rule) && next_random(seed_) % 4 != 0) continue;
      try {
        Allowance units(kUnitsOfStep);
        DepthScope depth(next_random(seed_) % 4 == 0 ? Depth::Full : Depth::Cheap);
        derivation.apply(step->rule, to_args(step->args), prover_);
      } catch (const Refused& refused) {
        std::string name = fault_of(step->rule, refused.obligation);
        if (left_.count(name)) ++tried_[name].refused, without(name, derivation.current(), *step, seed);
      } catch (const NotApplicable&) {
      }
    }
  }

  void without(const std::string& name, const PrimFunc& program, const StepRequest& step, uint64_t seed) {
    switch_on_mutant(name);
    for (int k = 0; k < kInputsOfStep; ++k) {
      bool given = false;
      auto once = [&](const PrimFunc&) {
        return std::exchange(given, true) ? std::nullopt : std::optional<StepRequest>(step);
      };
      // What blocks claim changes no result: only who looks inside sees it.
      Trial trial = try_in_interpreter(program, seed, once, prover_, {.inside = name == kClaims ? 1u : 0u});
      if (trial.outcome == Outcome::Unsound) {
        found_[name] = {true, spent(), cases_, trial.finding + "\n" + to_text(trial.fuzz_case)};
        left_.erase(name);
        break;
      }
      if (trial.accepted.empty() || trial.outcome == Outcome::Erroneous) break;
      tried_[name].alone += k == 0;
      seed = next_random(seed) % (1u << 31);
    }
    switch_off_mutant();
  }

  HuntOptions options_;
  std::set<std::string> left_;
  std::map<std::string, Hunted> found_;
  struct Tried {
    uint64_t refused = 0, alone = 0;
  };
  std::map<std::string, Tried> tried_;  // steps
  Prover prover_{ProverOptions{.cache_path = "", .rlimit = 20'000, .jobs = 1}};
  double start_ = processor_seconds();
  uint64_t cases_ = 0, seed_ = options_.seed;
};

}  // namespace

std::map<std::string, Hunted> hunt_needs(const HuntOptions& options, std::set<std::string> names) {
  return NeedHunt(options, std::move(names)).run();
}

}  // namespace hexproof

#else

namespace hexproof {

std::map<std::string, Hunted> hunt_needs(const HuntOptions&, std::set<std::string>) { return {}; }

}  // namespace hexproof

#endif
