// Questions to single parts: what `check`, `equiv` and expression rules call proved must hold in the interpreter.
#pragma once
#include <string>

#include "ir/function.h"
#include "verify/prover.h"

namespace hexproof {

/// Takes some of the single-token mutants of `program` (fuzz/mutate.h), as `seed` says. `check` may not prove one that
/// reaches an error on the inputs; `equiv` may not prove one equal whose results differ, nor refute the program against
/// itself. What is wrong, with the programs as text; empty: nothing.
std::string probe(const PrimFunc& program, uint64_t seed, Prover& prover);

/// Applies an expression rule to a small program made for it (loop variables or cells for its holes, edge-heavy
/// constants), and compares the results. What is wrong; empty: nothing.
std::string probe_expression_rule(uint64_t seed, Prover& prover);

}  // namespace hexproof
