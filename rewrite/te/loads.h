// What an expression of an operation loads, and when.
#pragma once
#include <vector>

#include "ir/expr.h"

namespace hexproof::te {

/// A load, and the conditions under which it is evaluated.
struct Load {
  Expr load;
  std::vector<Expr> conditions;
};

/// All loads that evaluating `e` may make; variables of lets have their values in their place.
std::vector<Load> loads_in(const Expr& e);

}  // namespace hexproof::te
