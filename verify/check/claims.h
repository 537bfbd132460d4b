// What the blocks of a statement claim, for rules that make blocks run more often.
#pragma once
#include <vector>

#include "verify/facts.h"

namespace hexproof {

/// What `check` would ask of the claims of blocks at `path`, below it and around it: bindings in their domains,
/// declared regions that cover the accesses, spatial instances that share no cell.
std::vector<Obligation> claims_hold(const PrimFunc& func, const Path& path);

}  // namespace hexproof
