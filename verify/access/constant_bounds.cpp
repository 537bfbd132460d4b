#include "verify/access/constant_bounds.h"

#include <algorithm>

#include "verify/access/footprint.h"

namespace hexproof {

void ConstantBounds::learn(const Expr& c) {
  if (c->args.size() != 2) return;
  const Expr &a = c->args[0], &b = c->args[1];
  auto low = [&](const Var& v, Wide value) { map_[v].lo = std::max(map_[v].lo, value); };
  auto high = [&](const Var& v, Wide value) { map_[v].hi = std::min(map_[v].hi, value); };
  if (c->op == Op::LE && as_int(a) && b->op == Op::Var) low(b->var(), int_value(a));
  if (c->op == Op::GE && a->op == Op::Var && as_int(b)) low(a->var(), int_value(b));
  if (c->op == Op::LT && a->op == Op::Var && as_int(b)) high(a->var(), int_value(b) - 1);
  if (c->op == Op::LE && a->op == Op::Var && as_int(b)) high(a->var(), int_value(b));
}

Interval ConstantBounds::of(const Expr& e) const {
  if (as_int(e)) return {int_value(e), int_value(e)};
  Interval all = e->dtype.is_integer() ? range_of(e->dtype) : Interval{};
  if (e->op == Op::Var) {
    auto it = map_.find(e->var());
    return it == map_.end() ? all : meet(all, it->second);
  }
  if (is_data(e)) return all;
  if ((e->op == Op::FloorDiv || e->op == Op::FloorMod) && as_int(e->args[1]) && int_value(e->args[1]) > 0) {
    Interval x = of(linear(e->args[0])), c = point(int_value(e->args[1]));
    return e->op == Op::FloorDiv ? floor_div(x, c) : floor_mod(x, c);
  }
  if (e->op == Op::BitXor) {
    const Interval a = of(linear(e->args[0])), b = of(linear(e->args[1]));
    if (a.lo < 0 || b.lo < 0 || !a.bounded() || !b.bounded()) return all;
    Wide end = 1;
    while (end <= std::max(a.hi, b.hi)) end *= 2;
    return {0, end - 1};
  }
  return all;
}

Interval ConstantBounds::of(const Linear& x) const {
  Interval out = point(x.constant);
  for (const auto& [atom, c] : x.terms) out = out + of(atom) * point(c);
  return out;
}

}  // namespace hexproof
