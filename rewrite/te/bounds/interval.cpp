#include "rewrite/te/bounds/interval.h"

#include <algorithm>
#include <numeric>

namespace hexproof::te {
namespace {

constexpr int64_t kMost = int64_t{1} << 40;  // wider is no guess

bool small(Wide x) { return x > -kMost && x < kMost; }

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0); }

Linear constant(int64_t value) {
  Linear out;
  out.constant = value;
  return out;
}

Linear difference(const Linear& a, const Linear& b) {
  Linear out = a;
  out.add(b, -1);
  return out;
}

/// The part of a sum that a divisor divides, and the rest: sum = divisor * whole + rest.
struct Parts {
  Linear whole, rest;
  int64_t step = 0;  // the rest is its constant plus multiples of this (and of the divisor)
};
Parts parts_of(const Linear& sum, int64_t divisor) {
  Parts out;
  out.step = divisor;
  for (const auto& [atom, coefficient] : sum.terms) {
    const auto c = static_cast<int64_t>(coefficient);
    const int64_t q = floor_div(c, divisor);
    if (c % divisor == 0) {
      out.whole.add(atom, q);
    } else {
      out.rest.add(atom, c);
      out.step = std::gcd(out.step, std::abs(c));
    }
  }
  const auto k = static_cast<int64_t>(sum.constant);
  out.whole.constant = floor_div(k, divisor);
  out.rest.constant = k - floor_div(k, divisor) * divisor;
  return out;
}

/// The greatest remainder that the rest can have.
int64_t greatest_remainder(const Parts& p, int64_t divisor) {
  const auto k = static_cast<int64_t>(p.rest.constant);
  return p.rest.terms.empty() ? k % divisor : divisor - p.step + k % p.step;
}

}  // namespace

std::optional<Interval> Intervals::over(const Expr& e) const { return over(linear(e)); }

std::optional<Interval> Intervals::over(const Linear& sum) const {
  Interval out{constant(0), 0};
  out.least.constant = sum.constant;
  for (const auto& [e, coefficient] : sum.terms) {
    const std::optional<Interval> in = atom(e);
    if (!in || !small(coefficient)) return std::nullopt;
    const auto c = static_cast<int64_t>(coefficient);
    const Wide wide = Wide(in->width) * (c < 0 ? -c : c);
    if (!small(wide)) return std::nullopt;
    out.least.add(in->least, c);
    if (c < 0) out.least.constant += Wide(in->width) * c;
    out.width += static_cast<int64_t>(wide);
  }
  if (!small(out.least.constant) || !small(out.width)) return std::nullopt;
  return out;
}

std::optional<Interval> Intervals::quotient(const Interval& in, int64_t divisor) const {
  const Parts p = parts_of(in.least, divisor);  // of a number: the quotient, and what is left
  Interval out{p.whole, (greatest_remainder(p, divisor) + in.width) / divisor};
  const auto rest = range(p.rest);
  if (!rest || rest->first < 0 || rest->second >= divisor) {
    const Expr e = p.rest.expr(kInt32);
    if (!e) return std::nullopt;
    out.least.add(floordiv(e, i32(divisor)), 1);
  } else {
    out.width = std::min(out.width, (rest->second + in.width) / divisor);
  }
  return out;
}

std::optional<Interval> Intervals::remainder(const Interval& in, int64_t divisor) const {
  const Parts p = parts_of(in.least, divisor);
  const auto rest = range(p.rest);
  const bool inside = rest && rest->first >= 0 && rest->second < divisor;
  const int64_t greatest = inside ? rest->second : greatest_remainder(p, divisor);
  if (greatest + in.width >= divisor) return Interval{constant(0), divisor - 1};
  if (inside) return Interval{p.rest, in.width};
  const Expr e = p.rest.expr(kInt32);
  if (!e) return std::nullopt;
  Interval out{constant(0), in.width};
  out.least.add(floormod(e, i32(divisor)), 1);
  return out;
}

