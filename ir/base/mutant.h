// Planted faults: what the campaigns must find. They are in the build of the preset `mutants` only; in every other one
// the macros leave the right expression and nothing else.
//
// Only .cpp files may include this header: the preset defines HEXPROOF_MUTANTS for those files alone, so that all
// others are compiled as always. Each name stands in ir/base/mutants.def with what it breaks.
#pragma once

#ifdef HEXPROOF_MUTANTS
#include <string>
#include <string_view>
#include <vector>

namespace hexproof {

/// Is it the one that is switched on?
bool mutant_is_on(std::string_view name);
/// Switches it on; Error when there is none of this name. Else the environment variable HEXPROOF_MUTANT decides.
void switch_on_mutant(const std::string& name);
void switch_off_mutant();

struct PlantedFault {
  std::string name, breaks;
};
/// ir/base/mutants.def.
const std::vector<PlantedFault>& planted_faults();

}  // namespace hexproof

/// `right`, or `faulty` while the mutant is switched on.
#define HEXPROOF_MUTANT(name, right, faulty) (::hexproof::mutant_is_on(name) ? (faulty) : (right))
/// For families of faults whose names are put together while running.
#define HEXPROOF_MUTANT_IS_ON(name) (::hexproof::mutant_is_on(name))
#else
#define HEXPROOF_MUTANT(name, right, faulty) (right)
#define HEXPROOF_MUTANT_IS_ON(name) (false)
#endif
