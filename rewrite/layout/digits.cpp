#include "rewrite/layout/digits.h"

#include <algorithm>

#include "verify/facts/facts.h"

namespace hexproof {
namespace {

constexpr int64_t kLargestDigit = int64_t(1) << 40;

bool far(Wide x) { return x > kLargestDigit || x < -kLargestDigit; }

/// The largest value of the digits alone; nothing when one has no bound, or it is too large.
std::optional<int64_t> most(const std::vector<Digit>& digits, size_t from = 0) {
  Wide sum = 0;
  for (size_t k = from; k < digits.size(); ++k) {
    if (digits[k].extent == 0) return std::nullopt;
    sum += Wide(digits[k].scale) * (digits[k].extent - 1);
  }
  if (far(sum)) return std::nullopt;
  return static_cast<int64_t>(sum);
}

/// No digits of the sum carry into the one above them.
bool clean(const DigitSum& sum) {
  for (size_t k = 0; k < sum.digits.size(); ++k) {
    std::optional<int64_t> below = most(sum.digits, k + 1);
    if (!below || *below >= sum.digits[k].scale) return false;
  }
  return true;
}

class Reader {
 public:
  Reader(const IndexMap& map, const std::vector<Expr>& shape, const std::vector<Carrier>& wanted, MapDigits* out)
      : map_(map), shape_(shape), wanted_(wanted), out_(out) {}

  std::optional<DigitSum> read(const Expr& e) {
    if (e->op == Op::IntImm) return DigitSum{{}, e->int_value()};
    if (e->op == Op::Var) return whole(e->var());
    if (e->op == Op::Add || e->op == Op::Sub) {
      std::optional<DigitSum> a = read(e->args[0]), b = read(e->args[1]);
      if (a && b && e->op == Op::Sub) b = negated(*b);
      return a && b ? sum_of(*a, *b) : std::nullopt;
    }
    if (e->op == Op::Mul) {
      bool left = as_int(e->args[0]);
      const int64_t* c = as_int(e->args[left ? 0 : 1]);
      std::optional<DigitSum> a = read(e->args[left ? 1 : 0]);
      if (!c || !a || far(*c)) return std::nullopt;
      if (*c == 0) return DigitSum{};
      if (*c < 0) a = negated(*a);
      return a ? scaled(*a, *c < 0 ? -*c : *c) : std::nullopt;
    }
    if (e->op == Op::FloorDiv || e->op == Op::FloorMod) {
      const int64_t* c = as_int(e->args[1]);
      std::optional<DigitSum> a = read(e->args[0]);
      if (!a || !c || *c <= 0) return std::nullopt;
      return cut(*a, *c, e->op == Op::FloorDiv);
    }
    if (e->op == Op::BitXor) return masked(e);
    return of_bits(e);
  }

 private:
  std::optional<DigitSum> whole(const Var& v) const {
    for (size_t k = 0; k < map_.inputs.size(); ++k) {
      if (!(map_.inputs[k] == v)) continue;
      const int64_t* extent = as_int(shape_[k]);
      if (extent && *extent == 1) return DigitSum{};
      return DigitSum{{{k, 1, extent ? *extent : 0, 1}}, 0};
    }
    return std::nullopt;
  }

  static std::optional<DigitSum> sum_of(const DigitSum& a, const DigitSum& b) {
    DigitSum out{a.digits, a.offset + b.offset};
    out.digits.insert(out.digits.end(), b.digits.begin(), b.digits.end());
    std::stable_sort(out.digits.begin(), out.digits.end(),
                     [](const Digit& x, const Digit& y) { return x.scale > y.scale; });
    return far(out.offset) ? std::nullopt : std::optional(out);
  }

  static std::optional<DigitSum> scaled(DigitSum sum, int64_t c) {
    for (Digit& d : sum.digits) {
      if (far(Wide(d.scale) * c)) return std::nullopt;
      d.scale *= c;
    }
    if (far(Wide(sum.offset) * c)) return std::nullopt;
    sum.offset *= c;
    return sum;
  }

  /// -x is (extent - 1 - x) - (extent - 1): each digit becomes its mirror image.
  std::optional<DigitSum> negated(const DigitSum& sum) {
    DigitSum out{{}, -sum.offset};
    for (const Digit& d : sum.digits) {
      if (d.extent == 0) return std::nullopt;
      Atom mirror;
      mirror.sum = {{{d.atom, d.lower, d.extent, 1}}, d.extent - 1};
      mirror.reversed = true;
      mirror.end = {{}, d.extent};
      out.digits.push_back({interned(mirror), 1, d.extent, d.scale});
      out.offset -= d.scale * (d.extent - 1);
    }
    return far(out.offset) ? std::nullopt : std::optional(out);
  }