std::optional<Interval> Intervals::atom(const Expr& e) const {
  if (e->op == Op::Var) {
    auto it = runs_.find(e->var());
    if (it == runs_.end() || it->second.fixed) {
      Interval out;
      out.least.add(e, 1);
      return out;
    }
    const Run& run = it->second;
    if (!run.extent) return std::nullopt;
    std::optional<Interval> from = over(run.least);
    if (from) from->width += *run.extent - 1;
    return from;
  }
  if (e->op == Op::Cast && e->dtype.is_integer()) {
    const std::optional<Interval> in = over(e->args[0]);
    const auto least = in ? range(in->least) : std::nullopt;
    const bool fits =
        !least || (fits_type(e->dtype, least->first) && fits_type(e->dtype, Wide(least->second) + in->width));
    if (fits) return in;
    const Wide width = max_value(e->dtype) - min_value(e->dtype);
    if (!small(min_value(e->dtype)) || !small(width)) return std::nullopt;
    return Interval{constant(static_cast<int64_t>(min_value(e->dtype))), static_cast<int64_t>(width)};
  }
  if (e->op == Op::FloorDiv || e->op == Op::FloorMod) {
    const int64_t* divisor = as_int(e->args[1]);
    if (!divisor || *divisor <= 0) return std::nullopt;
    const Expr& of = e->args[0];
    if (e->op == Op::FloorDiv && (of->op == Op::Min || of->op == Op::Max)) {  // a quotient grows with what is divided
      return over(binary(of->op, floordiv(of->args[0], e->args[1]), floordiv(of->args[1], e->args[1])));
    }
    const std::optional<Interval> in = over(of);
    if (!in) return std::nullopt;
    return e->op == Op::FloorDiv ? quotient(*in, *divisor) : remainder(*in, *divisor);
  }
  if (e->op == Op::Min || e->op == Op::Max) {
    const std::optional<Interval> a = over(e->args[0]), b = over(e->args[1]);
    if (!a || !b) return std::nullopt;
    const Expr x = a->least.expr(kInt32), y = b->least.expr(kInt32);
    if (!x || !y) return std::nullopt;
    Interval out{constant(0), std::max(a->width, b->width)};
    const auto d = range(difference(a->least, b->least));
    const bool less = d && d->second <= 0, more = d && d->first >= 0;
    if (less || more) {
      out.least = (e->op == Op::Min) == less ? a->least : b->least;
    } else {
      out.least.add(binary(e->op, x, y), 1);
    }
    return out;
  }
  if (e->op == Op::Select || e->op == Op::IfThenElse) {
    const std::optional<Interval> a = over(e->args[1]), b = over(e->args[2]);
    if (!a || !b) return std::nullopt;
    return around({*a, *b});
  }
  return std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>> Intervals::atom_range(const Expr& e) const {
  using Pair = std::pair<int64_t, int64_t>;
  if (e->op == Op::Var) {
    auto it = runs_.find(e->var());
    if (it == runs_.end() || !it->second.extent) return std::nullopt;
    const auto from = range(linear(it->second.least));
    if (!from) return std::nullopt;
    return Pair{from->first, from->second + *it->second.extent - 1};
  }
  if (e->op == Op::FloorDiv || e->op == Op::FloorMod) {
    const int64_t* divisor = as_int(e->args[1]);
    const auto in = range(linear(e->args[0]));
    if (!divisor || *divisor <= 0) return std::nullopt;
    if (e->op == Op::FloorMod) {
      return in && in->first >= 0 && in->second < *divisor ? *in : Pair{0, *divisor - 1};
    }
    if (!in) return std::nullopt;
    return Pair{floor_div(in->first, *divisor), floor_div(in->second, *divisor)};
  }
  if (e->op == Op::Min || e->op == Op::Max) {
    const auto a = range(linear(e->args[0])), b = range(linear(e->args[1]));
    if (!a || !b) return std::nullopt;
    return e->op == Op::Min ? Pair{std::min(a->first, b->first), std::min(a->second, b->second)}
                            : Pair{std::max(a->first, b->first), std::max(a->second, b->second)};
  }
  return std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>> Intervals::range(const Linear& sum) const {
  // min(a, b) - c is min(a - c, b - c): what both sides share goes away.
  for (const auto& [e, coefficient] : sum.terms) {
    if ((e->op != Op::Min && e->op != Op::Max) || (coefficient != 1 && coefficient != -1)) continue;
    if (sum.terms.size() == 1 && coefficient == 1) break;
    Linear rest = sum;
    rest.add(e, -coefficient);
    Linear a = rest, b = rest;
    a.add(linear(e->args[0]), coefficient);
    b.add(linear(e->args[1]), coefficient);
    const auto x = range(a), y = range(b);
    if (!x || !y) return std::nullopt;
    if ((e->op == Op::Min) == (coefficient == 1)) {
      return std::pair{std::min(x->first, y->first), std::min(x->second, y->second)};
    }
    return std::pair{std::max(x->first, y->first), std::max(x->second, y->second)};
  }
  Wide low = sum.constant, high = sum.constant;
  for (const auto& [e, coefficient] : sum.terms) {
    const auto r = atom_range(e);
    if (!r) return std::nullopt;
    low += coefficient * (coefficient > 0 ? r->first : r->second);
    high += coefficient * (coefficient > 0 ? r->second : r->first);
  }
  if (!small(low) || !small(high)) return std::nullopt;
  return std::pair{static_cast<int64_t>(low), static_cast<int64_t>(high)};
}

std::optional<Interval> Intervals::around(const std::vector<Interval>& all) const {
  std::optional<Interval> best;
  for (const Interval& base : all) {
    int64_t below = 0, above = base.width;
    bool known = true;
    for (const Interval& other : all) {
      const auto d = range(difference(other.least, base.least));
      known = known && d;
      if (!known) break;
      below = std::min(below, d->first), above = std::max(above, d->second + other.width);
    }
    if (!known || (best && best->width <= above - below)) continue;
    best = Interval{base.least, above - below};
    best->least.constant += below;
  }
  return best;
}

}  // namespace hexproof::te
