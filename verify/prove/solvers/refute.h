// Values that refute a question, found by evaluation: most questions whose answer is no have many such values.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "verify/prove/obligation.h"
#include "verify/prove/solvers/arithmetic/interval.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {

/// The answer that a confirmed valuation is.
Answer refuted(const Valuation& valuation, const Evaluator& evaluator);

/// Tries values of the variables within `ranges` (variables that are not there: anything of their type), and of the
/// cells that are read: equations that are given, or that the goal denies, say what some of them must be, and the
/// others are chosen. A few dozen tries. The answer, with model, cells and terms, where values were confirmed.
std::optional<Answer> refute_by_values(const std::vector<Expr>& given, const Expr& goal,
                                       const std::map<Var, Interval>& ranges);

}  // namespace hexproof
