// Which needs of a step the prover does not prove: of a step that is refused, whether it is so for one alone.
#pragma once
#include <set>
#include <string>

#include "fuzz/case.h"

namespace hexproof {

/// The planted fault that leaves the need out (rewrite/kernel/mutant_needs.h).
std::string fault_of(const std::string& rule, const Obligation& need);

/// The faults that leave out what is not proved of the step, each by itself; none when the rule does not apply. (What
/// is owed of asynchronous copies is not looked at.)
std::set<std::string> unproved_needs(const PrimFunc& program, const StepRequest& step, Prover& prover);

}  // namespace hexproof
