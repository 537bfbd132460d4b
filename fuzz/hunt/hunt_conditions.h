// Planted faults of the family expr/: conditions of expression rules that count as true.
#pragma once
#include <map>
#include <set>
#include <string>

#include "fuzz/hunt/hunt.h"

namespace hexproof {

/// Such a fault shows only where its rule is applied. So one campaign goes round: each fault in its turn is switched on
/// for a few probes of its rule (fuzz/steps/probe_rule.h). Ends when all of `names` are found, or the time is over. One
/// thread; in the build of the preset `mutants` only, where it finds anything.
std::map<std::string, Hunted> hunt_conditions(const HuntOptions& options, std::set<std::string> names);

}  // namespace hexproof
