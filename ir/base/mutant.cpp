#include "ir/base/mutant.h"

#ifdef HEXPROOF_MUTANTS

#include <cstdlib>

#include "ir/base/diagnostic.h"

namespace hexproof {

namespace {

/// Set while there is one thread.
std::string& chosen() {
  static std::string name = [] {
    const char* value = std::getenv("HEXPROOF_MUTANT");
    return std::string(value ? value : "");
  }();
  return name;
}

}  // namespace

const std::vector<PlantedFault>& planted_faults() {
  static const std::vector<PlantedFault> faults = {
#define MUTANT(name, breaks) {name, breaks},
#include "ir/base/mutants.def"
#undef MUTANT
  };
  return faults;
}

bool mutant_is_on(std::string_view name) { return !chosen().empty() && chosen() == name; }

void switch_on_mutant(const std::string& name) {
  for (const PlantedFault& fault : planted_faults()) {
    if (fault.name == name) {
      chosen() = name;
      return;
    }
  }
  throw Error("there is no mutant named '" + name + "'");
}

void switch_off_mutant() { chosen().clear(); }

}  // namespace hexproof

#endif
