// Intervals of mathematical integers, with saturation at infinity.
#pragma once
#include <algorithm>

#include "ir/dtype.h"

namespace hexproof {

/// Beyond this magnitude a bound is "none"; far from the end of 128 bits, so that sums of bounds do not wrap.
inline constexpr Wide kInfinity = Wide{1} << 120;

inline Wide saturate(Wide v) { return v > kInfinity ? kInfinity : v < -kInfinity ? -kInfinity : v; }
/// Saturating arithmetic on bounds. An infinite operand stays infinite (infinity * 0 is 0).
inline bool is_infinite(Wide v) { return v >= kInfinity || v <= -kInfinity; }
Wide mul_bound(Wide a, Wide b);

/// lo <= x <= hi; lo > hi is the empty set.
struct Interval {
  Wide lo = -kInfinity, hi = kInfinity;

  bool empty() const { return lo > hi; }
  bool bounded() const { return !is_infinite(lo) && !is_infinite(hi); }
  bool within(Wide a, Wide b) const { return a <= lo && hi <= b; }
  bool within(DType type) const { return within(min_value(type), max_value(type)); }
  bool contains(Wide v) const { return lo <= v && v <= hi; }
  bool is_point() const { return lo == hi; }
  friend bool operator==(const Interval&, const Interval&) = default;
};
/// A bound of one side is infinite on that side alone: a lower bound beyond all finite ones is the largest of these.
Interval between(Wide lo, Wide hi);
inline Interval point(Wide v) { return between(v, v); }
inline Interval range_of(DType type) { return {min_value(type), max_value(type)}; }
inline Interval hull(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }
inline Interval meet(Interval a, Interval b) { return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }

Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
/// Floor and truncated division; everything when the divisor may be zero.
Interval floor_div(Interval a, Interval b);
Interval floor_mod(Interval a, Interval b);
Interval trunc_div(Interval a, Interval b);
Interval trunc_mod(Interval a, Interval b);

}  // namespace hexproof
