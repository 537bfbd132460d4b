#include "rewrite/site/loop_range.h"

#include "ir/visit.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"
#include "verify/access/linear.h"

namespace hexproof {
namespace {

/// low <= var <= high, where given; the symbolic ones besides.
struct VarRange {
  std::optional<Wide> low, high;
  std::vector<Expr> lows, highs;
  bool empty = false;

  void at_least(Wide value) { low = low ? std::max(*low, value) : value; }
  void at_most(Wide value) { high = high ? std::min(*high, value) : value; }
};

class Solver {
 public:
  Solver(const Var& var, const Facts& inside, const Facts& outside) : var_(var) {
    for (size_t k = outside.loops.size(); k < inside.loops.size(); ++k) {
      if (!(inside.loops[k].var == var)) inner_.emplace(inside.loops[k].var, inside.loops[k]);
    }
  }

  VarRange solve(const Expr& condition) {
    VarRange out;
    if (condition->op == Op::And) {
      VarRange a = solve(condition->args[0]), b = solve(condition->args[1]);
      out = a;
      if (b.low) out.at_least(*b.low);
      if (b.high) out.at_most(*b.high);
      out.lows.insert(out.lows.end(), b.lows.begin(), b.lows.end());
      out.highs.insert(out.highs.end(), b.highs.begin(), b.highs.end());
      return out;
    }
    if (condition->op == Op::Or) {
      VarRange a = solve(condition->args[0]), b = solve(condition->args[1]);
      if (a.low && b.low) out.low = std::min(*a.low, *b.low);
      if (a.high && b.high) out.high = std::max(*a.high, *b.high);
      return out;
    }
    if (condition->op == Op::Not) return negated(condition->args[0]);
    if (condition->args.size() == 2) {
      comparison(condition->op, condition->args[0], condition->args[1], &out);
    }
    return out;
  }

 private:
  VarRange negated(const Expr& e) {
    if (e->op == Op::Not) return solve(e->args[0]);
    if (e->op == Op::And) return solve(lor(lnot(e->args[0]), lnot(e->args[1])));
    if (e->op == Op::Or) return solve(land(lnot(e->args[0]), lnot(e->args[1])));
    if (e->args.size() == 2 && e->args[0]->dtype.is_integer()) {
      const Expr &a = e->args[0], &b = e->args[1];
      if (e->op == Op::LT) return solve(ge(a, b));
      if (e->op == Op::LE) return solve(gt(a, b));
      if (e->op == Op::GT) return solve(le(a, b));
      if (e->op == Op::GE) return solve(lt(a, b));
      if (e->op == Op::NE) return solve(eq(a, b));
    }
    return {};
  }

  void comparison(Op op, const Expr& a, const Expr& b, VarRange* out) {
    if (!a->dtype.is_integer() || !a->dtype.is_scalar()) return;
    // a - b <= 0, or b - a <= 0, or both
    auto difference = [](const Expr& x, const Expr& y, Wide plus) {
      Linear sum = linear(x);
      sum.add(linear(y), -1);
      sum.constant += plus;
      return sum;
    };
    if (op == Op::LT) not_positive(difference(a, b, 1), out);
    if (op == Op::GT) not_positive(difference(b, a, 1), out);
    if (op == Op::LE || op == Op::EQ) not_positive(difference(a, b, 0), out);
    if (op == Op::GE || op == Op::EQ) not_positive(difference(b, a, 0), out);
  }

  bool bound_inside(const Expr& e) const {
    for (const Var& v : free_vars(e)) {
      if (v == var_ || inner_.count(v)) return true;
    }
    return false;
  }

  /// The least value of factor * v, where the range of v is constant.
  std::optional<Wide> least(const Var& v, Wide factor) const {
    auto it = inner_.find(v);
    if (it == inner_.end() || !as_int(it->second.min) || !as_int(it->second.extent)) return std::nullopt;
    Wide first = int_value(it->second.min), last = first + int_value(it->second.extent) - 1;
    return last < first ? std::nullopt : std::optional<Wide>(factor > 0 ? factor * first : factor * last);
  }

