// Obligations that hold because no execution gets to their place.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "verify/prove/obligation.h"

namespace hexproof {

/// A contradiction implies everything, so whoever rests on one says that there is one: for each set of what is given in
/// `obligations` that contradicts itself, as far as the first stage of the prover sees, the obligation `given ->
/// false`, "no execution gets here".
std::vector<Obligation> unreachable_places(std::span<const Obligation> obligations);

/// Which of them are vacuous: their given stands, with the goal false, among those that are proved.
std::vector<bool> vacuous(std::span<const std::pair<Obligation, Answer>> answered);

}  // namespace hexproof
