#include "rewrite/layout/drawing.h"
#include "tests/rewrite/layouts/layouts.h"

namespace hexproof {
namespace layout_drawing_test {

TEST(LayoutDrawing, OnePictureForEachOuterIndex) {
  CellGrid grid = transformed_cells(index_map("lambda i: [i % 2, i // 4, i // 2 % 2]"), {7}, {2, 2, 2});
  EXPECT_EQ(grid.padding(), 1);
  grid.title = "cells";
  EXPECT_EQ(draw_text(grid),
            "cells\n"
            "[0, :, :]\n┌──┬──┐\n│00│02│\n├──┼──┤\n│04│06│\n└──┴──┘\n"
            "[1, :, :]\n┌──┬──┐\n│01│03│\n├──┼──┤\n│05│..│\n└──┴──┘\n");
}

TEST(LayoutDrawing, WideNumbers) { EXPECT_NE(draw_text(logical_cells({101})).find("│000│001│"), std::string::npos); }

TEST(LayoutDrawing, TooLarge) {
  CellGrid grid = logical_cells({1 << 20, 1 << 20, 1 << 20, 1 << 20});
  EXPECT_TRUE(grid.element.empty());
  EXPECT_EQ(draw_text(grid), "(logical index space: too many cells to draw)\n");
  EXPECT_NE(draw_svg({grid}).find("too many cells"), std::string::npos);
}

// Of a large box the ends of each axis are drawn, under a line that says so, and padding where it is.
TEST(LayoutDrawing, ALargeBoxIsDrawnInPart) {
  const IndexMap map = index_map("lambda h, w, c: [h // 8, c // 32, w // 8, h % 8 * 256 + w % 8 * 32 + c % 32]");
  const std::vector<CellGrid> grids = drawn_cells(map, {100, 64, 256}, {13, 8, 8, 2048});
  ASSERT_EQ(grids.size(), 2u);
  EXPECT_EQ(grids[0].element.size(), 2u * 8 * 8);
  EXPECT_EQ(grids[0].element.front(), 0);
  EXPECT_EQ(grids[0].element.back(), 100 * 64 * 256 - 1);
  EXPECT_EQ(grids[1].element.size(), 2u * 2 * 8 * 8);
  EXPECT_EQ(grids[1].element[1], 1);        // [0, 0, 0, 1] is the next channel
  EXPECT_EQ(grids[1].element[8], 8 * 256);  // [0, 0, 1, 0] is eight columns on
  EXPECT_EQ(grids[1].element.back(), -1);   // [12, 7, 7, 2047] would be row 103
  EXPECT_EQ(grids[1].sampled[3], (std::vector<int64_t>{0, 1, 2, 3, 2044, 2045, 2046, 2047}));
  const std::string svg = draw_svg(grids);
  EXPECT_NE(svg.find("a part of the cells: the first and the last of each axis of (13, 8, 8, 2048)"),
            std::string::npos);
  EXPECT_NE(svg.find("[12, 7, :, :]"), std::string::npos);
  EXPECT_NE(svg.find("class=\"padding\""), std::string::npos);
  EXPECT_NE(svg.find(">2047<"), std::string::npos);
  EXPECT_LT(svg.size(), 100'000u);
}

// However many axes there are, and however large they are.
TEST(LayoutDrawing, ThePictureOfALargeBoxIsBounded) {
  const std::vector<int64_t> shape(10, 1000);
  const IndexMap same = index_map("lambda a, b, c, d, e, f, g, h, i, j: [a, b, c, d, e, f, g, h, i, j]");
  for (const CellGrid& grid : drawn_cells(same, shape, shape)) EXPECT_EQ(grid.element.size(), 8u * 8 * 8);
  const IndexMap moved = index_map("lambda i: [i // 4, i % 4]");
  const std::vector<CellGrid> grids = drawn_cells(moved, {1'000'000'001}, {250'000'001, 4});
  ASSERT_EQ(grids.size(), 2u);
  EXPECT_EQ(grids[1].element.size(), 8u * 4);
  EXPECT_EQ(grids[1].element[28], 1'000'000'000);
  EXPECT_EQ(grids[1].element[29], -1);
  // Small boxes are drawn as a whole.
  EXPECT_TRUE(drawn_cells(moved, {14}, {4, 4})[1].sampled.empty());
}

TEST(LayoutDrawing, SvgEscapes) {
  CellGrid grid = logical_cells({2});
  grid.title = "a < b & \"c\"";
  EXPECT_NE(draw_svg({grid}).find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
}

}  // namespace layout_drawing_test
}  // namespace hexproof
