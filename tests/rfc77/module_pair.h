// Pairs whose programs are modules of several functions.
#pragma once
#include "tests/rfc77/run_pair.h"

namespace hexproof::rfc77 {

/// As run_schedule_on, for a program of two or more functions, or one that the schedule splits.
Ran run_schedule_on_module(const IRModule& before, const std::string& schedule, const std::string& name,
                           Prover& prover);

}  // namespace hexproof::rfc77
