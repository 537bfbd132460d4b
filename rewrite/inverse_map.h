// Index maps that rearrange digits: their inverse, and the box that their image fills.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ir/index_map.h"

namespace hexproof {

/// A guess that obligations must confirm; nothing relies on it unproved.
struct Layout {
  std::vector<Expr> shape;          // of the new box, int32
  std::optional<IndexMap> inverse;  // new index -> logical index; missing when the map is no rearrangement of digits
};

/// The new shape for a logical box of this shape, and the inverse. An output is read as a sum of digits
/// `scale * (input // lower % extent)`, as in `i // 4 * 32 + j % 4`; where it is something else its largest value
/// gives the extent. A symbolic extent may only be carried over as it is. Nothing when an extent cannot be found.
std::optional<Layout> layout_of(const IndexMap& map, const std::vector<Expr>& shape);

/// What is wrong with a map of a box of constants, found by looking at every cell: two cells that go to one place, or
/// the first cell of the new box to which none goes. Empty when nothing is, or the box is too large to look at.
std::string layout_fault(const IndexMap& map, const std::vector<int64_t>& shape, const std::vector<int64_t>& new_shape);

}  // namespace hexproof
