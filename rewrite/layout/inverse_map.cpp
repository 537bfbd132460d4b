#include "rewrite/layout/inverse_map.h"

#include <algorithm>
#include <set>

#include "ir/visit.h"
#include "rewrite/layout/digits.h"
#include "rewrite/layout/image_box.h"
#include "rewrite/layout/inversion.h"

namespace hexproof {
namespace {

constexpr Wide kMostCells = Wide(1) << 62;

/// At most kMostCells, which stands for every number that is larger or not known.
Wide cells_of(const std::vector<Expr>& shape) {
  Wide cells = 1;
  for (const Expr& n : shape) {
    if (!as_int(n) || *as_int(n) > kMostCells / std::max(cells, Wide{1})) return kMostCells;
    cells *= *as_int(n);
  }
  return cells;
}

/// The next choice of carriers; false after the last one.
bool advance(std::vector<Carrier>& carriers) {
  for (Carrier& c : carriers) {
    if (++c.chosen < c.operands) return true;
    c.chosen = 0;
  }
  return false;
}

FoundLayout layout_by(const IndexMap& map, const std::vector<Expr>& shape, const MapDigits& digits) {
  Layout layout;
  if (std::string fault = add_image_box(map, shape, digits, &layout); !fault.empty()) return {std::nullopt, fault};
  invert(map, shape, digits, &layout);
  // With as many cells as indices there is no padding, whatever the digits say.
  Wide cells = cells_of(shape), new_cells = cells_of(layout.shape);
  if (layout.inverse && cells == new_cells && cells < kMostCells) layout.in_image = boolean(true);
  return {layout, ""};
}

}  // namespace

FoundLayout layout_of(const IndexMap& map, const std::vector<Expr>& shape) {
  constexpr int kMostChoices = 64;
  MapDigits digits = digits_of(map, shape);
  FoundLayout first = layout_by(map, shape, digits);
  if (first.layout && first.layout->inverse) return first;
  std::vector<Carrier> carriers = digits.carriers;
  for (int k = 1; k < kMostChoices && advance(carriers); ++k) {
    FoundLayout other = layout_by(map, shape, digits_of(map, shape, carriers));
    if (other.layout && other.layout->inverse) return other;
  }
  return first;
}

Expr image_by(const IndexMap& map, const IndexMap& inverse, const std::vector<Expr>& shape) {
  std::vector<Expr> conditions;
  for (size_t k = 0; k < shape.size(); ++k) {
    conditions.push_back(ge(inverse.outputs[k], i32(0)));
    conditions.push_back(lt(inverse.outputs[k], shape[k]));
  }
  std::vector<Expr> again = map.apply(inverse.outputs);
  for (size_t d = 0; d < again.size(); ++d) conditions.push_back(eq(again[d], Expr(inverse.inputs[d])));
  return all(conditions);
}

Expr negated(const Expr& condition) {
  if (const int64_t* value = as_int(condition)) return boolean(*value == 0);
  auto side = [&](size_t k) { return condition->args[k]; };
  if (condition->op == Op::And) return lor(negated(side(0)), negated(side(1)));
  if (condition->op == Op::Or) return land(negated(side(0)), negated(side(1)));
  if (condition->op == Op::Not) return side(0);
  if (is_comparison(condition->op) && side(0)->dtype.is_integer()) {
    if (condition->op == Op::LT) return ge(side(0), side(1));
    if (condition->op == Op::LE) return gt(side(0), side(1));
    if (condition->op == Op::GT) return le(side(0), side(1));
    if (condition->op == Op::GE) return lt(side(0), side(1));
    if (condition->op == Op::EQ) return ne(side(0), side(1));
    if (condition->op == Op::NE) return eq(side(0), side(1));
  }
  return lnot(condition);
}

std::vector<std::string> output_names(const IndexMap& map) {
  std::vector<std::string> names;
  for (size_t d = 0; d < map.outputs.size(); ++d) {
    std::set<Var> inputs = free_vars(map.outputs[d]);
    std::string name = "p" + std::to_string(d);
    if (inputs.size() == 1) {
      size_t of_it = 0, before = 0;
      for (size_t e = 0; e < map.outputs.size(); ++e) {
        if (free_vars(map.outputs[e]) != inputs) continue;
        ++of_it;
        before += e < d;
      }
      const std::string& input = inputs.begin()->name();
      name = of_it == 1 ? input : of_it == 2 ? input + (before ? "i" : "o") : input + std::to_string(before);
    }
    while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
    names.push_back(name);
  }
  return names;
}

}  // namespace hexproof
