// Values that refute a question, found by evaluation: most questions whose answer is no have many such values.
#pragma once
#include <vector>

#include "verify/prove/obligation.h"
#include "verify/prove/solvers/interval.h"

namespace hexproof {

/// Tries values of the variables within `ranges` (variables that are not there: anything of their type), and of the
/// cells that are read: equations that are given, or that the goal denies, say what some of them must be, and the
/// others are chosen. A few dozen tries. Fills model, cells and terms of the answer where the values were confirmed.
bool refute_by_values(const std::vector<Expr>& given, const Expr& goal, const std::map<Var, Interval>& ranges,
                      Answer* answer);

}  // namespace hexproof
