// What an index map does to a box: the new shape, the padding, and a picture of both.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hexproof/session.h"
#include "rewrite/kernel/kernel.h"
#include "rewrite/layout/drawing.h"

namespace hexproof::api {

/// "14", "n", "(16, n, 4)": numbers, and names of symbolic sizes. Error, at the place in the text.
std::vector<Expr> read_shape(const std::string& text);
/// "(14, n)"
std::string shape_text(const std::vector<Expr>& shape);

struct LayoutFound {
  std::string collision;                 // not empty: two logical indices go to one cell; nothing else is known
  std::optional<Derivation> derivation;  // of the layout, proved
  std::vector<Expr> new_shape;
  std::optional<std::string> padding;  // the cells of the new box that no logical index goes to, as a lambda
  std::vector<CellGrid> grids;         // both boxes; none for symbolic sizes
  std::vector<CellGrid> drawing;       // the same for a drawing: of boxes that are too large as a whole a part
};

/// Proves the layout of a buffer of that shape. Error at `place`: the map does not fit.
LayoutFound layout(const IndexMap& map, const std::vector<Expr>& shape, Session& session, const Span& place);

}  // namespace hexproof::api
