// Constant bounds of variables, read off comparisons with constants, and of sums and digits built of them.
#pragma once
#include <map>

#include "ir/expr.h"
#include "verify/access/linear.h"
#include "verify/prove/solvers/arithmetic/interval.h"

namespace hexproof {

class ConstantBounds {
 public:
  /// Takes a condition that holds; whatever is no comparison of a variable with a constant says nothing.
  void learn(const Expr& condition);
  Interval of(const Expr& e) const;
  Interval of(const Linear& x) const;

 private:
  std::map<Var, Interval> map_;
};

}  // namespace hexproof
