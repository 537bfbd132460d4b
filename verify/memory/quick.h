// The first stage of the prover, to leave out what it sees at once. Never a solver.
#pragma once
#include <vector>

#include "verify/prove/obligation.h"

namespace hexproof {

class Quick {
 public:
  explicit Quick(const std::vector<Expr>& given);

  /// Does what is given imply the goal? (Unknown is no.)
  bool implies(const Expr& goal) const;
  /// With `more` besides: can it not happen?
  bool impossible(const std::vector<Expr>& more = {}) const;

 private:
  std::vector<Expr> given_;
};

}  // namespace hexproof
