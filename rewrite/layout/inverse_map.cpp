#include "rewrite/layout/inverse_map.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/box.h"
#include "rewrite/layout/digits.h"
#include "rewrite/layout/swizzle.h"

namespace hexproof {
namespace {

/// Puts the digits that the outputs hold together again. What the image is known by comes along: digits
/// below their extent, atoms between their ends, no remainder where there is no digit.
class Inversion {
 public:
  Inversion(const IndexMap& map, const std::vector<Expr>& shape, const MapDigits& digits)
      : map_(map), shape_(shape), digits_(digits), parts_(digits.atoms.size()) {}

  /// Sets `inverse` and `in_image`, where they are found.
  void run(Layout* layout) {
    IndexMap inverse;
    for (size_t d = 0; d < digits_.outputs.size(); ++d) {
      inverse.inputs.push_back(Var::fresh("p" + std::to_string(d), kInt32));
      if (!digits_.outputs[d]) return;
      const DigitSum& sum = *digits_.outputs[d];
      Expr p(inverse.inputs[d]);
      if (sum.offset > 0) conditions_.push_back(ge(p, i32(sum.offset)));
      if (!take_apart(minus(p, sum.offset), sum, d)) return;
    }
    // An atom is made of atoms before it, so the last one is known first.
    std::vector<Expr> values(digits_.atoms.size());
    for (size_t a = digits_.atoms.size(); a-- > 0;) {
      const Atom& atom = digits_.atoms[a];
      if (parts_[a].empty() && !atom.input) continue;
      if (parts_[a].empty()) {
        if (!is_int(shape_[*atom.input], 1)) return;
        values[a] = i32(0);
        continue;
      }
      values[a] = put_together(a);
      if (!values[a]) return;
      if (atom.input) continue;
      Expr inner = atom.reversed ? i32(atom.sum.offset) - values[a] : minus(unmasked(atom, values[a]), atom.sum.offset);
      if (!take_apart(inner, atom.sum, std::nullopt)) return;
    }
    for (size_t k = 0; k < shape_.size(); ++k) inverse.outputs.push_back(values[k]);
    if (masked_ && !settle_masks(map_, shape_, layout->shape, &inverse, &conditions_)) return;
    // An output with a digit that is known from elsewhere must agree.
    std::vector<Expr> again = map_.apply(inverse.outputs);
    for (size_t d : repeated_) conditions_.push_back(eq(again[d], Expr(inverse.inputs[d])));
    layout->in_image = all(conditions_);
    layout->inverse = std::move(inverse);
  }

 private:
  struct Part {
    Digit digit;
    Expr value;
    std::optional<size_t> output;  // the output that holds it, unless it is part of an atom
    bool leading = false;          // nothing stands above it there
  };

  /// The value with its bits flipped back, over the logical indices as far as the mask is. Within the bits of the mask
  /// there are values to which nothing goes.
  Expr unmasked(const Atom& atom, const Expr& value) {
    if (!atom.mask) return value;
    masked_ = true;
    const Expr before = binary(Op::BitXor, value, atom.mask);
    const bool whole = atom.end.constant() && atom.end.add == atom.unmasked.add;
    if (!whole) conditions_.push_back(lt(before, atom.unmasked.expr()));
    if (atom.sum.offset > 0) conditions_.push_back(ge(before, i32(atom.sum.offset)));
    return before;
  }

  static Expr minus(const Expr& e, int64_t c) { return c == 0 ? e : c > 0 ? e - i32(c) : e + i32(-c); }

