// Proving all needs of one step: cheap stages of all first, and no more than it takes to know that one fails.
#pragma once
#include <optional>

#include "verify/prove/prover.h"

namespace hexproof {

struct StepAnswers {
  std::vector<Answer> answers;   // in the order of the needs; Unknown where none was sought
  std::optional<size_t> failed;  // the first need that is refuted, else the first that is not proved; none: all hold
};

/// A step needs all of its needs. So when the cheap stages refute one, or the dear ones do not prove one, the others
/// are not asked any further. The same answers on every run, with any number of threads.
StepAnswers prove_step(Prover& prover, std::span<const Obligation> needs);

inline bool all_hold(Prover& prover, std::span<const Obligation> needs) { return !prove_step(prover, needs).failed; }

}  // namespace hexproof
