// Planted faults of the family rule/: needs of rules that are not asked for.
#pragma once
#include <map>
#include <set>
#include <string>

#include "fuzz/hunt/hunt.h"

namespace hexproof {

/// A campaign with such a fault and one without it are the same up to the first step that is refused for this need
/// alone. So one campaign looks for all of them: a refused step is tried again without the need that it was refused
/// for, and the oracle judges what comes out. Ends when all of `names` are found, or the time is over. One thread; in
/// the build of the preset `mutants` only, where it finds anything.
std::map<std::string, Hunted> hunt_needs(const HuntOptions& options, std::set<std::string> names);

}  // namespace hexproof
