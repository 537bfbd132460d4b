// Seeds as questions: what `check`, `equiv` and the kernel say of them is known, or runs tell.
#pragma once
#include <cstdint>
#include <string>

#include "verify/prove/prover.h"

namespace hexproof {

/// How many seeds there are (fuzz/seeds/seeds.h).
size_t seed_count();
/// Question `number` about seeds: the first ones about each as it stands, those after them about
/// others that differ in a token or two. What was answered wrongly, with the programs; empty: nothing.
std::string probe_seed(uint64_t number, Prover& prover);

}  // namespace hexproof
