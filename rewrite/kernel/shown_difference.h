// What runs show of a step that is refused.
#pragma once
#include "verify/equiv/equiv.h"

namespace hexproof {

/// An input on which runs of the programs before and after the step differ, and how.
struct ShownDifference {
  ProgramPair pair;
  Counterexample found;
};

}  // namespace hexproof
