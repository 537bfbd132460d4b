#include "fuzz/hunt/hunt_needs.h"

#ifdef HEXPROOF_MUTANTS

#include <algorithm>

#include "fuzz/campaign.h"
#include "fuzz/hunt/tempter.h"
#include "fuzz/hunt/unproved_needs.h"
#include "fuzz/seeds/seeds.h"
#include "fuzz/steps/steps.h"
#include "ir/base/mutant.h"
#include "ir/interpreter/inputs/random_values.h"
#include "verify/prove/effort.h"

namespace hexproof {

namespace {

constexpr uint64_t kRound = 200;            // cases, before it is seen again which rules are left
constexpr uint64_t kSeedRound = 60;         // seeds between two rounds of cases
constexpr uint64_t kInputsOfSeed = 6;       // on which a seed is judged that is refused
constexpr uint64_t kUnitsOfStep = 120'000;  // resource units of its proofs
constexpr uint64_t kSeldom = 40;            // a need refused so often in vain is looked at ever more seldom
constexpr const char* kClaims = "kernel/block-claims";

class NeedHunt {
 public:
  NeedHunt(const HuntOptions& options, std::set<std::string> names) : options_(options), left_(std::move(names)) {}

  std::map<std::string, Hunted> run() {
    for (const StepSeed& seed : step_seeds()) {
      if (over()) break;
      if (left_.count(seed.refused)) as_it_stands(seed);
    }
    for (uint64_t round = 0; !over(); ++round) {
      for (uint64_t k = 0; k < kSeedRound && !over(); ++k, ++seeds_) from_seed(seeds_);
      CampaignOptions campaign{.seed = options_.seed + round};
      const std::vector<Coverage::Place> wanted_cells = cells();
      if (wanted_cells.empty()) patience_ *= 4;
      if (round % 4 != 0) campaign.cells = wanted_cells;
      for (uint64_t k = 0; k < kRound && !over(); ++k, ++cases_) {
        with_campaign_case(campaign, k,
                           [&](const PrimFunc& func, uint64_t seed, const StepSource& next) { one(func, seed, next); });
      }
    }
    for (const std::string& name : left_) {
      const Tried& tried = tried_[name];
      found_[name] = {false, spent(), cases_,
                      "owed " + std::to_string(tried.owed) + " times, refused for it " + std::to_string(tried.refused) +
                          " times, for nothing else " + std::to_string(tried.alone) + " times"};
    }
    return std::move(found_);
  }

 private:
  double spent() const { return processor_seconds() - start_; }
  bool over() const { return left_.empty() || spent() >= options_.seconds; }

  /// It was owed often and never refused: others have the time first.
  bool worn(const std::string& name) const {
    auto it = tried_.find(name);
    return it != tried_.end() && it->second.owed > patience_ * (1 + it->second.refused);
  }

