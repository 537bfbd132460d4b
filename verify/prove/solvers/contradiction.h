// Formulas that contradict each other, as bounds and linear normal forms show it.
#pragma once
#include <vector>

#include "verify/prove/solvers/arithmetic/linear.h"

namespace hexproof {

struct Rounds {
  const char* solver = "";  // what settled it; "": no contradiction was found
  Known first = {};         // what the first round saw, which knows of no goal
};
/// Does what is given contradict the negated goal? Rounds until nothing new is learned; without a goal there is one.
Rounds look_for_contradiction(const std::vector<Expr>& given, const Expr& goal);

}  // namespace hexproof