  bool take_apart(const Expr& value, const DigitSum& sum, std::optional<size_t> output) {
    for (size_t k = 0; k < sum.digits.size(); ++k) {
      const Digit& d = sum.digits[k];
      Wide below = 0;
      for (size_t j = k + 1; j < sum.digits.size(); ++j) {
        if (sum.digits[j].extent == 0) return false;
        below += Wide(sum.digits[j].scale) * (sum.digits[j].extent - 1);
      }
      if (below >= d.scale || d.scale > max_value(kInt32)) return false;
      Expr e = k ? floormod(value, i32(sum.digits[k - 1].scale)) : value;
      if (d.scale != 1) e = floordiv(e, i32(d.scale));
      if (k && d.extent == 0) return false;
      if (k && Wide(d.scale) * d.extent < sum.digits[k - 1].scale) conditions_.push_back(lt(e, i32(d.extent)));
      parts_[d.atom].push_back({d, e, output, k == 0});
    }
    if (!sum.digits.empty() && sum.digits.back().scale > 1) {
      conditions_.push_back(eq(floormod(value, i32(sum.digits.back().scale)), i32(0)));
    }
    return true;
  }

  /// The atom from digits that follow each other without a gap, from 1 up.
  Expr put_together(size_t a) {
    const Atom& atom = digits_.atoms[a];
    std::vector<Part>& parts = parts_[a];
    std::vector<bool> used(parts.size(), false);
    Wide upper = 1;
    bool whole = false, leads = false;
    Expr sum;
    auto short_of_end = [&] { return !whole && (!atom.end.constant() || upper < atom.end.add); };
    while (short_of_end()) {
      const Part* next = nullptr;
      for (size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].digit.lower != upper) continue;
        bool more = !next || parts[k].digit.extent == 0 ||
                    (next->digit.extent != 0 && parts[k].digit.extent > next->digit.extent);
        if (more) next = &parts[k];
      }
      if (!next || upper > max_value(kInt32)) break;
      used[static_cast<size_t>(next - parts.data())] = true;
      Expr term = upper == 1 ? next->value : next->value * i32(upper);
      sum = sum ? term + sum : term;
      if (next->digit.extent == 0) {
        whole = true, leads = next->leading;
      } else {
        upper *= next->digit.extent;
      }
    }
    for (size_t k = 0; k < parts.size(); ++k) {
      if (used[k]) continue;
      if (!parts[k].output) return Expr();
      repeated_.push_back(*parts[k].output);
    }
    if (!sum) return sum;
    if (short_of_end()) {
      // The digits up to `upper` tell the value apart when no two values are that far from each other.
      if (!atom.end.constant() || atom.end.add - atom.begin > upper) return Expr();
      sum = minus(floormod(minus(sum, atom.begin), i32(upper)), -atom.begin);
      if (atom.end.add - atom.begin < upper) conditions_.push_back(lt(sum, i32(atom.end.add)));
      return sum;
    }
    if (atom.begin > 0) conditions_.push_back(ge(sum, i32(atom.begin)));
    // A leading digit ends where the box does, or the atom it is part of; when it is the whole value, nothing is left
    // to ask.
    bool carried = whole && upper == 1 && leads;
    if (whole ? !carried : upper > atom.end.add) conditions_.push_back(lt(sum, atom.end.expr()));
    return sum;
  }

  const IndexMap& map_;
  const std::vector<Expr>& shape_;
  const MapDigits& digits_;
  std::vector<std::vector<Part>> parts_;
  std::vector<Expr> conditions_;
  std::vector<size_t> repeated_;
  bool masked_ = false;
};

constexpr Wide kMostCells = Wide(1) << 62;

/// Stands for a symbolic extent where indices are tried out.
constexpr int64_t kSample = int64_t(1) << 22;

/// Finds the end of one output, and where it is reached.
class Box {
 public:
  Box(const IndexMap& map, const std::vector<Expr>& shape, const MapDigits& digits) : map_(map), shape_(shape) {
    for (const Expr& e : shape) {
      symbolic_.push_back(!as_int(e));
      sample_.push_back(as_int(e) ? *as_int(e) : kSample);
    }
    digits_ = &digits;
  }