  /// A need of the rule is left.
  bool wanted(const std::string& rule) const {
    const std::string start = "rule/" + rule + "/";
    for (auto it = left_.lower_bound(start); it != left_.end() && it->starts_with(start); ++it) {
      if (!worn(*it)) return true;
    }
    return false;
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

  /// A step that is refused for what is left.
  void as_it_stands(const StepSeed& seed) {
    ++cases_;
    const PrimFunc& program = seed.fuzz_case.program;
    Derivation derivation(program);
    uint64_t input_seed = seed.fuzz_case.input_seed;
    for (uint64_t k = 0; k < kInputsOfSeed && left_.count(seed.refused); ++k) {
      without(seed.refused, program, seed.step(), input_seed);
      input_seed = next_random(seed_) % (1u << 31);
    }
    apply(&derivation, seed.step(), seed.fuzz_case.input_seed);
  }

  /// Near misses of a seed whose rule is wanted, half of them behind a step of another rule.
  void from_seed(uint64_t number) {
    const std::vector<StepSeed>& all = step_seeds();
    if (all.empty()) return;
    const StepSeed& seed = all[number * 7919 % all.size()];
    const StepRequest& step = seed.step();
    if (!wanted(step.rule) || !seed.fuzz_case.program.granted_flags().empty()) return;
    ++cases_;
    Derivation derivation(seed.fuzz_case.program);
    const uint64_t input_seed = next_random(seed_) % (1u << 31);
    if (next_random(seed_) % 2 == 0) {
      std::vector<uint32_t> numbers(80);
      for (uint32_t& n : numbers) n = static_cast<uint32_t>(next_random(seed_));
      Choices choices(numbers);
      RandomSteps steps(choices);
      while (std::optional<StepRequest> before = steps(derivation.current())) {
        if (over() || apply(&derivation, *before, input_seed)) break;
      }
    }
    tempter_.tempt(derivation.current(), step, input_seed, [&] { return wanted(step.rule) && !over(); });
  }

  void one(const PrimFunc& func, uint64_t seed, const StepSource& next) {
    Derivation derivation(func);
    while (std::optional<StepRequest> step = next(derivation.current())) {
      if (over()) return;
      if (step->rule == "pass" || step->rule == "primitive") continue;  // they try rules, and leave out what is refused
      const bool granted = !func.granted_flags().empty();
      if (wanted(step->rule) && !granted) {
        tempter_.tempt(derivation.current(), *step, seed, [&] { return wanted(step->rule) && !over(); });
      }
      // A few, for programs that only come out of derivations, and for needs that no run shows.
      if (!granted && next_random(seed_) % 4 != 0) continue;
      DepthScope depth(next_random(seed_) % 4 == 0 ? Depth::Full : Depth::Cheap);
      apply(&derivation, *step, seed);
    }
  }

  /// False: it is refused, for whatever reason.
  bool apply(Derivation* derivation, const StepRequest& step, uint64_t input_seed) {
    Allowance units(kUnitsOfStep);
    try {
      derivation->apply(step.rule, to_args(step.args, &derivation->current()), prover_);
      return true;
    } catch (const Refused& refused) {
      const std::string name = fault_of(step.rule, refused.obligation);
      if (left_.count(name)) without(name, derivation->current(), step, input_seed);
    } catch (const NotApplicable&) {
    } catch (const std::exception&) {  // a rule says no in the two ways above
      judge(derivation->current(), step, input_seed);
    }
    return false;
  }

  /// With no fault switched on.
  void judge(const PrimFunc& program, const StepRequest& step, uint64_t input_seed) {
    const Trial trial = try_step(program, step, input_seed, prover_, 0);
    if (trial.outcome == Outcome::Unsound) found(kNoFault, trial);
  }

  /// Does it owe a need that is left?
  bool owes(const StepRequest& step, const Rewrite& rewrite) {
    bool out = false;
    for (const Obligation& need : rewrite.needs) {
      const std::string name = fault_of(step.rule, need);
      if (!left_.count(name)) continue;
      ++tried_[name].owed;
      out |= !worn(name);
    }
    return out;
  }

  /// Some need must fail.
  void goes_wrong(const PrimFunc& program, const StepRequest& step, uint64_t input_seed) {
    Derivation derivation(program);
    DepthScope depth(Depth::Cheap);
    if (apply(&derivation, step, input_seed)) judge(program, step, input_seed);
  }

  void without(const std::string& name, const PrimFunc& program, const StepRequest& step, uint64_t input_seed) {
    Tried& tried = tried_[name];
    if (++tried.refused > kSeldom && next_random(seed_) % (tried.refused / kSeldom) != 0) return;
    switch_on_mutant(name);
    // What blocks claim changes no result: only who looks inside sees it.
    const Trial trial = try_step(program, step, input_seed, prover_, name == kClaims ? 1 : 0);
    switch_off_mutant();
    tried.alone += !trial.accepted.empty();
    if (trial.outcome != Outcome::Unsound) return;
    found(name, trial);
    left_.erase(name);
  }

  void found(const std::string& name, const Trial& trial) {
    found_[name] = {true, spent(), cases_, trial.finding + "\n" + to_text(trial.fuzz_case)};
  }

  HuntOptions options_;
  std::set<std::string> left_;
  std::map<std::string, Hunted> found_;
  struct Tried {
    uint64_t owed = 0, refused = 0, alone = 0;
  };
  std::map<std::string, Tried> tried_;  // steps
  Prover prover_{ProverOptions{.cache_path = "", .rlimit = 20'000, .jobs = 1}};
  Tempter tempter_{options_.seed,
                   [this](const StepRequest& step, const Rewrite& rewrite) { return owes(step, rewrite); },
                   [this](const PrimFunc& program, const StepRequest& step, uint64_t input_seed) {
                     goes_wrong(program, step, input_seed);
                   }};
  double start_ = processor_seconds();
  uint64_t cases_ = 0, seeds_ = 0, seed_ = options_.seed;
  uint64_t patience_ = 1'000;  // how often a need is owed in vain
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
