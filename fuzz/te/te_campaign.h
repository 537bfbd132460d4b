// Tensor expressions in campaigns: a random pipeline with a random schedule is lowered, and everything that is said of
// it is held against what knows better.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/oracle.h"

namespace hexproof {

/// The name of a step that lowers a whole schedule: "te" {"choices": "12,7,..."}, of which the case is made.
inline const std::string kTensorStep = "te";
StepRequest tensor_step(const std::vector<uint32_t>& choices);
/// Lowers on a derivation whose source is the naive program of the case. Refused, NotApplicable: nothing was done. What
/// was made before a refusal stays.
void apply_tensor_step(Derivation& derivation, const StepRequest& step, Prover& prover);

/// What the cases of a campaign came to.
struct TensorTally {
  uint64_t cases = 0, lowered = 0, compared = 0, attached = 0, bounds = 0, open_bounds = 0;
  uint64_t sides = 0;               // of boxes of stages that are computed at loops,
  uint64_t larger = 0;              // of these larger than what is asked for,
  uint64_t without_witness = 0;     // and not shown to be the smallest;
  uint64_t not_enumerated = 0;      // and of boxes that were not compared
  uint64_t buffers = 0, roomy = 0;  // of stages at loops in lowered programs; that hold more cells than their box
  void add(const TensorTally& other);
  /// "2000 schedules ...: 12 of 4000 sides of boxes are not the smallest (0.3 %)"
  std::string text() const;
};

/// Of a trial whose step is "te": every bound is proved, no box is smaller than what an enumeration asks for, and
/// `equiv` and `check` do not call the derived program wrong. Else the trial becomes Unsound.
TensorTally judge_tensor(Trial& trial, Prover& prover);

}  // namespace hexproof
