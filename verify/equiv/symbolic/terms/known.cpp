#include "verify/equiv/symbolic/terms/known.h"

namespace hexproof::symbolic {
namespace {
constexpr int kMaxDepth = 8;  // of terms that bounds are computed of
}

void Known::learn(Term t, Interval range) {
  if (terms_.is_constant(t)) return;
  auto it = ranges_.find(t);
  Interval now = it == ranges_.end() ? range_of(terms_.type(t)) : it->second;
  Interval tighter = meet(now, range);
  if (tighter.empty() || tighter == now) return;  // a contradiction is left to the solver
  undo_.push_back({t, true, it == ranges_.end() ? std::nullopt : std::optional(now)});
  ranges_[t] = tighter;
}

void Known::add(Term condition) {
  std::vector<Term> open{condition};  // a conjunction may be as long as a loop runs
  std::unordered_set<Term> seen;
  while (!open.empty()) {
    const Term c = open.back();
    open.pop_back();
    if (terms_.is_constant(c) || !seen.insert(c).second) continue;
    ++holds_[c];
    undo_.push_back({c});
    const bool negated = terms_.op(c) == Op::Not;
    const Term inner = negated ? terms_.arg(c, 0) : c;
    if (terms_.op(inner) != (negated ? Op::Or : Op::And)) {
      learn_from(c);
      continue;
    }
    for (int i : {1, 0}) open.push_back(negated ? terms_.lnot(terms_.arg(inner, i)) : terms_.arg(inner, i));
  }
}

void Known::learn_from(Term c) {
  Op op = terms_.op(c);
  const bool negated = op == Op::Not;
  const Term inner = negated ? terms_.arg(c, 0) : c;
  if (negated) op = terms_.op(inner);
  if (negated && op == Op::EQ && terms_.type(terms_.arg(inner, 0)).is_integer() &&
      terms_.is_constant(terms_.arg(inner, 1))) {
    // Not this value: the range shrinks where it ends there, and again where the next one is excluded too.
    Term x = terms_.arg(inner, 0);
    const DType type = terms_.type(x);
    auto excluded = [&](Wide v) {
      Term is = terms_.binary(Op::EQ, x, terms_.constant(int_scalar(type, v)));
      return holds_.count(terms_.lnot(is)) != 0;
    };
    Interval r = range(x);
    while (r.lo < r.hi && excluded(r.lo)) ++r.lo;
    while (r.lo < r.hi && excluded(r.hi)) --r.hi;
    return learn(x, r);
  }
  if (negated || !is_comparison(op) || !terms_.type(terms_.arg(c, 0)).is_integer()) return;
  Term a = terms_.arg(c, 0), b = terms_.arg(c, 1);
  Interval x = range(a), y = range(b);
  if (op == Op::EQ) learn(a, y), learn(b, x);
  if (op == Op::LT) learn(a, {-kInfinity, y.hi - 1}), learn(b, {x.lo + 1, kInfinity});
  if (op == Op::LE) learn(a, {-kInfinity, y.hi}), learn(b, {x.lo, kInfinity});
}

void Known::forget(size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back()) {
    const Undo& u = undo_.back();
    if (!u.is_range) {
      if (--holds_[u.condition] == 0) holds_.erase(u.condition);
    } else if (u.old) {
      ranges_[u.condition] = *u.old;
    } else {
      ranges_.erase(u.condition);
    }
  }
}

