// Which expression rules to apply where: looks for places and asks the prover beforehand. It edits nothing.
#pragma once
#include <string>
#include <vector>

#include "rewrite/expr_rules/site.h"
#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// Applications that bring the expressions of the statement at `at` and of all below it to a normal form, each with
/// its conditions already proved once by `prover`: bottom-up, until no rule applies. `conditions`: only the conditions
/// of ifs.
std::vector<Application> find_simplifications(const PrimFunc& func, const Path& at, Prover& prover,
                                              bool conditions = false);

/// Simplifies everything at and below `at` in one step of the rule `simplify`. Returns whether anything changed.
bool simplify(Derivation& derivation, Prover& prover, const Path& at = {}, const std::string& primitive = "",
              const Span& span = {}, bool conditions = false);

}  // namespace hexproof
