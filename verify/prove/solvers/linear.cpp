#include "verify/prove/solvers/linear.h"

#include <bit>

#include "ir/base/mutant.h"
#include "ir/buffer.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr Wide kLargest = Wide{1} << 100;

Wide small(Wide v) {
  if (v > kLargest || v < -kLargest) throw TooBig{};
  return v;
}
Wide times(Wide a, Wide b) {
  Wide out;
  if (__builtin_mul_overflow(a, b, &out)) throw TooBig{};
  return small(out);
}

LinearSum combine(const LinearSum& a, const LinearSum& b, Wide factor) {
  LinearSum out;
  out.constant = small(a.constant + times(b.constant, factor));
  out.terms.reserve(a.terms.size() + b.terms.size());
  size_t i = 0, j = 0;
  while (i < a.terms.size() || j < b.terms.size()) {
    if (j == b.terms.size() || (i < a.terms.size() && a.terms[i].atom < b.terms[j].atom)) {
      out.terms.push_back(a.terms[i++]);
    } else if (i == a.terms.size() || b.terms[j].atom < a.terms[i].atom) {
      out.terms.push_back(
          {b.terms[j].atom, HEXPROOF_MUTANT("linear/combine", times(b.terms[j].factor, factor), b.terms[j].factor)});
      ++j;
    } else {
      Wide sum = small(a.terms[i].factor + times(b.terms[j].factor, factor));
      if (sum != 0) out.terms.push_back({a.terms[i].atom, sum});
      ++i, ++j;
    }
  }
  return out;
}

void push_wide(std::vector<uint64_t>& key, Wide v) {
  key.push_back(static_cast<uint64_t>(v));
  key.push_back(static_cast<uint64_t>(v >> 64));
}
void push_sum(std::vector<uint64_t>& key, const LinearSum& sum) {
  push_wide(key, sum.constant);
  for (const LinearTerm& t : sum.terms) key.push_back(t.atom), push_wide(key, t.factor);
}
void push_text(std::vector<uint64_t>& key, const std::string& text) {
  key.push_back(text.size());
  for (char c : text) key.push_back(static_cast<unsigned char>(c));
}
uint64_t type_key(DType t) { return uint64_t(t.code) << 32 | uint64_t(t.bits) << 16 | t.lanes; }

LinearSum constant(Wide v) { return {v, {}}; }

enum : uint64_t { kVar = 1, kDiv, kMod, kProduct, kWrap, kNode, kSum, kFits };

}  // namespace

LinearSum operator+(const LinearSum& a, const LinearSum& b) { return combine(a, b, 1); }
LinearSum operator-(const LinearSum& a, const LinearSum& b) { return combine(a, b, -1); }
LinearSum scaled(const LinearSum& a, Wide factor) {
  if (factor == 0) return {};
  LinearSum out = a;
  out.constant = times(a.constant, factor);
  for (LinearTerm& t : out.terms) t.factor = times(t.factor, factor);
  return out;
}
Wide gcd(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) std::swap(a %= b, b);
  return a;
}

Interval Normalizer::range(const LinearSum& sum) const {
  Interval out = point(sum.constant);
  for (const LinearTerm& t : sum.terms) out = out + atoms_[t.atom].range * point(t.factor);
  return out;
}

LinearSum Normalizer::atom_sum(const Key& key, Atom atom) {
  auto [it, fresh] = atom_ids_.try_emplace(key, static_cast<uint32_t>(atoms_.size()));
  if (fresh) atoms_.push_back(std::move(atom));
  return {0, {{it->second, 1}}};
}

uint32_t Normalizer::intern(const Key& key) {
  return numbers_.try_emplace(key, static_cast<uint32_t>(numbers_.size())).first->second;
}

LinearSum Normalizer::variable(const Var& var) {
  if (auto it = known_.values.find(var); it != known_.values.end()) {
    LinearSum out = constant(it->second.constant);
    for (const LinearTerm& t : it->second.terms) out = combine(out, variable(known_.vars[t.atom]), t.factor);
    return out;
  }
  auto it = known_.ranges.find(var);
  Interval range = it == known_.ranges.end() ? range_of(var.dtype()) : it->second;
  return atom_sum({kVar, var.id()}, {.kind = Kind::Var, .range = range, .var = var});
}

/// The class of a value: equal numbers mean equal values.
uint32_t Normalizer::number(const Expr& e) {
  const Normal& n = normal(e);
  if (!e->dtype.is_integer()) return n.number;
  Key key{kSum};
  push_sum(key, n.sum);
  return intern(key);
}

LinearSum Normalizer::opaque(const Expr& e, Interval range) {
  Key key{kNode, uint64_t(e->op), type_key(e->dtype), uint64_t(e->wraps)};
  if (e->op == Op::Load) key.push_back(e->buffer()->id);
  if (is_application(e->op) && e->op != Op::Load) push_text(key, e->text());
  for (const Expr& arg : e->args) key.push_back(number(arg));
  return atom_sum(key, {.kind = Kind::Opaque, .range = range});
}

