// The inverse of an index map, of the digits that its outputs hold.
#pragma once
#include <vector>

#include "rewrite/layout/digits.h"
#include "rewrite/layout/inverse_map.h"

namespace hexproof {

/// Sets `inverse` and `in_image` of a layout whose `shape` is known, where they are found.
void invert(const IndexMap& map, const std::vector<Expr>& shape, const MapDigits& digits, Layout* layout);

}  // namespace hexproof
