// Which iteration of a write hits the cell of a read: index maps inverted, so that no question has an `exists`.
#pragma once
#include "verify/access/footprint.h"

namespace hexproof {

/// Values for the loops of a write, and what must hold for the write to run with them and hit the cell: a proposal.
struct Witness {
  VarMap values;                 // loop variable of the write -> value over the variables of the read
  std::vector<Expr> conditions;  // always the whole claim: every range, every guard, and same_cell
};

/// Candidates, the likeliest first. The loops of `write` must be distinct from all variables of `read`.
/// `hints` gives for a loop variable of the write a value to try when the cell does not determine it (the value
/// of the same loop at the read); the first and the last value of the loop are tried, too. `given` serves to find
/// constant bounds of variables. Nothing when the write is not exact enough to rely on (it may be anywhere, or
/// its element type is another one).
std::vector<Witness> witnesses(const Access& write, const Access& read, const std::vector<Expr>& given,
                               const VarMap& hints = {});

}  // namespace hexproof
