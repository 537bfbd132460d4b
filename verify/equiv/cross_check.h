// A proof of one method, held against another one.
#pragma once
#include <vector>

#include "verify/equiv/equiv.h"
#include "verify/prove/prover.h"

namespace hexproof {

/// Statements of a run at a size that symbolic runs are made at for a second opinion.
inline constexpr uint64_t kSecondSteps = 20'000;
/// Small limits, no second solver, no cache: what a second opinion asks.
ProverOptions second_opinion_prover();

/// Both programs on symbolic inputs within small bounds; on random ones where that is too much (`too_long`: it is), if
/// the effort is not bounded. A refutation is not replayed yet.
std::vector<Evidence> second_opinion(const ProgramPair& pair, const Instance& at, bool too_long,
                                     const EquivOptions& options);

/// The report says that a method proved the pair. Looks at it by another method, at the smallest sizes that reach every
/// statement. What the interpreter then shows on an input stands: the report becomes a refutation, and `contradicted`
/// names the method that was wrong. Whatever else is found is added to the evidence.
void cross_check(EquivReport* report, const EquivOptions& options);

}  // namespace hexproof
