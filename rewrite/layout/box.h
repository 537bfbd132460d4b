// Where an output of an index map is greatest and least, found by trying likely indices.
#pragma once
#include <optional>
#include <vector>

#include "ir/layout/index_map.h"

namespace hexproof {

/// The value of an index expression; nothing for what is no number.
std::optional<int64_t> value_of(const Expr& e, const std::vector<Var>& vars, const std::vector<int64_t>& values);

/// A logical index at which `e` is as great (or small) as was found. The effort does not depend on the extents: tried
/// are the first and last indices, and those next to the multiples of the constants in `e`. An input that `fixed` names
/// stays at its last index. Nothing when `e` has no value somewhere.
std::optional<std::vector<int64_t>> extreme_index(const Expr& e, const std::vector<Var>& inputs,
                                                  const std::vector<int64_t>& shape, bool greatest,
                                                  const std::vector<bool>& fixed);

}  // namespace hexproof
