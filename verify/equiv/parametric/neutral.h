// Iterations of a fold that leave the accumulator as it is: padding that holds the neutral element of the operator.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "verify/equiv/parametric/fold.h"

namespace hexproof::parametric {

/// Takes out of the domain what leaves the accumulator as it is: where a choice in the step decides for a value that is
/// neutral, such as the 0 in `acc + (A[i] if i < n else 0)`, the iteration need not run, and the choice becomes a
/// guard. Equal bit by bit (NaNs are one value); with flags in `granted` (LLVM's names), as these allow, and those that
/// were needed are added to `used`: `acc + 0.0` turns -0.0 into 0.0, so it asks for nsz.
void drop_neutral(Fold* fold, const std::vector<std::string>& granted, std::set<std::string>* used);

/// Is the step the accumulator, whatever all other values in it are?
bool is_neutral(const Expr& step, const Expr& acc, const std::vector<std::string>& granted,
                std::set<std::string>* used);

}  // namespace hexproof::parametric
