// What a change of layout owes: injective, inside the box, the box minimal, the padding exactly what no index maps to.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"
#include "rewrite/layout/inverse_map.h"

namespace hexproof {

struct LayoutQuestion {
  std::string rule;
  Place where;
  std::vector<Expr> given;  // on the symbolic extents
  IndexMap map;
  std::vector<Expr> shape;  // of the logical box, int32
  Layout layout;            // `inverse` as found, or as given by the user
  std::string fault;        // what is wrong, if that was found: added to the reasons
};

/// The obligations. Without an inverse there must be no padding: then injectivity is asked of two indices, and the
/// boxes must have equally many cells.
std::vector<Obligation> layout_needs(const LayoutQuestion& question);

}  // namespace hexproof
