// Folds are equal when they start equal, when an iteration of one does what some iteration of the other does, and when
// that relation is one to one and keeps the order (or the order does not matter).
#include <algorithm>

#include "ir/base/mutant.h"
#include "verify/access/footprint_witness.h"
#include "verify/access/linear.h"
#include "verify/equiv/parametric/compare.h"
#include "verify/equiv/parametric/neutral.h"

namespace hexproof::parametric {

namespace {

constexpr size_t kCandidates = 8;
constexpr Wide kUnroll = 16;

std::vector<Expr> variables(const Fold& f) {
  std::vector<Expr> out;
  for (const LoopRange& loop : f.loops) out.push_back(Expr(loop.var));
  return out;
}

Expr in_type(DType type, const Expr& e) { return e->dtype == type ? e : cast(type, e); }

/// The iteration of `a` that has as many before it as one of `b` has; all extents but the outermost are constants.
std::optional<std::vector<Expr>> by_position(const Fold& a, const Fold& b) {
  if (a.loops.empty() || b.loops.empty()) return std::nullopt;
  for (const Fold* f : {&a, &b}) {
    for (size_t i = 0; i < f->loops.size(); ++i) {
      if (i > 0 && (!as_int(f->loops[i].extent) || int_value(f->loops[i].extent) < 1)) return std::nullopt;
      if (!as_int(f->loops[i].min)) return std::nullopt;
    }
  }
  DType type = a.loops[0].var.dtype();
  auto same_type = [&](const LoopRange& loop) { return loop.var.dtype() == type; };
  if (!std::all_of(a.loops.begin(), a.loops.end(), same_type) ||
      !std::all_of(b.loops.begin(), b.loops.end(), same_type)) {
    type = kInt64;
  }
  Wide stride = 1;
  Linear position;
  for (size_t i = b.loops.size(); i-- > 0;) {
    const LoopRange& loop = b.loops[i];
    position.add(in_type(type, Expr(loop.var)), stride);
    position.constant -= stride * int_value(loop.min);
    if (i > 0) stride *= int_value(loop.extent);
    if (!fits_type(type, stride)) return std::nullopt;
  }
  std::vector<Expr> out(a.loops.size());
  Expr rest = position.expr(type);
  if (!rest) return std::nullopt;
  // Terms of the position that are multiples of an extent need no division.
  Linear left = position;
  for (size_t i = a.loops.size(); i-- > 0;) {
    const LoopRange& loop = a.loops[i];
    Linear digit;
    if (i == 0) {
      digit = left;
    } else {
      Wide n = int_value(loop.extent);
      Linear high, low;
      for (const auto& [atom, c] : left.terms) {
        if (c % n == 0) {
          high.add(atom, c / n);
        } else {
          low.add(atom, c);
        }
      }
      low.constant = left.constant;
      Expr e = low.expr(type);
      if (!e) return std::nullopt;
      if (!low.terms.empty() || low.constant != 0) {
        high.add(floordiv(e, imm(type, n)), 1);
        digit.add(floormod(e, imm(type, n)), 1);
      }
      left = high;
    }
    digit.constant += int_value(loop.min);
    Expr e = digit.expr(type);
    if (!e) return std::nullopt;
    out[i] = in_type(loop.var.dtype(), e);
  }
  return out;
}

std::vector<Expr> loads_in(const Expr& e) {
  std::vector<Expr> out;
  visit_nodes(e, [&](const Expr& node) {
    if (node->op == Op::Load && std::find(out.begin(), out.end(), node) == out.end()) out.push_back(node);
    return true;
  });
  return out;
}

/// acc op g, where the order of such steps does not matter.
bool any_order(const Fold& f, bool reassoc) {
  const Expr& s = f.step;
  if (s->args.size() != 2) return false;
  bool left = s->args[0] == f.acc && !mentions(s->args[1], f.acc);
  bool right = s->args[1] == f.acc && !mentions(s->args[0], f.acc);
  if (!left && !right) return false;
  bool sums = s->op == Op::Add || s->op == Op::Mul || (s->op == Op::Sub && left);
  if (s->dtype.is_float()) return sums && reassoc;
  if (s->dtype.is_bool()) return s->op == Op::And || s->op == Op::Or;
  if (sums) return s->wraps;  // in another order index arithmetic may overflow on the way
  return s->op == Op::Min || s->op == Op::Max || s->op == Op::BitAnd || s->op == Op::BitOr || s->op == Op::BitXor;
}

bool increasing(Scenario& scenario, const Fold& from, const std::vector<Expr>& to) {
  // Two iterations that agree up to a level and grow there.
  for (size_t level = 0; level < from.loops.size(); ++level) {
    TermMap later;
    for (size_t i = level; i < from.loops.size(); ++i) {
      const Var& var = from.loops[i].var;
      later.emplace_back(Expr(var), Expr(Var::fresh(var.name(), var.dtype())));
    }
    std::vector<Expr> facts = domain(from), goals;
    for (Expr& e : replace(domain(from), later)) facts.push_back(std::move(e));
    facts.push_back(lt(later[0].first, later[0].second));
    std::vector<Expr> next = replace(to, later);
    Scenario::Under under(scenario, facts);
    bool grows = false;
    Expr so_far, any;
    for (size_t i = 0; i < to.size() && !grows; ++i) {
      Expr less = lt(to[i], next[i]), equal = eq(to[i], next[i]);
      if (scenario.quick(less)) {
        grows = true;
        break;
      }
      Expr here = so_far ? land(so_far, less) : less;
      any = any ? lor(any, here) : here;
      so_far = so_far ? land(so_far, equal) : equal;
      if (!scenario.quick(equal)) {
        for (size_t j = i + 1; j < to.size(); ++j) {
          Expr there = land(so_far, lt(to[j], next[j]));
          any = lor(any, there);
          so_far = land(so_far, eq(to[j], next[j]));
        }
        grows = scenario.proves(any);
        break;
      }
    }
    if (!grows) return false;
  }
  return true;
}

}  // namespace

std::vector<std::vector<Expr>> Comparison::candidates(const Fold& a, const Fold& b) {
  std::vector<std::vector<Expr>> out;
  auto add = [&](std::vector<Expr> at) {
    if (out.size() < kCandidates && std::find(out.begin(), out.end(), at) == out.end()) out.push_back(std::move(at));
  };
  if (a.loops.size() == b.loops.size()) {
    std::vector<Expr> at;
    for (size_t i = 0; i < a.loops.size(); ++i) {
      const LoopRange &x = a.loops[i], &y = b.loops[i];
      Expr var = in_type(x.var.dtype(), Expr(y.var));
      Expr from = in_type(x.var.dtype(), y.min);
      at.push_back(x.min == from ? var : fold(fold(var - from) + x.min));
    }
    add(std::move(at));
  }
  if (auto at = by_position(a, b)) add(std::move(*at));
  // The loads tell: those of one array stand for each other.
  std::vector<Expr> given = scenario_.given();
  for (Expr& e : domain(b)) given.push_back(std::move(e));
  std::map<Var, Expr> found;
  for (const Expr& x : loads_in(a.step)) {
    for (const Expr& y : loads_in(b.step)) {
      if (!(x->buffer() == y->buffer())) continue;
      Access w = cells(x->buffer(), x->args, a.loops), r = cells(y->buffer(), y->args);
      for (const Witness& witness : witnesses(w, r, given)) {
        std::vector<Expr> at;
        for (const LoopRange& loop : a.loops) {
          at.push_back(witness.values.at(loop.var));
          bool told = false;
          for (const Expr& index : x->args) told |= mentions(index, Expr(loop.var));
          if (told) found.emplace(loop.var, at.back());
        }
        add(std::move(at));
      }
    }
  }
  if (found.size() == a.loops.size()) {
    std::vector<Expr> at;
    for (const LoopRange& loop : a.loops) at.push_back(found.at(loop.var));
    out.insert(out.begin(), std::move(at));
  }
  return out;
}

namespace {

/// The number of iterations, when all extents are constants and there is no guard; else 0.
Wide count(const Fold& f) {
  Wide out = f.guards.empty() ? 1 : 0;
  for (const LoopRange& loop : f.loops) {
    if (!as_int(loop.extent) || int_value(loop.extent) < 0 || out > (Wide{1} << 60)) return 0;
    out *= int_value(loop.extent);
  }
  return out;
}

/// acc + (0 + g + h + ...) as one sum: integers that wrap are a ring, and the inner sum starts with its zero.
void merge_inner(Fold* f, Folds& folds) {
  for (;;) {
    const Expr& s = f->step;
    bool sum = s->dtype.is_integer() && (s->op == Op::Add || s->op == Op::Mul) && s->wraps;
    if (!sum) return;
    int side = s->args[0] == f->acc ? 1 : s->args[1] == f->acc ? 0 : -1;
    if (side < 0 || !is_fold(s->args[side]) || mentions(s->args[side], f->acc)) return;
    Fold inner = folds.open(s->args[side]);
    const Expr& t = inner.step;
    bool neutral = is_int(inner.init, s->op == Op::Add ? 0 : 1);
    bool same = t->op == s->op && ((t->args[0] == inner.acc && !mentions(t->args[1], inner.acc)) ||
                                   (t->args[1] == inner.acc && !mentions(t->args[0], inner.acc)));
    if (!neutral || !same) return;
    Expr step = replace(t, {{inner.acc, f->acc}});
    f->loops.insert(f->loops.end(), inner.loops.begin(), inner.loops.end());
    f->guards.insert(f->guards.end(), inner.guards.begin(), inner.guards.end());
    f->step = step;
  }
}

/// The fold with `times` iterations done in one, which there are a multiple of in the innermost loop.
std::optional<Fold> several_at_once(const Fold& f, Wide times) {
  LoopRange inner = f.loops.back();
  if (!f.guards.empty() || !as_int(inner.extent) || !as_int(inner.min) || int_value(inner.extent) % times != 0 ||
      !fits_type(inner.var.dtype(), times)) {
    return std::nullopt;
  }
  Fold out = f;
  out.loops.back() = {Var::fresh(inner.var.name(), inner.var.dtype()), imm(inner.var.dtype(), 0),
                      imm(inner.var.dtype(), int_value(inner.extent) / times), inner.kind};
  Expr first = Expr(out.loops.back().var) * imm(inner.var.dtype(), times), acc = f.acc;
  for (Wide n = 0; n < times; ++n) {
    Expr at = fold(first + imm(inner.var.dtype(), int_value(inner.min) + n));
    acc = replace(f.step, {{Expr(inner.var), at}, {f.acc, acc}});
  }
  out.step = acc;
  return out;
}

/// The same fold as one over the first iterations, which another one goes on from for the last `count` ones.
std::optional<Expr> in_two(const Fold& f, Wide last, Folds& folds) {
  const LoopRange& outer = f.loops[0];
  Wide inner = 1;
  for (size_t i = 1; i < f.loops.size(); ++i) inner *= int_value(f.loops[i].extent);
  if (inner <= 0 || last % inner != 0 || !as_int(outer.min)) return std::nullopt;
  Wide second = last / inner, first = int_value(outer.extent) - second;
  if (first <= 0 || second <= 0) return std::nullopt;
  Fold head = f, tail = f;
  head.loops[0].extent = imm(outer.extent->dtype, first);
  tail.loops[0].min = imm(outer.min->dtype, int_value(outer.min) + first);
  tail.loops[0].extent = imm(outer.extent->dtype, second);
  tail.init = folds.close(head);
  return folds.close(tail);
}

}  // namespace

bool Comparison::equal_folds(const Expr& before, const Expr& after) {
  std::string earlier = mismatch_;
  Fold a = folds_.open(before), b = folds_.open(after);
  merge_inner(&a, folds_);
  merge_inner(&b, folds_);
  b.step = replace(b.step, {{b.acc, a.acc}});
  b.acc = a.acc;
  std::set<std::string> flags;
  drop_neutral(&a, granted_, &flags);
  drop_neutral(&b, granted_, &flags);
  Wide m = count(a), n = count(b);
  // One goes through all in one loop, the other one in two.
  if (m > n && n > 0 && is_fold(b.init) && !is_fold(a.init)) {
    if (auto parts = in_two(a, n, folds_)) return equal(*parts, after);
  }
  if (n > m && m > 0 && is_fold(a.init) && !is_fold(b.init)) {
    if (auto parts = in_two(b, m, folds_)) return equal(before, *parts);
  }
  if (HEXPROOF_MUTANT("equiv/start-of-a-fold", !equal(a.init, b.init), false)) return false;
  // One does several steps in each iteration.
  constexpr Wide kTimes = 32;
  if (m > n && n > 0 && m % n == 0 && m / n <= kTimes) {
    if (auto less = several_at_once(a, m / n)) a = *less;
  } else if (n > m && m > 0 && n % m == 0 && n / m <= kTimes) {
    if (auto less = several_at_once(b, n / m)) b = *less;
  }
  for (const std::vector<Expr>& at : candidates(a, b)) {
    if (!related(a, b, at) && !related_but_for_neutral(a, b, at)) continue;
    mismatch_ = earlier;
    used_flags_.insert(flags.begin(), flags.end());
    return true;
  }
  return false;
}

/// Is `at` the iteration of `a` that does what the iteration of `b` does, for all of them?
bool Comparison::related(const Fold& a, const Fold& b, const std::vector<Expr>& at) {
  TermMap map = values(a, at);
  {
    Scenario::Under under(scenario_, domain(b));
    for (const Expr& e : at) {
      if (!scenario_.proves(fits(e))) return false;
    }
    for (const Expr& e : domain(a)) {
      if (HEXPROOF_MUTANT("equiv/domain-of-a-fold", !scenario_.proves(replace(e, map)), false)) return false;
    }
    if (!equal(replace(a.step, map), b.step)) return false;
  }
  const Order order = order_of(a, b, at);
  if (HEXPROOF_MUTANT("equiv/iterations-one-to-one", order == Order::NotOneToOne, false)) {
    stuck(all(domain(a)), all(domain(b)));
    return false;
  }
  if (order == Order::Same) return true;
  bool reassoc = std::find(granted_.begin(), granted_.end(), "reassoc") != granted_.end();
  if (HEXPROOF_MUTANT("equiv/order-of-a-fold", !any_order(a, reassoc) || !any_order(b, reassoc), false)) {
    mismatch_ = "a sum of floats, or another step, runs in another order";
    return false;
  }
  if (a.step->dtype.is_float()) used_flags_.insert("reassoc");
  return true;
}

Comparison::Order Comparison::order_of(const Fold& a, const Fold& b, const std::vector<Expr>& at) {
  for (const std::vector<Expr>& back : candidates(b, a)) {
    bool onto = true, inverse = true;
    {
      Scenario::Under under(scenario_, domain(a));
      TermMap map = values(b, back);
      for (const Expr& e : back) onto = onto && scenario_.proves(fits(e));
      for (const Expr& e : domain(b)) onto = onto && scenario_.proves(replace(e, map));
      std::vector<Expr> again = replace(at, map), self = variables(a);
      for (size_t i = 0; i < again.size(); ++i) onto = onto && scenario_.proves(eq(again[i], self[i]));
    }
    if (!onto) continue;
    {
      Scenario::Under under(scenario_, domain(b));
      std::vector<Expr> again = replace(back, values(a, at)), self = variables(b);
      for (size_t i = 0; i < again.size(); ++i) inverse = inverse && scenario_.proves(eq(again[i], self[i]));
    }
    if (!inverse) continue;
    return increasing(scenario_, b, at) || increasing(scenario_, a, back) ? Order::Same : Order::Another;
  }
  return Order::NotOneToOne;
}

bool Comparison::implies(const Assumed& known, const Assumed& goal) {
  Fold a{known.loops, known.guards, {}, known.condition, {}}, b{goal.loops, goal.guards, {}, goal.condition, {}};
  std::vector<std::vector<Expr>> at{{}};
  if (!a.loops.empty()) at = candidates(a, b);
  for (const std::vector<Expr>& iteration : at) {
    TermMap map = values(a, iteration);
    Expr said = replace(a.step, map);
    bool there = true;
    for (const Expr& e : iteration) there = there && scenario_.proves(fits(e));
    for (const Expr& e : domain(a)) there = there && scenario_.proves(replace(e, map));
    if (!there || !scenario_.proves(fits(said))) continue;
    Scenario::Under under(scenario_, said);
    if (scenario_.proves(goal.condition)) return true;
  }
  return false;
}

Expr Comparison::unrolled(const Fold& f) {
  Wide count = 1;
  for (const LoopRange& loop : f.loops) {
    if (!as_int(loop.extent) || !as_int(loop.min)) return {};
    count *= std::max<Wide>(int_value(loop.extent), 0);
    if (count > kUnroll) return {};
  }
  if (count == 0) return f.init;
  Expr out = chosen(f.init), step = f.guards.empty() ? f.step : if_then_else(all(f.guards), f.step, f.acc);
  for (Wide n = 0; n < count; ++n) {
    TermMap map{{f.acc, out}};
    Wide rest = n;
    for (size_t i = f.loops.size(); i-- > 0;) {
      const LoopRange& loop = f.loops[i];
      Wide extent = int_value(loop.extent);
      map.emplace_back(Expr(loop.var), imm(loop.var.dtype(), int_value(loop.min) + rest % extent));
      rest /= extent;
    }
    out = replace(step, map);
  }
  return out;
}

}  // namespace hexproof::parametric
