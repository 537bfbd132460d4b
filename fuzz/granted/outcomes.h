// Everything that a program may compute under its granted flags: each open evaluation with each of its values.
#pragma once
#include <optional>
#include <set>
#include <vector>

#include "ir/interpreter/interpreter.h"

namespace hexproof {

struct Outcomes {
  /// The arguments at the end, one after the other, as values: the NaNs are one, and so are the zeros under nsz.
  std::set<std::vector<uint64_t>> all;
  bool complete = false;  // else there were more runs than `most`
  bool erroneous = false;
  bool special = false;  // some operation gave a NaN or an infinity
};

/// Runs `func` on the tensors in every way that its flags allow, `most` times at the utmost. Nothing where that is not
/// modelled: undefs, formats narrower than 32 bits in a fused product, sums of more than five terms.
std::optional<Outcomes> outcomes(const PrimFunc& func, const std::vector<Tensor>& inputs, size_t most);

/// The values of tensors as `Outcomes` holds them.
std::vector<uint64_t> values_of(const std::vector<Tensor>& tensors, bool one_zero);

}  // namespace hexproof
