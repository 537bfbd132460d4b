#include "verify/prove/solvers/arithmetic/interval.h"

#include "ir/base/mutant.h"

namespace hexproof {

Interval between(Wide lo, Wide hi) {
  return {HEXPROOF_MUTANT("interval/infinite-from-below", std::min(saturate(lo), kInfinity - 1), saturate(lo)),
          std::max(saturate(hi), 1 - kInfinity)};
}

Wide mul_bound(Wide a, Wide b) {
  Wide product;
  if (a == 0 || b == 0) return 0;
  bool negative = (a < 0) != (b < 0);
  if (is_infinite(a) || is_infinite(b) || __builtin_mul_overflow(a, b, &product)) {
    return negative ? -kInfinity : kInfinity;
  }
  return saturate(product);
}

namespace {
Wide add_bound(Wide a, Wide b) {
  // An infinite bound absorbs; lower bounds are infinite below alone, and upper ones above (`between`).
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  return saturate(a + b);
}

template <class Divide>
Interval divide_corners(Interval a, Interval b, Divide divide) {
  // The quotient is monotonic in each operand as long as the divisor keeps its sign.
  Interval out{kInfinity, -kInfinity};
  for (Wide x : {a.lo, a.hi}) {
    for (Wide y : {b.lo, b.hi}) {
      Wide q = is_infinite(x) ? ((x > 0) == (y > 0) ? kInfinity : -kInfinity) : divide(x, y);
      out = hull(out, point(q));
      // x / infinity comes arbitrarily near to zero, on either side after rounding.
      if (is_infinite(y)) out = hull(out, Interval{-1, 0});
    }
  }
  return between(out.lo, out.hi);
}
}  // namespace

Interval operator+(Interval a, Interval b) { return between(add_bound(a.lo, b.lo), add_bound(a.hi, b.hi)); }
Interval operator-(Interval a, Interval b) {
  return between(HEXPROOF_MUTANT("interval/difference", add_bound(a.lo, -b.hi), add_bound(a.lo, -b.lo)),
                 add_bound(a.hi, -b.lo));
}
Interval operator*(Interval a, Interval b) {
  Wide c[] = {mul_bound(a.lo, b.lo), HEXPROOF_MUTANT("interval/product", mul_bound(a.lo, b.hi), mul_bound(a.lo, b.lo)),
              mul_bound(a.hi, b.lo), mul_bound(a.hi, b.hi)};
  return between(*std::min_element(c, c + 4), *std::max_element(c, c + 4));
}

Interval floor_div(Interval a, Interval b) {
  if (b.contains(0) || a.empty() || b.empty()) return {};
  return divide_corners(a, b, [](Wide x, Wide y) { return floor_div(x, y); });
}

Interval trunc_div(Interval a, Interval b) {
  if (b.contains(0) || a.empty() || b.empty()) return {};
  return divide_corners(a, b, [](Wide x, Wide y) { return x / y; });
}

Interval floor_mod(Interval a, Interval b) {
  if (b.contains(0) || a.empty() || b.empty()) return {};
  if (b.lo > 0) {
    if (a.lo >= 0 && a.hi < b.lo) return a;
    Interval out{0, is_infinite(b.hi) ? kInfinity : HEXPROOF_MUTANT("interval/floor-mod", b.hi - 1, b.hi - 2)};
    if (a.lo >= 0) out.hi = std::min(out.hi, a.hi);
    return out;
  }
  return {is_infinite(b.lo) ? -kInfinity : b.lo + 1, 0};
}

Interval trunc_mod(Interval a, Interval b) {
  if (b.contains(0) || a.empty() || b.empty()) return {};
  Wide most = std::max(b.hi < 0 ? -b.lo : b.hi, Wide{1});
  if (!is_infinite(most)) most -= 1;
  Interval out = between(-most, most);
  if (a.lo >= 0) out.lo = 0, out.hi = std::min(out.hi, a.hi);
  if (a.hi <= 0) out.hi = 0, out.lo = std::max(out.lo, a.lo);
  return out;
}

}  // namespace hexproof