  size_t interned(const Atom& atom) {
    for (size_t k = 0; k < out_->atoms.size(); ++k) {
      const Atom& other = out_->atoms[k];
      bool one_mask = other.mask ? atom.mask && other.mask == atom.mask : !atom.mask;
      if (!other.input && other.sum == atom.sum && other.reversed == atom.reversed && one_mask) return k;
    }
    out_->atoms.push_back(atom);
    return out_->atoms.size() - 1;
  }

  std::optional<DigitSum> cut(const DigitSum& sum, int64_t c, bool quotient) {
    std::optional<DigitSum> digits = cut_digits(sum, c, quotient);
    return digits ? digits : cut_as_one(sum, c, quotient);
  }

  /// `x & 7`, `x >> 3` and `x << 3` are `x % 8`, `x // 8` and `x * 8`.
  std::optional<DigitSum> of_bits(const Expr& e) {
    if (e->op != Op::BitAnd && e->op != Op::Shl && e->op != Op::Shr) return std::nullopt;
    bool left = e->op == Op::BitAnd && as_int(e->args[0]);
    const int64_t* c = as_int(e->args[left ? 0 : 1]);
    std::optional<DigitSum> a = read(e->args[left ? 1 : 0]);
    if (!c || !a || *c < 0) return std::nullopt;
    if (e->op == Op::BitAnd) {
      bool low_bits = (*c & (*c + 1)) == 0 && *c < kLargestDigit;
      return low_bits ? cut(*a, *c + 1, false) : std::nullopt;
    }
    if (*c >= 31) return std::nullopt;
    return e->op == Op::Shl ? scaled(*a, int64_t(1) << *c) : cut(*a, int64_t(1) << *c, true);
  }

  /// An exclusive or as an atom: one operand, with the bits flipped that the others have.
  std::optional<DigitSum> masked(const Expr& e) {
    std::vector<Expr> operands;
    flatten(e, &operands);
    const size_t chosen = carrier_of(e, operands.size());
    int64_t bits = 1;  // of the mask, as a power of two that is above it
    Expr mask;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (k == chosen) continue;
      std::optional<int64_t> end = constant_end(operands[k]);
      if (!end || *end > max_value(kInt32)) return std::nullopt;
      while (bits < *end) bits *= 2;
      mask = mask ? binary(Op::BitXor, mask, operands[k]) : operands[k];
    }
    std::optional<DigitSum> sum = read(operands[chosen]);
    std::optional<Bound> end = sum ? out_->end_of(*sum) : std::nullopt;
    if (!end || !clean(*sum) || sum->offset < 0) return std::nullopt;
    if (bits == 1) return sum;
    const bool bounded = end->constant();
    Bound above = end->ceil_div(bits);
    if (bounded) {
      above.add *= bits;
    } else {
      above = {above.expr() * i32(bits), 0};
    }
    size_t atom = interned({.sum = *sum, .end = above, .mask = mask, .unmasked = *end});
    return DigitSum{{{atom, 1, bounded ? above.add : 0, 1}}, 0};
  }

  /// The end of the values of an operand that none makes negative.
  std::optional<int64_t> constant_end(const Expr& operand) {
    std::optional<DigitSum> sum = read(operand);
    std::optional<Bound> end = sum && sum->offset >= 0 ? out_->end_of(*sum) : std::nullopt;
    return end && end->constant() ? std::optional(end->add) : std::nullopt;
  }

  static void flatten(const Expr& e, std::vector<Expr>* operands) {
    if (e->op != Op::BitXor) return operands->push_back(e);
    for (const Expr& a : e->args) flatten(a, operands);
  }

  size_t carrier_of(const Expr& e, size_t operands) {
    for (const Carrier& c : out_->carriers) {
      if (c.of == e) return c.chosen;
    }
    Carrier own{e, operands, 0};
    for (const Carrier& c : wanted_) {
      if (c.of == e) own.chosen = c.chosen;
    }
    out_->carriers.push_back(own);
    return own.chosen;
  }

