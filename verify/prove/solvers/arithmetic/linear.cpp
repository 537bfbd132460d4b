#include "verify/prove/solvers/arithmetic/linear.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "ir/buffer.h"
#include "ir/visit.h"
#include "verify/prove/solvers/arithmetic/linear_keys.h"

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

/// sum = c * whole + rest, term by term.
struct Divided {
  LinearSum whole, rest;
};
Divided divided(const LinearSum& sum, Wide c) {
  Divided out;
  out.whole.constant = floor_div(sum.constant, c);
  out.rest.constant = floor_mod(sum.constant, c);
  for (const LinearTerm& t : sum.terms) {
    if (t.factor % c == 0) {
      out.whole.terms.push_back({t.atom, t.factor / c});
    } else {
      out.rest.terms.push_back(t);
    }
  }
  return out;
}

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

void push_function(std::vector<uint64_t>& key, const Expr& e) {
  if (!is_application(e->op) || e->op == Op::Load) return;
  push_text(key, e->text());
  if (HEXPROOF_MUTANT("linear/functions-of-any-operands", false, true)) return;
  for (const Expr& arg : e->args) key.push_back(type_key(arg->dtype));
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

LinearSum Normalizer::opaque(const Expr& e, Interval range, std::vector<LinearSum> one_of) {
  Key key{kNode, uint64_t(e->op), type_key(e->dtype), uint64_t(e->wraps)};
  if (e->op == Op::Load) key.push_back(e->buffer()->id);
  push_function(key, e);
  for (const Expr& arg : e->args) key.push_back(number(arg));
  return atom_sum(key, {.kind = Kind::Opaque, .range = range, .one_of = std::move(one_of), .op = e->op});
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
  auto [whole, rest] = divided(a, c);
  Interval bounds = range(rest);
  if (bounds.bounded() && floor_div(bounds.lo, c) == floor_div(bounds.hi, c)) {
    whole.constant += floor_div(bounds.lo, c);
    return whole;
  }
  for (const LinearTerm& unit : rest.terms) {
    Wide g = gcd(unit.factor, c);
    if (g <= 1) continue;
    const auto [high, low] = divided(rest, g);
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
    const auto [high, low] = divided(rest, g);
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

std::optional<LinearSum> Normalizer::expand_remainders(const LinearSum& sum) {
  const auto is_remainder = [&](const LinearTerm& t) { return atoms_[t.atom].kind == Kind::Mod; };
  if (std::none_of(sum.terms.begin(), sum.terms.end(), is_remainder)) return std::nullopt;
  LinearSum out = constant(sum.constant);
  for (const LinearTerm& t : sum.terms) {
    if (is_remainder(t)) {
      const Atom atom = atoms_[t.atom];
      const LinearSum value = combine(atom.base, quotient(atom.base, atom.divisor), -atom.divisor);
      out = combine(out, expand_remainders(value).value_or(value), t.factor);
    } else {
      out = combine(out, {0, {{t.atom, 1}}}, t.factor);
    }
  }
  return out;
}

LinearSum Normalizer::difference(const Expr& a, const Expr& b) {
  LinearSum left = integer(a);
  return left - integer(b);
}

}  // namespace hexproof
