#include "rewrite/layout/drawing.h"

#include <algorithm>

#include "ir/base/diagnostic.h"
#include "ir/layout/cells.h"
#include "rewrite/layout/inverse_map.h"

namespace hexproof {
namespace {

int64_t count(const std::vector<int64_t>& shape) {
  int64_t cells = 1;
  for (int64_t n : shape) cells = n > kMostDrawnCells ? kMostDrawnCells + 1 : std::min(cells * n, kMostDrawnCells + 1);
  return cells;
}

/// A grid as pictures of rows and columns, one for each index of the outer axes.
struct Slices {
  int64_t rows = 1, columns = 1, count = 1;
  std::vector<int64_t> outer;

  explicit Slices(const CellGrid& grid) : outer(grid.shape) {
    if (!outer.empty()) columns = outer.back(), outer.pop_back();
    if (!outer.empty()) rows = outer.back(), outer.pop_back();
    for (int64_t n : outer) count *= n;
  }

  /// "[0, 2, :, :]"; empty when there is one picture only.
  std::string heading(int64_t slice) const {
    if (outer.empty()) return "";
    std::string out = "[";
    for (int64_t i : index_of(slice, outer)) out += std::to_string(i) + ", ";
    return out + ":, :]";
  }
};

size_t label_width(const CellGrid& grid) {
  int64_t greatest = 0;
  for (int64_t e : grid.element) greatest = std::max(greatest, e);
  return std::max<size_t>(2, std::to_string(greatest).size());
}

/// The element's number with leading zeros, as wide as the widest; dots for padding.
std::string label(int64_t element, size_t width) {
  if (element < 0) return std::string(width, '.');
  std::string digits = std::to_string(element);
  return std::string(width - digits.size(), '0') + digits;
}

std::string rule_line(const char* left, const char* middle, const char* right, int64_t columns, size_t width) {
  std::string out = left;
  for (int64_t c = 0; c < columns; ++c) {
    if (c) out += middle;
    for (size_t k = 0; k < width; ++k) out += "─";
  }
  return out + right + "\n";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  return out;
}

}  // namespace

int64_t CellGrid::padding() const { return std::count(element.begin(), element.end(), -1); }

CellGrid logical_cells(const std::vector<int64_t>& shape) {
  CellGrid grid{"logical index space", shape, {}};
  int64_t cells = count(shape);
  if (cells > kMostDrawnCells) return grid;
  for (int64_t k = 0; k < cells; ++k) grid.element.push_back(k);
  return grid;
}

CellGrid transformed_cells(const IndexMap& map, const std::vector<int64_t>& shape,
                           const std::vector<int64_t>& new_shape) {
  CellGrid grid{"transformed index space", new_shape, {}};
  int64_t cells = count(shape), new_cells = count(new_shape);
  if (cells > kMostDrawnCells || new_cells > kMostDrawnCells) return grid;
  grid.element.assign(static_cast<size_t>(new_cells), -1);
  for (int64_t k = 0; k < cells; ++k) {
    std::optional<std::vector<int64_t>> image = map_values(map, index_of(k, shape));
    HEXPROOF_CHECK(image, "a proved map has no value at a logical index");
    int64_t flat = 0;
    for (size_t d = 0; d < new_shape.size(); ++d) {
      HEXPROOF_CHECK((*image)[d] >= 0 && (*image)[d] < new_shape[d], "a proved map leaves its box");
      flat = flat * new_shape[d] + (*image)[d];
    }
    grid.element[static_cast<size_t>(flat)] = k;
  }
  return grid;
}

std::string draw_text(const CellGrid& grid) {
  if (grid.element.empty()) return "(" + grid.title + ": too many cells to draw)\n";
  Slices slices(grid);
  size_t width = label_width(grid);
  std::string out = grid.title + "\n";
  auto element = grid.element.begin();
  for (int64_t s = 0; s < slices.count; ++s) {
    if (std::string heading = slices.heading(s); !heading.empty()) out += heading + "\n";
    out += rule_line("┌", "┬", "┐", slices.columns, width);
    for (int64_t r = 0; r < slices.rows; ++r) {
      if (r) out += rule_line("├", "┼", "┤", slices.columns, width);
      for (int64_t c = 0; c < slices.columns; ++c) out += "│" + label(*element++, width);
      out += "│\n";
    }
    out += rule_line("└", "┴", "┘", slices.columns, width);
  }
  return out;
}

std::string draw_svg(const std::vector<CellGrid>& grids) {
  constexpr int64_t kHeight = 24, kMargin = 16;
  std::string body;
  int64_t y = kMargin, right = 200;
  auto text_at = [&](int64_t x, int64_t line, const char* anchor, const std::string& text) {
    body += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(line) + "\" text-anchor=\"" + anchor + "\">" +
            escaped(text) + "</text>\n";
  };
  for (const CellGrid& grid : grids) {
    std::string note = grid.element.empty() ? ": too many cells to draw" : "";
    text_at(kMargin, y + 14, "start", grid.title + note);
    y += kHeight;
    if (grid.element.empty()) continue;
    Slices slices(grid);
    size_t width = label_width(grid);
    int64_t cell = static_cast<int64_t>(width) * 9 + 14;
    auto element = grid.element.begin();
    for (int64_t s = 0; s < slices.count; ++s) {
      if (std::string heading = slices.heading(s); !heading.empty()) {
        text_at(kMargin, y + 14, "start", heading);
        y += kHeight;
      }
      for (int64_t r = 0; r < slices.rows; ++r, y += kHeight) {
        for (int64_t c = 0; c < slices.columns; ++c, ++element) {
          int64_t x = kMargin + c * cell;
          body += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
                  std::to_string(cell) + "\" height=\"" + std::to_string(kHeight) + "\" class=\"" +
                  (*element < 0 ? "padding" : "element") + "\"/>\n";
          if (*element >= 0) text_at(x + cell / 2, y + 16, "middle", label(*element, width));
          right = std::max(right, x + cell);
        }
      }
      y += kMargin / 2;
    }
    y += kMargin;
  }
  std::string w = std::to_string(right + kMargin), h = std::to_string(y);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " +
         h +
         "\">\n<style>text{font:13px monospace}.element{fill:#fff;stroke:#333}"
         ".padding{fill:#bbb;stroke:#333;stroke-dasharray:3}</style>\n" +
         body + "</svg>\n";
}

}  // namespace hexproof
