// The smallest box from 0 that holds the image of an index map.
#pragma once
#include <string>
#include <vector>

#include "rewrite/layout/digits.h"
#include "rewrite/layout/inverse_map.h"

namespace hexproof {

/// Adds each output's extent to the layout, and where its ends are reached; or why there is no box.
std::string add_image_box(const IndexMap& map, const std::vector<Expr>& shape, const MapDigits& digits, Layout* layout);

}  // namespace hexproof
