// What `check` and `equiv` say, against what the interpreter meets: a "proved" that a run contradicts is a finding.
#pragma once
#include "fuzz/oracle.h"

namespace hexproof {

/// Asks `check` of the trial's program; `equiv` of its first and last program; and either of one of its mutants
/// (fuzz/steps/mutate.h): `seed` chooses which of these, `equiv` of the pair always. The trial becomes Unsound when a
/// verdict is wrong; a wrong verdict on a mutant adds a last step "mutant" that names it.
void judge_verdicts(Trial& trial, uint64_t seed, Prover& prover);
/// Says `check` that the program is free of errors, and a few runs meet one? Empty: no.
std::string wrong_check(const PrimFunc& func, uint64_t seed, Prover& prover);
/// Says `equiv` that the programs are equal, and a few runs differ? Empty: no.
std::string wrong_equiv(const PrimFunc& before, const PrimFunc& after, uint64_t seed, Prover& prover);
/// Says `equiv` so of the program and one of a few of its mutants? Runs come first; what leaves a cell without a value
/// is asked about before all else.
std::string wrong_equiv_of_mutants(const PrimFunc& program, uint64_t seed, Prover& prover);
/// Is a program proved that is known to reach an error, or a pair that is known to differ? Empty: no.
std::string proved_though_refuted(const PrimFunc& func, Prover& prover);
std::string proved_though_refuted(const PrimFunc& before, const PrimFunc& after, Prover& prover);
/// `judge`, then all verdicts; of a mutant only when the case names one. For replays and shrinking.
Trial judge_with_verdicts(const FuzzCase& fuzz_case, Prover& prover);

}  // namespace hexproof