uint32_t Normalizer::product_atom(uint32_t a, uint32_t b) {
  Atom atom{.kind = Kind::Product, .range = {}};
  for (uint32_t id : {a, b}) {
    const Atom& part = atoms_[id];
    if (part.kind == Kind::Product) {
      atom.factors.insert(atom.factors.end(), part.factors.begin(), part.factors.end());
    } else {
      atom.factors.push_back(id);
    }
  }
  std::sort(atom.factors.begin(), atom.factors.end());
  Key key{kProduct};
  atom.range = point(1);
  for (uint32_t id : atom.factors) key.push_back(id), atom.range = atom.range * atoms_[id].range;
  return atom_sum(key, std::move(atom)).terms[0].atom;
}

LinearSum Normalizer::product(const LinearSum& a, const LinearSum& b) {
  if (a.terms.empty()) return scaled(b, a.constant);
  if (b.terms.empty()) return scaled(a, b.constant);
  if (a.terms.size() * b.terms.size() > 64) throw TooBig{};
  LinearSum out = scaled(a, b.constant);
  out = out + scaled({0, b.terms}, a.constant);
  for (const LinearTerm& x : a.terms) {
    for (const LinearTerm& y : b.terms) {
      out = out + LinearSum{0, {{product_atom(x.atom, y.atom), times(x.factor, y.factor)}}};
    }
  }
  return out;
}

/// floor(a / c), c > 0. What is divisible comes out; (g*x + r) // c = x // (c/g) for 0 <= r < g and g | c.
LinearSum Normalizer::quotient(const LinearSum& a, Wide c) {
  if (c == 1) return a;
  LinearSum whole, rest;
  whole.constant = floor_div(a.constant, c);
  rest.constant = floor_mod(a.constant, c);
  for (const LinearTerm& t : a.terms) {
    if (t.factor % c == 0) {
      whole.terms.push_back({t.atom, t.factor / c});
    } else {
      rest.terms.push_back(t);
    }
  }
  Interval bounds = range(rest);
  if (bounds.bounded() && floor_div(bounds.lo, c) == floor_div(bounds.hi, c)) {
    whole.constant += floor_div(bounds.lo, c);
    return whole;
  }
  for (const LinearTerm& unit : rest.terms) {
    Wide g = gcd(unit.factor, c);
    if (g <= 1) continue;
    LinearSum high, low;
    low.constant = floor_mod(rest.constant, g);
    high.constant = floor_div(rest.constant, g);
    for (const LinearTerm& t : rest.terms) {
      if (t.factor % g == 0) {
        high.terms.push_back({t.atom, t.factor / g});
      } else {
        low.terms.push_back(t);
      }
    }
    if (range(low).within(0, g - 1)) return whole + quotient(high, c / g);
  }
  if (rest.terms.size() == 1 && rest.terms[0].factor == 1) {
    const Atom base = atoms_[rest.terms[0].atom];
    if (base.kind == Kind::Div) {
      Wide combined = times(base.divisor, c);
      return whole + quotient(combine(base.base, constant(rest.constant), base.divisor), combined);
    }
    if (base.kind == Kind::Mod && rest.constant == 0 && base.divisor % c == 0) {
      return whole + remainder(quotient(base.base, c), base.divisor / c);
    }
  }
  Key key{kDiv};
  push_wide(key, c);
  push_sum(key, rest);
  Interval by = floor_div(bounds, point(c));
  return whole + atom_sum(key, {.kind = Kind::Div, .range = by, .base = rest, .divisor = c});
}

/// a - c * floor(a / c), c > 0. (g*x + r) % c = g * (x % (c/g)) + r for 0 <= r < g and g | c.
LinearSum Normalizer::remainder(const LinearSum& a, Wide c) {
  if (c == 1) return {};
  LinearSum rest, unwrapped;
  unwrapped.constant = a.constant;
  for (const LinearTerm& t : a.terms) {
    const Atom& atom = atoms_[t.atom];
    bool inner = atom.kind == Kind::Mod && (atom.divisor % c == 0);
    unwrapped =
        inner ? combine(unwrapped, LinearSum(atom.base), t.factor) : combine(unwrapped, {0, {{t.atom, 1}}}, t.factor);
  }
  rest.constant = floor_mod(unwrapped.constant, c);
  for (const LinearTerm& t : unwrapped.terms) {
    if (t.factor % c != 0) rest.terms.push_back(t);
  }
  Interval bounds = range(rest);
  if (bounds.bounded() && floor_div(bounds.lo, c) == floor_div(bounds.hi, c)) {
    rest.constant = small(rest.constant - times(c, floor_div(bounds.lo, c)));
    return rest;
  }
  for (const LinearTerm& unit : rest.terms) {
    Wide g = gcd(unit.factor, c);
    if (g <= 1) continue;
    LinearSum high, low;
    low.constant = floor_mod(rest.constant, g);
    high.constant = floor_div(rest.constant, g);
    for (const LinearTerm& t : rest.terms) {
      if (t.factor % g == 0) {
        high.terms.push_back({t.atom, t.factor / g});
      } else {
        low.terms.push_back(t);
      }
    }
    if (range(low).within(0, g - 1)) return scaled(remainder(high, c / g), g) + low;
  }
  Key key{kMod};
  push_wide(key, c);
  push_sum(key, rest);
  Interval by = floor_mod(bounds, point(c));
  return atom_sum(key, {.kind = Kind::Mod, .range = by, .base = rest, .divisor = c});
}

