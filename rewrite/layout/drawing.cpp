#include "rewrite/layout/drawing.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <functional>

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

  explicit Slices(const CellGrid& grid) : outer(grid.shape), grid_(grid) {
    for (size_t d = 0; d < grid.sampled.size(); ++d) outer[d] = static_cast<int64_t>(grid.sampled[d].size());
    if (!outer.empty()) columns = outer.back(), outer.pop_back();
    if (!outer.empty()) rows = outer.back(), outer.pop_back();
    for (int64_t n : outer) count *= n;
  }

  /// "[0, 2, :, :]"; empty when there is one picture only.
  std::string heading(int64_t slice) const {
    if (outer.empty()) return "";
    std::string out = "[";
    const std::vector<int64_t> at = index_of(slice, outer);
    for (size_t d = 0; d < at.size(); ++d) out += std::to_string(index(d, at[d])) + ", ";
    return out + ":, :]";
  }
  /// The index of an axis that is drawn in this place.
  int64_t index(size_t axis, int64_t place) const {
    return grid_.sampled.empty() ? place : grid_.sampled[axis][static_cast<size_t>(place)];
  }
  int64_t row(int64_t place) const { return grid_.shape.size() < 2 ? 0 : index(grid_.shape.size() - 2, place); }
  int64_t column(int64_t place) const { return grid_.shape.empty() ? 0 : index(grid_.shape.size() - 1, place); }

 private:
  const CellGrid& grid_;
};

/// The first and the last indices of an axis, `most` in all.
std::vector<int64_t> ends_of(int64_t extent, int64_t most) {
  std::vector<int64_t> out;
  const int64_t last = extent > most ? most / 2 : 0;
  for (int64_t k = 0; k < std::min(extent, most) - last; ++k) out.push_back(k);
  for (int64_t k = extent - last; k < extent; ++k) out.push_back(k);
  return out;
}

/// Eight rows and columns, and of the axes around them the first and the last index, as long as there is room.
std::vector<std::vector<int64_t>> sampled_axes(const std::vector<int64_t>& shape) {
  constexpr int64_t kInner = 8, kOuter = 2, kMostSlices = 8;
  std::vector<std::vector<int64_t>> out(shape.size());
  int64_t slices = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    const bool inner = d + 2 >= shape.size();
    const int64_t outer = slices < kMostSlices ? kOuter : 1;
    out[d] = ends_of(shape[d], inner ? kInner : outer);
    if (!inner) slices *= static_cast<int64_t>(out[d].size());
  }
  return out;
}

/// `see` for each index of the sample, row-major.
void each_sampled(const std::vector<std::vector<int64_t>>& axes,
                  const std::function<void(const std::vector<int64_t>&)>& see) {
  std::vector<int64_t> counts, index(axes.size());
  int64_t cells = 1;
  for (const auto& axis : axes) counts.push_back(static_cast<int64_t>(axis.size())), cells *= counts.back();
  for (int64_t k = 0; k < cells; ++k) {
    const std::vector<int64_t> at = index_of(k, counts);
    for (size_t d = 0; d < axes.size(); ++d) index[d] = axes[d][static_cast<size_t>(at[d])];
    see(index);
  }
}

/// The element's number, row-major; -1 outside of the box, or where the number is none.
int64_t flat_of(const std::vector<int64_t>& index, const std::vector<int64_t>& shape) {
  int64_t flat = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape[d]) return -1;
    if (__builtin_mul_overflow(flat, shape[d], &flat) || __builtin_add_overflow(flat, index[d], &flat)) return -1;
  }
  return flat;
}

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

std::string shape_text(const CellGrid& grid) {
  std::string out;
  for (int64_t n : grid.shape) out += (out.empty() ? "(" : ", ") + std::to_string(n);
  return out + ")";
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

std::vector<CellGrid> drawn_cells(const IndexMap& map, const std::vector<int64_t>& shape,
                                  const std::vector<int64_t>& new_shape) {
  if (map.inputs.size() != shape.size() || map.outputs.size() != new_shape.size()) return {};
  std::vector<CellGrid> out = {logical_cells(shape), transformed_cells(map, shape, new_shape)};
  // (More than fits a screen is not seen.)
  constexpr int64_t kMostColumns = 64;
  const bool wide =
      (!shape.empty() && shape.back() > kMostColumns) || (!new_shape.empty() && new_shape.back() > kMostColumns);
  if (!wide && !out[0].element.empty() && !out[1].element.empty()) return out;
  std::vector<Expr> extents;
  for (int64_t n : shape) extents.push_back(i32(std::min<int64_t>(n, INT32_MAX)));
  const FoundLayout found = layout_of(map, extents);
  if (!found.layout || !found.layout->inverse) return {};
  for (CellGrid& grid : out) grid.element.clear(), grid.sampled = sampled_axes(grid.shape);
  each_sampled(out[0].sampled, [&](const auto& index) { out[0].element.push_back(flat_of(index, shape)); });
  each_sampled(out[1].sampled, [&](const std::vector<int64_t>& index) {
    const auto from = map_values(*found.layout->inverse, index);
    const int64_t element = from ? flat_of(*from, shape) : -1;
    // (Padding: no element maps here.)
    out[1].element.push_back(element >= 0 && map_values(map, *from) == index ? element : -1);
  });
  return out;
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
    if (!grid.sampled.empty()) {
      text_at(kMargin, y + 14, "start",
              "a part of the cells: the first and the last of each axis of " + shape_text(grid));
      y += kHeight;
    }
    Slices slices(grid);
    size_t width = label_width(grid);
    int64_t cell = static_cast<int64_t>(width) * 9 + 14;
    auto element = grid.element.begin();
    for (int64_t s = 0; s < slices.count; ++s) {
      if (std::string heading = slices.heading(s); !heading.empty()) {
        text_at(kMargin, y + 14, "start", heading);
        y += kHeight;
      }
      // Of a part of the cells each row and column has its index, and a gap in front of it where others were.
      const bool part = !grid.sampled.empty();
      const int64_t left = part ? kMargin + 72 : kMargin;
      auto gap = [&](int64_t now, int64_t before) { return part && now > before + 1 ? kMargin : 0; };
      std::vector<int64_t> at;
      for (int64_t c = 0, x = left; c < slices.columns; ++c, x += cell) {
        if (c > 0) x += gap(slices.column(c), slices.column(c - 1));
        at.push_back(x);
        if (part) text_at(x + cell / 2, y + 16, "middle", std::to_string(slices.column(c)));
      }
      if (part) y += kHeight;
      for (int64_t r = 0; r < slices.rows; ++r, y += kHeight) {
        if (r > 0) y += gap(slices.row(r), slices.row(r - 1));
        if (part) text_at(left - 8, y + 16, "end", std::to_string(slices.row(r)));
        for (int64_t c = 0; c < slices.columns; ++c, ++element) {
          int64_t x = at[static_cast<size_t>(c)];
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
