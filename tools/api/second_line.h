// The second line of `schedule` and `certify`: the result is judged before it is called proved.
#pragma once
#include "hexproof/schedule.h"
#include "rewrite/kernel/kernel.h"
#include "verify/equiv/validate.h"

namespace hexproof::api {

/// Judges a last program, not lowered yet, against the first one. `compare`: not only by `check`; `thorough`: that
/// check is what a certificate rests on.
Validation second_line(const PrimFunc& first, const PrimFunc& last, const std::vector<InterfaceChange>& interface,
                       Prover& prover, bool compare, bool thorough);

/// What a report of a disagreement is made of.
struct Evidenced {
  std::string command;  // "apply", "certify"
  const Program& program;
  const ScheduleText& schedule;
  const PrimFunc& first;
  const PrimFunc& last;
};
Disagreement disagreement(const Validation& validation, const Evidenced& with);

}  // namespace hexproof::api
