// What a hunt tries again and again, each on a small program of its own: "" where nothing is wrong, else what is, with
// the program. The same seed gives the same one.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "fuzz/campaign.h"
#include "verify/prove/prover.h"

namespace hexproof {

/// What `check` says of some constructs, or of a mutant of them.
std::string probe_check(uint64_t seed, Prover& prover);

/// What `equiv` says of some constructs beside their mutants.
std::string probe_pairs(uint64_t seed, Prover& prover);

/// What `check` says of some constructs as a module of two functions.
std::string probe_module(uint64_t seed, Prover& prover);

/// What becomes of a nest that is replaced by a description of it, or of nearly it.
std::string probe_description(uint64_t seed, Prover& prover);

/// What becomes of some constructs of which parts are hoisted.
std::string probe_hoisted(uint64_t seed, Prover& prover);

/// What becomes of a program under granted flags.
std::string probe_granted(uint64_t seed, Prover& prover);

/// What becomes of some constructs in which a rule finds its shape.
std::string probe_at_home(uint64_t seed, Prover& prover);

/// What the first step of a case does that goes wrong and is accepted.
std::string probe_steps(const CampaignOptions& campaign, uint64_t number, Prover& prover,
                        const std::function<bool()>& over);

}  // namespace hexproof
