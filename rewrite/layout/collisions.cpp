// What is wrong with a layout, at small sizes: two cells that meet, or one to which nothing goes.
#include <algorithm>
#include <map>
#include <set>

#include "ir/visit.h"
#include "rewrite/layout/box.h"
#include "rewrite/layout/inverse_map.h"

namespace hexproof {
namespace {

std::string cell(const std::vector<int64_t>& index) {
  std::string out;
  for (int64_t i : index) out += (out.empty() ? "[" : ", ") + std::to_string(i);
  return out + "]";
}

/// The next cell of the box, row-major; false after the last one.
bool advance(std::vector<int64_t>& index, const std::vector<int64_t>& shape) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

}  // namespace

std::string symbolic_fault(const IndexMap& map, const std::vector<Expr>& shape) {
  constexpr int64_t kMost = 20;
  std::set<Var> names;
  for (const Expr& e : shape) {
    for (const Var& v : free_vars(e)) names.insert(v);
  }
  std::vector<Var> vars(names.begin(), names.end());
  for (int64_t n = 1; n <= (vars.empty() ? 1 : kMost); ++n) {
    std::vector<int64_t> numbers;
    std::string sizes;
    for (const Var& v : vars) sizes += " " + v.name() + " = " + std::to_string(n);
    for (const Expr& e : shape) {
      std::optional<int64_t> extent = value_of(e, vars, std::vector<int64_t>(vars.size(), n));
      if (extent && *extent > 0) numbers.push_back(*extent);
    }
    if (numbers.size() != shape.size()) continue;
    std::string fault = layout_fault(map, numbers, {});
    if (!fault.empty()) return fault + (sizes.empty() ? "" : ", for example with" + sizes);
  }
  return "";
}

std::optional<std::vector<int64_t>> map_values(const IndexMap& map, const std::vector<int64_t>& index) {
  std::vector<int64_t> out;
  for (const Expr& e : map.outputs) {
    std::optional<int64_t> v = value_of(e, map.inputs, index);
    if (!v) return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

std::string layout_fault(const IndexMap& map, const std::vector<int64_t>& shape,
                         const std::vector<int64_t>& new_shape) {
  constexpr Wide kCells = 1 << 16;
  Wide cells = 1, new_cells = 1;
  for (int64_t n : shape) cells = std::min(cells, kCells + 1) * std::clamp<int64_t>(n, 0, kCells + 1);
  for (int64_t n : new_shape) new_cells = std::min(new_cells, kCells + 1) * std::clamp<int64_t>(n, 0, kCells + 1);
  if (cells <= 0 || cells > kCells || new_cells <= 0 || new_cells > kCells) return "";
  std::map<std::vector<int64_t>, std::vector<int64_t>> source;
  std::vector<int64_t> index(shape.size(), 0);
  do {
    std::optional<std::vector<int64_t>> image = map_values(map, index);
    if (!image) return "";
    auto [it, fresh] = source.emplace(*image, index);
    if (!fresh) return "the cells " + cell(it->second) + " and " + cell(index) + " both go to " + cell(*image);
  } while (advance(index, shape));
  if (new_shape.empty()) return "";
  std::vector<int64_t> at(new_shape.size(), 0);
  do {
    if (!source.count(at)) return "the first padded cell is " + cell(at);
  } while (advance(at, new_shape));
  return "";
}

}  // namespace hexproof