/// The value modulo 2^bits. Inner wraps to as many bits or more change nothing.
LinearSum Normalizer::wrap(const LinearSum& a, DType type) {
  if (range(a).within(type)) return a;
  Wide modulus = Wide{1} << type.bits;
  auto reduce = [&](Wide v) {
    Wide r = floor_mod(v, modulus);
    return r >= modulus / 2 ? r - modulus : r;
  };
  LinearSum sum = constant(a.constant);
  for (const LinearTerm& t : a.terms) {
    const Atom atom = atoms_[t.atom];
    bool inner = atom.wrapped && atom.type.bits >= type.bits;
    sum = combine(sum, inner ? atom.base : LinearSum{0, {{t.atom, 1}}}, t.factor);
  }
  LinearSum low = constant(reduce(sum.constant));
  for (const LinearTerm& t : sum.terms) {
    if (Wide factor = reduce(t.factor); factor != 0) low.terms.push_back({t.atom, factor});
  }
  if (range(low).within(type)) return low;
  if (low.terms.empty()) return constant(wrap_to(type, low.constant));
  Key key{kWrap, type_key(type)};
  push_sum(key, low);
  return atom_sum(key, {.kind = Kind::Opaque, .range = range_of(type), .base = low, .wrapped = true, .type = type});
}

bool Normalizer::expand_remainders(const LinearSum& sum, LinearSum* out) {
  bool any = false;
  *out = constant(sum.constant);
  for (const LinearTerm& t : sum.terms) {
    const Atom atom = atoms_[t.atom];
    if (atom.kind == Kind::Mod) {
      any = true;
      LinearSum value = combine(atom.base, quotient(atom.base, atom.divisor), -atom.divisor), deeper;
      if (expand_remainders(value, &deeper)) value = deeper;
      *out = combine(*out, value, t.factor);
    } else {
      *out = combine(*out, {0, {{t.atom, 1}}}, t.factor);
    }
  }
  return any;
}

LinearSum Normalizer::difference(const Expr& a, const Expr& b) {
  LinearSum left = integer(a);
  return left - integer(b);
}

const Normalizer::Normal& Normalizer::normal(const Expr& e) {
  if (auto it = memo_.find(e.get()); it != memo_.end()) return it->second;
  Normal n = compute(e);
  return memo_.emplace(e.get(), std::move(n)).first->second;
}

Normalizer::Normal Normalizer::compute(const Expr& e) {
  if (!e->dtype.is_scalar()) throw TooBig{};
  if (e->dtype.is_integer()) return compute_integer(e);
  Normal out;
  if (e->op == Op::Likely) return normal(e->args[0]);
  Key key{kNode, uint64_t(e->op), type_key(e->dtype)};
  if (e->op == Op::IntImm) key.push_back(static_cast<uint64_t>(e->int_value()));
  if (e->op == Op::FloatImm) key.push_back(std::bit_cast<uint64_t>(e->float_value()));
  if (e->op == Op::Var) key.push_back(e->var().id());
  if (e->op == Op::StringImm || (is_application(e->op) && e->op != Op::Load)) push_text(key, e->text());
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
  if (e->op == Op::IntImm) return e->int_value() != 0;
  if (e->op == Op::Likely) return truth(e->args[0]);
  if (e->op == Op::Not) {
    int inner = truth(e->args[0]);
    return inner < 0 ? -1 : !inner;
  }
  if (e->op == Op::And || e->op == Op::Or) {
    int a = truth(e->args[0]), b = truth(e->args[1]);
    int decides = e->op == Op::Or;
    if (a == decides || b == decides) return decides;
    return a < 0 || b < 0 ? -1 : !decides;
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
    return is(a == b ? a : opaque(e, hull(range(a), range(b))));
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
    return is(opaque(e, lesser ? Interval{std::min(x.lo, y.lo), std::min(x.hi, y.hi)}
                               : Interval{std::max(x.lo, y.lo), std::max(x.hi, y.hi)}));
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