  /// The digits of sum // c, or of sum % c, where each digit lies above c, below it, or is cut by it. What stays below
  /// a digit must not carry into it.
  static std::optional<DigitSum> cut_digits(const DigitSum& sum, int64_t c, bool quotient) {
    DigitSum out{{}, static_cast<int64_t>(floor_div(sum.offset, c))},
        low{{}, static_cast<int64_t>(floor_mod(sum.offset, c))};
    for (size_t k = 0; k < sum.digits.size(); ++k) {
      const Digit& d = sum.digits[k];
      if (d.scale % c == 0) {
        out.digits.push_back({d.atom, d.lower, d.extent, d.scale / c});
      } else if (c % d.scale == 0) {
        int64_t part = c / d.scale;
        if (d.extent != 0 && d.extent <= part) {
          low.digits.push_back(d);
          continue;
        }
        std::optional<int64_t> below = most(sum.digits, k + 1);
        if (!below || *below >= d.scale || far(Wide(d.lower) * part)) return std::nullopt;
        out.digits.push_back({d.atom, d.lower * part, d.extent == 0 ? 0 : (d.extent + part - 1) / part, 1});
        low.digits.push_back({d.atom, d.lower, part, d.scale});
      } else {
        return std::nullopt;
      }
    }
    std::optional<int64_t> rest = most(low.digits);
    if (!rest || *rest + low.offset >= c) return std::nullopt;
    return quotient ? out : low;
  }

  /// The sum as an atom of its own, and the digit of that above or below c.
  std::optional<DigitSum> cut_as_one(const DigitSum& sum, int64_t c, bool quotient) {
    std::optional<Bound> end = out_->end_of(sum);
    if (!end || !clean(sum) || sum.offset < 0) return std::nullopt;
    size_t atom = interned({.input = {}, .sum = sum, .reversed = false, .begin = sum.offset, .end = *end});
    bool bounded = end->constant();
    if (quotient) {
      int64_t extent = bounded ? (end->add + c - 1) / c : 0;
      return bounded && extent <= 1 ? DigitSum{} : DigitSum{{{atom, c, extent, 1}}, 0};
    }
    return DigitSum{{{atom, 1, bounded ? std::min(end->add, c) : c, 1}}, 0};
  }

  const IndexMap& map_;
  const std::vector<Expr>& shape_;
  const std::vector<Carrier>& wanted_;
  MapDigits* out_;
};

}  // namespace

Expr Bound::expr() const {
  if (!base) return i32(add);
  return add == 0 ? base : add > 0 ? base + i32(add) : base - i32(-add);
}

Bound Bound::ceil_div(int64_t by) const {
  if (by == 1) return *this;
  if (constant()) return {{}, static_cast<int64_t>(floor_div(add + by - 1, by))};
  return {floordiv(Bound{base, add + by - 1}.expr(), i32(by)), 0};
}

std::optional<Bound> MapDigits::end_of(const DigitSum& sum) const {
  if (sum.digits.empty()) return Bound{{}, sum.offset + 1};
  const Digit& top = sum.digits.front();
  std::optional<int64_t> rest = most(sum.digits, 1);
  if (!rest) return std::nullopt;
  Wide add = Wide(sum.offset) + *rest + 1;
  if (top.extent != 0) {
    add += Wide(top.scale) * (top.extent - 1);
    return far(add) ? std::nullopt : std::optional(Bound{{}, static_cast<int64_t>(add)});
  }
  // offset + scale * (count - 1) + rest + 1
  Bound count = atoms[top.atom].end.ceil_div(top.lower);
  if (top.scale > max_value(kInt32) || top.lower > max_value(kInt32)) return std::nullopt;
  Expr base = top.scale == 1 ? count.base : count.base * i32(top.scale);
  add += Wide(top.scale) * (count.add - 1);
  if (add > max_value(kInt32) || add < -max_value(kInt32)) return std::nullopt;
  return Bound{base, static_cast<int64_t>(add)};
}

namespace {
/// `n + 2` as n and 2.
Bound bound_of(const Expr& extent) {
  bool sum = extent->op == Op::Add || extent->op == Op::Sub;
  const int64_t* constant = sum ? as_int(extent->args[1]) : nullptr;
  if (!constant || far(*constant)) return {extent, 0};
  return {extent->args[0], extent->op == Op::Add ? *constant : -*constant};
}
}  // namespace

MapDigits digits_of(const IndexMap& map, const std::vector<Expr>& shape, const std::vector<Carrier>& carriers) {
  MapDigits out;
  for (size_t k = 0; k < shape.size(); ++k) {
    Atom atom;
    atom.input = k;
    atom.end = as_int(shape[k]) ? Bound{{}, *as_int(shape[k])} : bound_of(shape[k]);
    out.atoms.push_back(atom);
  }
  for (const Expr& e : map.outputs) out.outputs.push_back(Reader(map, shape, carriers, &out).read(e));
  return out;
}

}  // namespace hexproof
