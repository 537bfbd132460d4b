// Index spaces drawn as grids, as text and as SVG: the logical one, and the transformed one with its padding.
#pragma once
#include <string>
#include <vector>

#include "ir/layout/index_map.h"

namespace hexproof {

/// The cells of a box of constants, row-major. Each holds the number of a logical element (row-major in the logical
/// box), or nothing where it is padding.
struct CellGrid {
  std::string title;
  std::vector<int64_t> shape;
  std::vector<int64_t> element;  // -1: padding
  /// Of a box that is too large: the indices of each axis that are drawn, ascending. Empty: all cells are.
  std::vector<std::vector<int64_t>> sampled = {};

  int64_t padding() const;
};

/// How many cells are drawn at most. Of a larger box the first and the last indices of each axis are (`sampled`).
inline constexpr int64_t kMostDrawnCells = 4096;

/// The logical box. No cells when it is larger than kMostDrawnCells.
CellGrid logical_cells(const std::vector<int64_t>& shape);
/// The box of the map's image.
CellGrid transformed_cells(const IndexMap& map, const std::vector<int64_t>& shape,
                           const std::vector<int64_t>& new_shape);

/// Both, of boxes of any size: of a larger one a part of the cells, the same picture of whatever size. Nothing where
/// the map has no inverse that is known, by which the logical element of a cell is found.
std::vector<CellGrid> drawn_cells(const IndexMap& map, const std::vector<int64_t>& shape,
                                  const std::vector<int64_t>& new_shape);

/// Boxes of characters: the last axis runs to the right, the one before it downwards, and there is one picture for each
/// index of the others, under that index. Padding shows as `..`.
std::string draw_text(const CellGrid& grid);
/// One SVG document with the grids below each other; padding is shaded. Where cells are left out, a gap stands
/// for them, the rows and columns that are drawn have their indices, and a line says so.
std::string draw_svg(const std::vector<CellGrid>& grids);

}  // namespace hexproof
