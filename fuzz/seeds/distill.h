// Of many recorded steps the few that are worth to keep as seeds.
#pragma once
#include <map>

#include "fuzz/seeds/seeds.h"

namespace hexproof {

/// What is kept, by rule: of each need that was refused the smallest programs whose result goes wrong without it, with
/// inputs that show it, first those that no other need forbids; or else the smallest one; and the smallest that fire,
/// with each set of arguments. The same records give the same seeds in any order.
std::map<std::string, std::vector<StepSeed>> distilled(std::vector<StepSeed> records);

}  // namespace hexproof
