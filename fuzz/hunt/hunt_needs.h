// Planted faults of the family rule/: needs of rules that are not asked for.
#pragma once
#include <map>
#include <set>
#include <string>

#include "fuzz/hunt/hunt.h"

namespace hexproof {

/// The key of what went wrong with no fault switched on: a step that is unsound.
inline constexpr const char* kNoFault = "";

/// A campaign with such a fault and one without it are the same up to the first step that is refused for this need
/// alone. So one campaign looks for all of them. What a rule makes is run in the interpreter before anything is proved;
/// where it goes wrong some need must fail, and the step is tried again without the one that it is refused for. Where a
/// rule finds its shape, near misses of the program (fuzz/steps/mutate.h) and of the step (fuzz/steps/disturb.h) are
/// looked at, too. Ends when all of `names` are found, or the time is over. One thread; in the build of the preset
/// `mutants` only, where it finds anything.
std::map<std::string, Hunted> hunt_needs(const HuntOptions& options, std::set<std::string> names);

}  // namespace hexproof
