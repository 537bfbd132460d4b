// Steps that would go wrong if they were accepted.
#pragma once
#include <functional>
#include <optional>

#include "fuzz/hunt/quick_look.h"
#include "fuzz/oracle.h"
#include "fuzz/steps/mutate.h"

namespace hexproof {

/// Tries steps on programs, and near misses of both: what a rule makes is run before anything is proved of it, so that
/// proofs are asked only where the kernel must refuse.
class Tempter {
 public:
  /// Is what a rule makes of interest?
  using Wanted = std::function<bool(const StepRequest& step, const Rewrite& rewrite)>;
  /// It goes wrong on the inputs of this seed.
  using Wrong = std::function<void(const PrimFunc& program, const StepRequest& step, uint64_t input_seed)>;
  Tempter(uint64_t seed, Wanted wanted, Wrong wrong)
      : random_(seed), wanted_(std::move(wanted)), wrong_(std::move(wrong)) {}

  /// The step on the program; then, each changed in one token, other programs (fuzz/steps/mutate.h,
  /// fuzz/steps/mutate_text.h) with the step, and the program with other steps (fuzz/steps/disturb.h), while `more`
  /// says so.
  void tempt(const PrimFunc& program, const StepRequest& step, uint64_t input_seed, const std::function<bool()>& more);

 private:
  void near_miss(const PrimFunc& program, const StepRequest& step);
  bool look_at(const PrimFunc& program, const StepRequest& step, uint64_t input_seed);

  uint64_t random_;
  Wanted wanted_;
  Wrong wrong_;
  PrimFunc tempted_;
  std::optional<MutantSource> mutants_;  // of tempted_
};

/// One step through the oracle, within bounds for its proofs.
Trial try_step(const PrimFunc& program, const StepRequest& step, uint64_t input_seed, Prover& prover, uint32_t inside);

}  // namespace hexproof
