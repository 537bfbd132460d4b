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

  int64_t padding() const;
};

/// How many cells are drawn at most; a larger box has no picture.
inline constexpr int64_t kMostDrawnCells = 4096;

/// The logical box. Nothing drawn when it is larger than kMostDrawnCells.
CellGrid logical_cells(const std::vector<int64_t>& shape);
/// The box of the map's image.
CellGrid transformed_cells(const IndexMap& map, const std::vector<int64_t>& shape,
                           const std::vector<int64_t>& new_shape);

/// Boxes of characters: the last axis runs to the right, the one before it downwards, and there is one picture for each
/// index of the others, under that index. Padding shows as `..`.
std::string draw_text(const CellGrid& grid);
/// One SVG document with the grids below each other; padding is shaded.
std::string draw_svg(const std::vector<CellGrid>& grids);

}  // namespace hexproof
