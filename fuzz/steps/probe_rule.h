// Expression rules on small programs that are made for them.
#pragma once
#include <string>

#include "verify/prove/prover.h"

namespace hexproof {

/// Applies an expression rule with conditions to a program that stores its left side (loop variables or cells for its
/// holes, edge-heavy constants), and compares the results. What is wrong, with the programs; empty: nothing.
/// `rule`: the one to probe; empty: any.
std::string probe_expression_rule(uint64_t seed, Prover& prover, const std::string& rule = "");

}  // namespace hexproof
