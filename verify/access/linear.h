// Indices as linear sums, for what inverts them and compares them.
#pragma once
#include <utility>
#include <vector>

#include "ir/expr.h"

namespace hexproof {

/// Integers as sum of coefficient * atom + constant. Casts to wider types are looked through.
struct Linear {
  std::vector<std::pair<Expr, Wide>> terms;  // atoms are pairwise different, coefficients not zero
  Wide constant = 0;

  void add(const Expr& atom, Wide coefficient);
  void add(const Linear& other, Wide factor);
  /// As an expression of integer type `type`; missing when a constant does not fit.
  Expr expr(DType type) const;
};
Linear linear(const Expr& e);

}  // namespace hexproof
