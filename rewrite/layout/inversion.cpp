#include "rewrite/layout/inversion.h"

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

}  // namespace

void invert(const IndexMap& map, const std::vector<Expr>& shape, const MapDigits& digits, Layout* layout) {
  Inversion(map, shape, digits).run(layout);
}

}  // namespace hexproof
