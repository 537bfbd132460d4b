// What of an interface relation follows from the shapes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ir/buffer.h"
#include "ir/layout/index_map.h"

namespace hexproof {

/// The row-major map between two buffers of constant shape and equal size, one of which merges neighbouring axes of the
/// other (or all axes into one). Nothing when the axes do not fit together.
std::optional<IndexMap> infer_layout(const Buffer& before, const Buffer& after);
/// The extents of the smallest box from zero that holds the image of a box of this shape; nothing for an output
/// whose largest value is not evident. `i % c` with a constant c counts as c, as RFC 77 has it.
std::vector<std::optional<Expr>> extents_of_image(const IndexMap& map, const std::vector<Expr>& shape);

}  // namespace hexproof
