// A recorded schedule as steps of the kernel on the naive program: a derivation like any other.
#pragma once
#include "rewrite/schedule/schedule.h"
#include "rewrite/te/schedule.h"

namespace hexproof::te {

/// What a script comes to: the naive program of its arguments, and the schedule, if there is one.
struct Script {
  NaiveProgram naive;
  std::optional<Schedule> schedule;
  Written written;  // the call that asked for it
};

/// Runs the schedule on a derivation whose source is the naive program: caches and factored reductions in the order of
/// the script, then stages from the last to the first: where each is computed, then its loops; then inits in front of
/// reductions, kinds of loops, and buffers as small as their use.
/// Errors: as of hexproof::Schedule, at the calls of the script.
void lower(const Script& script, Derivation& derivation, Prover& prover);

}  // namespace hexproof::te
