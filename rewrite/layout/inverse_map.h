// Index maps: their inverse, the box that their image fills, and which cells of it hold no logical index.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ir/layout/index_map.h"

namespace hexproof {

/// A logical index at which an output takes a value.
struct Attained {
  std::vector<Expr> index;  // logical; over the symbolic extents
  std::vector<Expr> given;  // on symbolic extents, for the index to exist
  Expr value;               // what the output is there
};

/// A guess that obligations must confirm; nothing relies on it unproved.
struct Layout {
  std::vector<Expr> shape;          // of the new box, int32: from 0 to the largest value of each output
  std::vector<Attained> greatest;   // per output: where it reaches the last index of the box
  std::vector<Attained> least;      // per output: where it reaches 0; no index when it need not, or is not known to
  std::optional<IndexMap> inverse;  // new index -> logical index, where that is one; missing when none was found
  /// Over the inputs of `inverse`: some logical index maps here. As few comparisons as were found; `true` when the map
  /// is onto. Missing without an inverse.
  Expr in_image;
};

/// The box for a logical box of this shape. Outputs are read as digits (digits.h), as in
/// `(i + 2) // 8`, `i * 64 + j`, `i // 4 * 32 + j % 4`, `7 - i`, `j ^ (i % 8)` (swizzle.h); for others there is no
/// inverse. With constants the extents are exact; the remainder of a symbolic size counts with its modulus, `(i + 2) %
/// 8` with 8. Nothing, and why, when an extent cannot be found.
struct FoundLayout {
  std::optional<Layout> layout;
  std::string fault;
};
FoundLayout layout_of(const IndexMap& map, const std::vector<Expr>& shape);

/// "Some logical index maps to this cell", by an inverse that is given: it leads into the logical box, and back.
Expr image_by(const IndexMap& map, const IndexMap& inverse, const std::vector<Expr>& shape);

/// The negation of `in_image`, as a disjunction of comparisons.
Expr negated(const Expr& condition);

/// What is wrong with a map of a box of constants, found by looking at every cell of a small one: two cells that go to
/// one place, or the first cell of the new box to which none goes. Empty when nothing is, or the box is too large to
/// look at. With no new shape only cells that meet are looked for.
std::string layout_fault(const IndexMap& map, const std::vector<int64_t>& shape, const std::vector<int64_t>& new_shape);

/// For a box of any extents: two cells that meet, for symbolic ones at small sizes, and at which, "... both go to [0],
/// for example with n = 9". Empty when none were found.
std::string symbolic_fault(const IndexMap& map, const std::vector<Expr>& shape);

/// The outputs of a map at an index; nothing when one is no number (division by zero, numbers out of range).
std::optional<std::vector<int64_t>> map_values(const IndexMap& map, const std::vector<int64_t>& index);

/// Names for the outputs: those of an input i become io, ii; one that is carried over keeps its name.
std::vector<std::string> output_names(const IndexMap& map);

}  // namespace hexproof