  /// Adds a dimension; or why there is no box.
  std::string add(size_t d, Layout* layout) const {
    const Expr& e = map_.outputs[d];
    const std::optional<DigitSum>& sum = digits_->outputs[d];
    std::optional<Bound> end = sum ? digits_->end_of(*sum) : std::nullopt;
    bool grows = end && !end->constant();
    bool depends = false;
    for (size_t k = 0; k < shape_.size(); ++k) depends = depends || (symbolic_[k] && uses_var(e, map_.inputs[k]));
    if (depends && !end) {
      return "the extent of " + print(e) + " is not known";
    }
    // What the unbounded digit is made of stands at its last index, whatever the size; the rest is tried out.
    std::vector<bool> at_end(shape_.size(), false), none = at_end;
    if (grows) mark_inputs(sum->digits.front().atom, &at_end);
    std::optional<Attained> top = attained(e, true, at_end), low = attained(e, false, none);
    if (!top || !low) {
      return print(e) + " is no index everywhere in the box";
    }
    int64_t least = *as_int(low->value);
    bool remainder = e->op == Op::FloorMod;  // its box starts at 0 by convention
    if (least < 0 || (least > 0 && !remainder)) {
      return "the box starts at 0, but " + print(e) + " starts at " + std::to_string(least);
    }
    layout->least.push_back(least == 0 ? *low : Attained{});
    if (grows) {
      layout->shape.push_back(end->expr());
      layout->greatest.push_back(*top);
      return "";
    }
    int64_t last = *as_int(top->value);
    if (last >= max_value(kInt32)) {
      return "the extent of " + print(e) + " is no int32";
    }
    layout->shape.push_back(i32(last + 1));
    layout->greatest.push_back(*top);
    return "";
  }

 private:
  void mark_inputs(size_t atom, std::vector<bool>* marked) const {
    const Atom& a = digits_->atoms[atom];
    if (a.input) {
      (*marked)[*a.input] = symbolic_[*a.input];
    } else if (!a.sum.digits.empty() && a.sum.digits.front().extent == 0) {
      mark_inputs(a.sum.digits.front().atom, marked);
    }
  }

  std::optional<Attained> attained(const Expr& e, bool greatest, const std::vector<bool>& at_the_end) const {
    std::vector<int64_t> extents = sample_;
    for (size_t k = 0; k < shape_.size(); ++k) {
      // Far from the end, which is another one in each run.
      if (symbolic_[k] && !at_the_end[k]) extents[k] = kSample / 4;
    }
    std::optional<std::vector<int64_t>> at = extreme_index(e, map_.inputs, extents, greatest, at_the_end);
    if (!at) return std::nullopt;
    Attained out;
    for (size_t k = 0; k < shape_.size(); ++k) {
      bool last = at_the_end[k];
      out.index.push_back(last ? shape_[k] - i32(1) : i32((*at)[k]));
      if (symbolic_[k]) out.given.push_back(gt(shape_[k], last ? i32(0) : i32((*at)[k])));
    }
    std::optional<int64_t> value = value_of(e, map_.inputs, *at);
    if (!value || !fits_type(kInt32, *value)) return std::nullopt;
    out.value = i32(*value);
    return out;
  }

  const IndexMap& map_;
  const std::vector<Expr>& shape_;
  const MapDigits* digits_;
  std::vector<bool> symbolic_;
  std::vector<int64_t> sample_;
};

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

namespace {

/// At most kMostCells, which stands for every number that is larger or not known.
Wide cells_of(const std::vector<Expr>& shape) {
  Wide cells = 1;
  for (const Expr& n : shape) {
    if (!as_int(n) || *as_int(n) > kMostCells / std::max(cells, Wide{1})) return kMostCells;
    cells *= *as_int(n);
  }
  return cells;
}

}  // namespace

namespace {

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
  Box box(map, shape, digits);
  for (size_t d = 0; d < map.outputs.size(); ++d) {
    if (std::string fault = box.add(d, &layout); !fault.empty()) return {std::nullopt, fault};
  }
  Inversion(map, shape, digits).run(&layout);
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
