// What each operator is as a sum of atoms, which comparisons are settled by bounds, and which operations surely fit.
#include <bit>

#include "ir/base/mutant.h"
#include "ir/buffer.h"
#include "ir/visit.h"
#include "verify/prove/solvers/arithmetic/linear_keys.h"

namespace hexproof {

const Normalizer::Normal& Normalizer::normal(const Expr& e) {
  if (auto it = memo_.find(e.get()); it != memo_.end()) return it->second;
  Normal n = compute(e);
  return memo_.emplace(e.get(), std::move(n)).first->second;
}

Normalizer::Normal Normalizer::compute(const Expr& e) {
  if (!e->dtype.is_scalar()) throw TooBig{};
  // Each evaluation chooses anew: two of them are no one class. (`prepare` gives each a name.)
  if (e->op == Op::Undef) throw TooBig{};
  if (e->dtype.is_integer()) return compute_integer(e);
  Normal out;
  if (e->op == Op::Likely) return normal(e->args[0]);
  Key key{kNode, uint64_t(e->op), type_key(e->dtype)};
  if (e->op == Op::IntImm) key.push_back(static_cast<uint64_t>(e->int_value()));
  if (e->op == Op::FloatImm) key.push_back(std::bit_cast<uint64_t>(e->float_value()));
  if (e->op == Op::Var) key.push_back(e->var().id());
  if (e->op == Op::StringImm) push_text(key, e->text());
  push_function(key, e);
  if (e->op == Op::Load) key.push_back(e->buffer()->id);
  if (is_comparison(e->op) && e->args[0]->dtype.is_integer()) {
    if (int known = truth(e); known >= 0) {
      out.number = intern({kNode, uint64_t(Op::IntImm), type_key(kBool), uint64_t(known)});
      return out;
    }
    // a < b and the like by their difference, so that equal claims are equal classes.
    Op op = e->op;
    bool swap = op == Op::GT || op == Op::GE;
    LinearSum d = swap ? difference(e->args[0], e->args[1]) : difference(e->args[1], e->args[0]);
    if (op == Op::LT || op == Op::GT) d.constant -= 1;
    if ((op == Op::EQ || op == Op::NE) && !d.terms.empty() && d.terms[0].factor < 0) d = scaled(d, -1);
    key[1] = op == Op::EQ || op == Op::NE ? uint64_t(op) : uint64_t(Op::LE);
    push_sum(key, d);
    out.number = intern(key);
    return out;
  }
  if (e->op == Op::Fits) {
    // Equal values do not fit alike: the class is the very expression.
    out.number = fits_.try_emplace(e, intern({kFits, fits_.size()})).first->second;
    return out;
  }
  for (const Expr& arg : e->args) key.push_back(number(arg));
  out.number = intern(key);
  return out;
}

int Normalizer::truth(const Expr& e) {
  std::unordered_map<const ExprNode*, int> known;
  return truth(e, &known);
}

int Normalizer::truth(const Expr& e, std::unordered_map<const ExprNode*, int>* known) {
  if (e->op == Op::IntImm) return e->int_value() != 0;
  if (e->op == Op::Likely) return truth(e->args[0], known);
  if (e->op == Op::Not) {
    int inner = truth(e->args[0], known);
    return inner < 0 ? -1 : !inner;
  }
  if (e->op == Op::And || e->op == Op::Or) {
    if (auto it = known->find(e.get()); it != known->end()) return it->second;
    int a = truth(e->args[0], known), b = truth(e->args[1], known);
    int decides = e->op == Op::Or;
    return (*known)[e.get()] = a == decides || b == decides ? decides : a < 0 || b < 0 ? -1 : !decides;
  }
  if (!is_comparison(e->op) || !e->args[0]->dtype.is_integer() || !e->args[0]->dtype.is_scalar()) return -1;
  LinearSum d = difference(e->args[0], e->args[1]);
  Interval r = range(d);
  Op op = e->op;
  if (r.empty()) return -1;
  if (op == Op::LT) return r.hi < 0 ? 1 : r.lo >= 0 ? 0 : -1;
  if (op == Op::LE) return r.hi <= 0 ? 1 : r.lo > 0 ? 0 : -1;
  if (op == Op::GT) return r.lo > 0 ? 1 : r.hi <= 0 ? 0 : -1;
  if (op == Op::GE) return r.lo >= 0 ? 1 : r.hi < 0 ? 0 : -1;
  int equal = r == point(0) ? 1 : !r.contains(0) ? 0 : -1;
  return equal < 0 ? -1 : op == Op::EQ ? equal : !equal;
}

Normalizer::Normal Normalizer::compute_integer(const Expr& e) {
  DType t = e->dtype;
  Op op = e->op;
  if (op == Op::Var) return {variable(e->var()), 0};
  if (op == Op::IntImm) return {constant(int_value(e)), 0};
  if (is_application(op)) return {opaque(e, range_of(t)), 0};
  for (const Expr& arg : e->args) {
    if (!arg->dtype.is_scalar()) throw TooBig{};
  }
  auto keep = [&](const LinearSum& exact) { return Normal{e->wraps ? wrap(exact, t) : exact, 0}; };
  auto is = [&](const LinearSum& sum) { return Normal{sum, 0}; };
  if (op == Op::Cast) {
    DType from = e->args[0]->dtype;
    if (from.is_integer()) return is(wrap(integer(e->args[0]), t));
    if (from.is_bool()) {
      int known = truth(e->args[0]);
      return is(known >= 0 ? constant(known) : opaque(e, {0, 1}));
    }
    return is(opaque(e, range_of(t)));
  }
  if (op == Op::Select || op == Op::IfThenElse) {
    LinearSum a = integer(e->args[1]), b = integer(e->args[2]);
    int known = truth(e->args[0]);
    if (known >= 0) return is(known ? a : b);
    return is(a == b ? a : opaque(e, hull(range(a), range(b)), {a, b}));
  }
  LinearSum a = integer(e->args[0]);
  if (op == Op::BitNot) return is(constant(t.is_uint() ? max_value(t) : Wide{-1}) - a);
  LinearSum b = integer(e->args[1]);
  if (op == Op::Add) return keep(a + b);
  if (op == Op::Sub) return keep(a - b);
  if (op == Op::Mul) return keep(product(a, b));
  if (op == Op::Min || op == Op::Max) {
    Interval d = range(a - b), x = range(a), y = range(b);
    if (d.hi <= 0) return is(op == Op::Min ? a : b);
    if (d.lo >= 0) return is(op == Op::Min ? b : a);
    bool lesser = op == Op::Min;
    const Interval both = lesser ? Interval{std::min(x.lo, y.lo), std::min(x.hi, y.hi)}
                                 : Interval{std::max(x.lo, y.lo), std::max(x.hi, y.hi)};
    return is(opaque(e, both, {a, b}));
  }
  bool constant_b = b.terms.empty();
  if (is_division(op)) {
    bool truncates = op == Op::TruncDiv || op == Op::TruncMod;
    bool floors = !truncates || (constant_b && b.constant > 0 && range(a).lo >= 0);
    if (constant_b && b.constant != 0 && floors) {
      bool remains = op == Op::FloorMod || op == Op::TruncMod;
      if (b.constant > 0) return is(remains ? remainder(a, b.constant) : quotient(a, b.constant));
      // a // -c = -a // c and a % -c = -(-a % c)
      LinearSum minus = scaled(a, -1);
      return is(remains ? scaled(remainder(minus, -b.constant), -1) : quotient(minus, -b.constant));
    }
    Interval x = range(a), y = range(b);
    return is(opaque(e, op == Op::FloorDiv   ? floor_div(x, y)
                        : op == Op::FloorMod ? floor_mod(x, y)
                        : op == Op::TruncDiv ? trunc_div(x, y)
                                             : trunc_mod(x, y)));
  }
  if (op == Op::BitAnd) {
    const LinearSum& other = constant_b ? a : b;
    Wide mask = constant_b ? b.constant : a.constant;
    if ((constant_b || a.terms.empty()) && mask >= 0 && (mask & (mask + 1)) == 0) return is(remainder(other, mask + 1));
  }
  if ((op == Op::Shl || op == Op::Shr) && constant_b && b.constant >= 0 && b.constant < t.bits) {
    Wide power = Wide{1} << static_cast<int>(b.constant);
    if (op == Op::Shl) return keep(scaled(a, power));
    return is(quotient(a, power));
  }
  // Bit operations of error-free operands stay in the type; an index shift that overflows does not.
  return is(opaque(e, op == Op::Shl && !e->wraps ? Interval{} : range_of(t)));
}

bool Normalizer::fits(const Expr& e) {
  if (e->op == Op::IfThenElse) {
    int known = truth(e->args[0]);
    if (known >= 0) return fits(e->args[0]) && fits(e->args[known ? 1 : 2]);
  }
  for (const Expr& arg : e->args) {
    if (arg->op != Op::StringImm && !fits(arg)) return false;
  }
  DType t = e->dtype;
  if (!t.is_scalar()) return false;
  if (!t.is_integer() || e->args.empty() || is_application(e->op)) return true;
  if (e->op == Op::Cast) return !e->args[0]->dtype.is_float();
  if (is_division(e->op)) {
    Interval a = range(integer(e->args[0])), b = range(integer(e->args[1]));
    return !b.contains(0) && !b.empty() && !(t.is_int() && a.contains(min_value(t)) && b.contains(-1));
  }
  if (e->op == Op::Shl || e->op == Op::Shr) {
    Interval b = range(integer(e->args[1]));
    if (b.empty() || !b.within(0, t.bits - 1)) return false;
  }
  bool may_overflow = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul || e->op == Op::Shl;
  if (!may_overflow || e->wraps) return true;
  Interval r = range(integer(e));
  return !r.empty() && r.within(t);
}

}  // namespace hexproof
