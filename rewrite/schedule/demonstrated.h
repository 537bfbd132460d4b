// What a refusal may tell of the program.
#pragma once
#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// A solver's values under which a condition is false refute the condition, and not the step: they may be none that an
/// execution has (an assume behind, what memory holds), and the condition may ask for more than the result needs, or be
/// one way of several. So a refusal is told as a refutation only where runs of the programs before and after the step
/// differ: on the arguments that the values name, or on others, which it tells then (RefusedStep::shown). Else it is
/// undecided.
Refused as_demonstrated(const Refused& refused);

}  // namespace hexproof
