// A strategy: allocations move to their uses and become as small as these allow.
#pragma once
#include <string>

#include "rewrite/kernel.h"

namespace hexproof {

/// For every allocation: sink-alloc as far inwards as it is proved to be right, then compact-buffer. What does not apply or
/// is refused stays as it is. Returns how many steps were made.
int plan_allocations(Derivation& derivation, Prover& prover, const std::string& primitive = "", const Span& span = {});

}  // namespace hexproof