std::optional<bool> Known::decide(Term c, int depth) {
  if (terms_.is_constant(c)) return c == Terms::kTrue;
  if (holds_.count(c)) return true;
  Op op = terms_.op(c);
  if (depth > kMaxDepth) return std::nullopt;
  if (op == Op::Not) {
    std::optional<bool> inner = decide(terms_.arg(c, 0), depth + 1);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (op == Op::And || op == Op::Or) {
    std::optional<bool> a = decide(terms_.arg(c, 0), depth + 1), b = decide(terms_.arg(c, 1), depth + 1);
    bool decides = op == Op::Or;
    if ((a && *a == decides) || (b && *b == decides)) return decides;
    return a && b ? std::optional(!decides) : std::nullopt;
  }
  if (!holds_.empty()) {
    // Built, not looked up: the negation of a comparison is a comparison.
    if (holds_.count(terms_.lnot(c))) return false;
  }
  if (!is_comparison(op) || !terms_.type(terms_.arg(c, 0)).is_integer()) return std::nullopt;
  Interval a = range(terms_.arg(c, 0)), b = range(terms_.arg(c, 1));
  if (op == Op::EQ) {
    if (a.hi < b.lo || b.hi < a.lo) return false;
    return a.is_point() && b.is_point() ? std::optional(true) : std::nullopt;
  }
  if (op == Op::LT) return a.hi < b.lo ? std::optional(true) : a.lo >= b.hi ? std::optional(false) : std::nullopt;
  return a.hi <= b.lo ? std::optional(true) : a.lo > b.hi ? std::optional(false) : std::nullopt;
}

Interval Known::range(Term t, int depth) {
  const DType type = terms_.type(t);
  if (terms_.is_constant(t)) return point(wide_value(terms_.value(t)));
  Interval out = range_of(type);
  if (auto it = ranges_.find(t); it != ranges_.end()) out = it->second;
  if (depth > kMaxDepth || type.is_bool()) return out;
  auto of = [&](int i) { return range(terms_.arg(t, i), depth + 1); };
  auto unless_wrapped = [&](Interval exact) { return exact.within(type) ? meet(out, exact) : out; };
  switch (terms_.op(t)) {
    case Op::Add:
      return unless_wrapped(of(0) + of(1));
    case Op::Sub:
      return unless_wrapped(of(0) - of(1));
    case Op::Mul:
      return unless_wrapped(of(0) * of(1));
    case Op::FloorDiv:
      return unless_wrapped(floor_div(of(0), of(1)));
    case Op::FloorMod:
      return unless_wrapped(floor_mod(of(0), of(1)));
    case Op::TruncDiv:
      return unless_wrapped(trunc_div(of(0), of(1)));
    case Op::TruncMod:
      return unless_wrapped(trunc_mod(of(0), of(1)));
    case HEXPROOF_CASES(MinMax): {
      Interval a = of(0), b = of(1);
      bool lesser = terms_.op(t) == Op::Min;
      return meet(out, lesser ? Interval{std::min(a.lo, b.lo), std::min(a.hi, b.hi)}
                              : Interval{std::max(a.lo, b.lo), std::max(a.hi, b.hi)});
    }
    case Op::BitAnd: {
      Interval a = of(0), b = of(1);
      if (a.lo >= 0 && b.lo >= 0) return meet(out, {0, std::min(a.hi, b.hi)});
      if (b.lo >= 0) return meet(out, {0, b.hi});
      return out;
    }
    case Op::Shr:
      return terms_.is_constant(terms_.arg(t, 1)) && of(1).within(0, type.bits - 1)
                 ? meet(out, floor_div(of(0), point(Wide{1} << static_cast<int>(of(1).lo))))
                 : out;
    case Op::Select:
      return meet(out, hull(of(1), of(2)));
    case Op::Cast:
      return terms_.type(terms_.arg(t, 0)).is_float() ? out : unless_wrapped(of(0));
    case HEXPROOF_CASES(Leaf):
    case Op::Div:
    case HEXPROOF_CASES(Comparison):
    case HEXPROOF_CASES(Boolean):
    case Op::BitOr:
    case Op::BitXor:
    case Op::BitNot:
    case Op::Shl:
    case Op::IfThenElse:
    case Op::Let:
    case Op::Load:
    case HEXPROOF_CASES(Vector):
    case Op::Likely:
    case Op::Call:
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  return out;
}

}  // namespace hexproof::symbolic
