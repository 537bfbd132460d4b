#include "fuzz/hunt/hunt_needs.h"

#ifdef HEXPROOF_MUTANTS

#include <algorithm>

#include "fuzz/campaign.h"
#include "fuzz/hunt/quick_look.h"
#include "fuzz/steps/disturb.h"
#include "fuzz/steps/mutate.h"
#include "fuzz/steps/steps.h"
#include "ir/base/mutant.h"
#include "ir/interpreter/random_values.h"
#include "rewrite/kernel/mutant_needs.h"
#include "verify/check/claims.h"
#include "verify/prove/effort.h"

namespace hexproof {

namespace {

constexpr uint64_t kRound = 200;            // cases, before it is seen again which rules are left
constexpr int kInputsOfStep = 4;            // that a step is tried on, before anything is proved of it
constexpr int kNearMisses = 24;             // of a program or a step on which the rule found its shape
constexpr int kAttempts = 4;                // of others
constexpr uint64_t kUnitsOfStep = 120'000;  // resource units of its proofs
constexpr uint64_t kSeldom = 40;            // a need refused so often in vain is looked at ever more seldom
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
      if (round % 4 != 0) campaign.cells = cells();
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
    std::optional<MutantSource> mutants;  // of the program as it stands
    while (std::optional<StepRequest> step = next(derivation.current())) {
      if (over()) return;
      if (step->rule == "pass" || step->rule == "primitive") continue;  // they try rules, and leave out what is refused
      const bool granted = !func.granted_flags().empty();
      if (wanted(step->rule) && !granted) {
        const bool fits = look_at(derivation.current(), *step, seed);
        if (!mutants) mutants = mutant_source(derivation.current());
        for (int k = fits ? kNearMisses : kAttempts; k > 0 && wanted(step->rule) && !over(); --k) {
          near_miss(derivation.current(), *mutants, *step);
        }
      }
      // A few, for programs that only come out of derivations, and for needs that no run shows.
      if (!granted && next_random(seed_) % 4 != 0) continue;
      try {
        Allowance units(kUnitsOfStep);
        DepthScope depth(next_random(seed_) % 4 == 0 ? Depth::Full : Depth::Cheap);
        derivation.apply(step->rule, to_args(step->args), prover_);
        mutants.reset();
      } catch (const Refused& refused) {
        const std::string name = fault_of(step->rule, refused.obligation);
        if (left_.count(name)) without(name, derivation.current(), *step, seed);
      } catch (const NotApplicable&) {
      }
    }
  }

  /// The program or the step is changed in one token.
  void near_miss(const PrimFunc& program, const MutantSource& mutants, const StepRequest& step) {
    const uint64_t number = next_random(seed_);
    if (next_random(seed_) % 3 == 0) {
      if (std::optional<StepRequest> other = disturbed(step, number)) look_at(program, *other, next_seed());
    } else if (std::optional<Mutant> mutant = mutants(number)) {
      look_at(mutant->program, step, next_seed());
    }
  }
  uint64_t next_seed() { return next_random(seed_) % (1u << 31); }

  /// What the rule makes is run before anything is proved: where the results differ, some need must fail. Is it of the
  /// rule's shape, and does it owe a need that is left?
  bool look_at(const PrimFunc& program, const StepRequest& step, uint64_t seed) {
    const std::optional<Rewrite> rewrite = unproved(program, step);
    if (!rewrite) return false;
    bool owes = false;
    for (const Obligation& need : rewrite->needs) {
      const std::string name = fault_of(step.rule, need);
      if (left_.count(name)) owes = true, ++tried_[name].owed;
    }
    if (!owes) return false;
    const QuickLook look = look_quickly(program, *rewrite, seed, kInputsOfStep);
    if (!look.seed) return look.ran;
    Derivation derivation(program);
    try {
      Allowance units(kUnitsOfStep);
      DepthScope depth(Depth::Cheap);
      derivation.apply(step.rule, to_args(step.args), prover_);
      without_a_fault(program, step, *look.seed);
    } catch (const Refused& refused) {
      const std::string name = fault_of(step.rule, refused.obligation);
      if (left_.count(name)) without(name, program, step, *look.seed);
    } catch (const NotApplicable&) {
    } catch (const std::exception&) {
      without_a_fault(program, step, *look.seed);
    }
    return true;
  }

  /// All needs were proved, and what was made looks wrong.
  void without_a_fault(const PrimFunc& program, const StepRequest& step, uint64_t seed) {
    const Trial trial = only(program, step, seed, {.inside = 0, .units = 4 * kUnitsOfStep});
    if (trial.outcome == Outcome::Unsound) {
      found_[kNoFault] = {true, spent(), cases_, trial.finding + "\n" + to_text(trial.fuzz_case)};
    }
  }

  Trial only(const PrimFunc& program, const StepRequest& step, uint64_t seed, const OracleOptions& oracle) {
    bool given = false;
    auto once = [&](const PrimFunc&) {
      return std::exchange(given, true) ? std::nullopt : std::optional<StepRequest>(step);
    };
    try {
      return try_in_interpreter(program, seed, once, prover_, oracle);
    } catch (const std::exception& e) {  // not even the arguments of what was made can be told
      return {.fuzz_case = {program, {step}, seed}, .outcome = Outcome::Unsound, .finding = e.what()};
    }
  }

  void without(const std::string& name, const PrimFunc& program, const StepRequest& step, uint64_t seed) {
    Tried& tried = tried_[name];
    if (++tried.refused > kSeldom && next_random(seed_) % (tried.refused / kSeldom) != 0) return;
    switch_on_mutant(name);
    // What blocks claim changes no result: only who looks inside sees it.
    const Trial trial = only(program, step, seed, {.inside = name == kClaims ? 1u : 0u, .units = 4 * kUnitsOfStep});
    switch_off_mutant();
    tried.alone += !trial.accepted.empty();
    if (std::getenv("HP_DEBUG") && trial.accepted.empty() && trial.outcome != Outcome::Erroneous) {
      switch_on_mutant(name);
      Derivation d(program);
      try {
        d.apply(step.rule, to_args(step.args), prover_);
      } catch (const Refused& r) {
        fprintf(stderr, "WITH %s ALSO %s\n", name.c_str(), fault_of(step.rule, r.obligation).c_str());
      } catch (const std::exception& e) {
        fprintf(stderr, "WITH %s %s\n", name.c_str(), e.what());
      }
      switch_off_mutant();
    }
    if (trial.outcome != Outcome::Unsound) return;
    found_[name] = {true, spent(), cases_, trial.finding + "\n" + to_text(trial.fuzz_case)};
    left_.erase(name);
  }

  HuntOptions options_;
  std::set<std::string> left_;
  std::map<std::string, Hunted> found_;
  struct Tried {
    uint64_t owed = 0, refused = 0, alone = 0;
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