  /// sum <= 0
  void not_positive(const Linear& sum, VarRange* out) {
    Linear rest;
    rest.constant = sum.constant;
    Wide factor = 0;
    Expr quotient;
    for (const auto& [atom, k] : sum.terms) {
      if (atom->op == Op::Var && atom->var() == var_) {
        factor = k;
      } else if (atom->op == Op::FloorDiv && as_int(atom->args[1]) && int_value(atom->args[1]) > 0 &&
                 uses_var(atom, var_) && !quotient) {
        quotient = atom;
      } else if (std::optional<Wide> low = atom->op == Op::Var ? least(atom->var(), k) : std::nullopt) {
        rest.constant += *low;
      } else if (bound_inside(atom) || !is_repeatable(atom)) {
        return;
      } else {
        rest.add(atom, k);
      }
    }
    if (quotient) {
      if (factor == 0) of_quotient(sum, quotient, rest, out);
      return;
    }
    if (factor == 0) return;
    if (rest.terms.empty()) {
      if (factor > 0) out->at_most(floor_div(-rest.constant, factor));
      if (factor < 0) out->at_least(-floor_div(-rest.constant, -factor));
      return;
    }
    Linear value;
    value.add(rest, factor > 0 ? -1 : 1);
    Wide divisor = factor > 0 ? factor : -factor;
    if (factor < 0) value.constant += divisor - 1;  // rounded up
    Expr bound = value.expr(var_.dtype());
    if (!bound || !fits_type(var_.dtype(), divisor)) return;
    if (divisor != 1) bound = floordiv(bound, imm(var_.dtype(), divisor));
    (factor > 0 ? out->highs : out->lows).push_back(bound);
  }

  /// k * (x // c) + rest <= 0 with a constant rest: x is at most, or at least, a constant.
  void of_quotient(const Linear& sum, const Expr& quotient, const Linear& rest, VarRange* out) {
    Wide k = 0;
    for (const auto& [atom, factor] : sum.terms) {
      if (atom == quotient) k = factor;
    }
    if (!rest.terms.empty() || k == 0) return;
    Wide c = int_value(quotient->args[1]);
    Linear x = linear(quotient->args[0]), next;
    if (k > 0) {
      next.add(x, 1);
      next.constant -= c * floor_div(-rest.constant, k) + c - 1;
    } else {
      next.add(x, -1);
      next.constant += c * -floor_div(-rest.constant, -k);
    }
    not_positive(next, out);
  }

  Var var_;
  std::map<Var, LoopRange> inner_;
};

}  // namespace

std::optional<Range> range_where(const For& loop, const Facts& inside, const Facts& outside) {
  DType type = loop.var.dtype();
  Solver solver(loop.var, inside, outside);
  VarRange all;
  for (const Expr& condition : inside.conditions) {
    if (!uses_var(condition, loop.var)) continue;
    VarRange one = solver.solve(condition);
    if (one.low) all.at_least(*one.low);
    if (one.high) all.at_most(*one.high);
    for (const Expr& e : one.lows) all.lows.push_back(e);
    for (const Expr& e : one.highs) all.highs.push_back(e);
  }
  const int64_t *m = as_int(loop.min), *n = as_int(loop.extent);
  bool constant = m && n && *n >= 0;
  if (constant && *n == 0) return std::nullopt;
  if (all.low && m && *all.low <= *m) all.low.reset();
  if (all.high && constant && *all.high >= Wide(*m) + *n - 1) all.high.reset();
  if (!all.low && !all.high && all.lows.empty() && all.highs.empty()) return std::nullopt;
  auto number = [&](Wide value) { return fits_type(type, value) ? imm(type, value) : Expr(); };

  if (all.low && constant) all.low = std::min(*all.low, Wide(*m) + *n);  // nothing is left: an empty range
  Expr min = all.low && m ? number(std::max(*all.low, Wide(*m))) : loop.min;
  if (all.low && !m && number(*all.low)) min = max(loop.min, number(*all.low));
  if (!min) return std::nullopt;
  for (const Expr& low : all.lows) min = max(min, low);
  // One past the last value.
  Expr end = all.high && constant ? number(std::min(*all.high, Wide(*m) + *n - 1) + 1) : fold(loop.min + loop.extent);
  if (all.high && !constant && number(*all.high + 1)) end = hexproof::min(end, number(*all.high + 1));
  if (!end) return std::nullopt;
  for (const Expr& high : all.highs) end = hexproof::min(end, fold(high + imm(type, 1)));
  if (as_int(min) && as_int(end)) {
    Wide extent = std::max<Wide>(int_value(end) - int_value(min), 0);
    if (!number(extent)) return std::nullopt;
    return Range{min, number(extent)};
  }
  return Range{min, is_int(min, 0) ? end : end - min};
}

}  // namespace hexproof
