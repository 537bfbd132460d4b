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

TEST(LayoutDrawing, SvgEscapes) {
  CellGrid grid = logical_cells({2});
  grid.title = "a < b & \"c\"";
  EXPECT_NE(draw_svg({grid}).find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
}

}  // namespace layout_drawing_test
}  // namespace hexproof
