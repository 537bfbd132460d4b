// What a refusal may tell of the program.
#pragma once
#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// A false condition is told with the values under which it is false. Where it speaks of memory that the program stores
/// to, or of values of which nothing is known, or where more is known of executions than the condition is told (by what
/// memory holds, by assumes in loops and branches), these may be none that an execution has. Such a refusal, and that
/// of a condition which is one way of several, is told as a refutation only where runs of the programs before and after
/// the step show a difference, which it tells then (RefusedStep::shown); else as undecided.
Refused as_demonstrated(const Refused& refused);

}  // namespace hexproof
