#include "verify/equiv/symbolic/terms/normal.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hexproof::symbolic {
namespace {
constexpr size_t kMaxMonomials = 4096, kMaxProduct = 256, kMaxFactors = 1024;
constexpr uint64_t kMostTimes = 64;  // that one float is a part of a sum
}  // namespace

void Normalizer::know(Term fact) {
  for (Term t : t_.conjuncts(fact)) know_one(t);
}

void Normalizer::know_one(Term fact) {
  const Op op = t_.op(fact);
  const bool differs = op == Op::NE || (op == Op::Not && t_.op(t_.arg(fact, 0)) == Op::EQ);
  const bool compares = op == Op::LT || op == Op::LE || op == Op::GT || op == Op::GE;
  if (differs || compares) {
    const Term comparison = op == Op::Not ? t_.arg(fact, 0) : fact;
    for (int i : {0, 1}) {
      Term input = t_.arg(comparison, i), bound = t_.arg(comparison, 1 - i);
      if (t_.op(input) != Op::Var || !t_.is_constant(bound) || !t_.type(input).is_float()) continue;
      const double value = t_.value(bound).d();
      if (differs && std::isinf(value)) excluded_[input] |= value > 0 ? kNotAbove : kNotBelow;
      if (differs || !std::isfinite(value)) continue;
      const bool less = (op == Op::LT || op == Op::LE) == (i == 0);
      excluded_[input] |= kNoNan | (less ? kNotAbove : kNotBelow);
    }
    return;
  }
  if (op != Op::EQ) return;
  if (t_.arg(fact, 0) == t_.arg(fact, 1)) excluded_[t_.arg(fact, 0)] |= kNoNan;
  for (int i : {0, 1}) {
    Term input = t_.arg(fact, i), number = t_.arg(fact, 1 - i);
    if (t_.op(input) != Op::Var || !t_.is_constant(number) || !t_.type(input).is_float()) continue;
    const double value = t_.value(number).d();
    if (value == 0) zeros_.insert(input);
    // A sum of numbers is one number only in one grouping.
    if (value != 0 ? !laws_.reassoc && !laws_.contract : laws_.nsz)
      numbers_.emplace(input, value == 0 ? t_.constant(zero_scalar(t_.type(input))) : number);
  }
}

bool Normalizer::is_zero(Term t) const { return t_.is_constant(t) && t_.type(t).is_float() && t_.value(t).d() == 0; }

bool Normalizer::is_some_zero(Term t) const {
  if (is_zero(t) || zeros_.count(t)) return true;
  if (t_.op(t) != Op::Mul || !t_.type(t).is_float()) return false;
  auto zero = [&](Term a) { return is_zero(a) || zeros_.count(a); };
  auto number = [&](Term a) { return is_finite(a) || (t_.is_constant(a) && std::isfinite(t_.value(a).d())); };
  const Term a = t_.arg(t, 0), b = t_.arg(t, 1);
  return (zero(a) && number(b)) || (zero(b) && number(a));
}

bool Normalizer::never_minus_zero(Term t) const {
  if (!t_.type(t).is_float()) return false;
  if (t_.is_constant(t)) return t_.value(t).d() != 0 || !std::signbit(t_.value(t).d());
  if (t_.op(t) == Op::Add) return signed_.count(t_.arg(t, 0)) || signed_.count(t_.arg(t, 1));
  return false;
}

bool Normalizer::is_finite(Term t) const {
  if (t_.op(t) != Op::Var || !t_.type(t).is_float()) return false;
  auto it = excluded_.find(t);
  return laws_.finite || (it != excluded_.end() && it->second == kFinite);
}

bool Normalizer::is_ring(Term t) const {
  Op op = t_.op(t);
  DType type = t_.type(t);
  if (op != Op::Add && op != Op::Sub && op != Op::Mul && op != Op::Shl) return false;
  if (type.is_float()) return laws_.reassoc;
  return op != Op::Shl || t_.is_constant(t_.arg(t, 1));
}

bool Normalizer::is_set(Term t) const {
  Op op = t_.op(t);
  if (op == Op::And || op == Op::Or) return true;
  bool associative = op == Op::Min || op == Op::Max || op == Op::BitAnd || op == Op::BitOr;
  return associative && !t_.type(t).is_float();
}

/// Counts of integers are taken modulo 2^64, as they wrap; those of floats end at kMany, which says nothing more than
/// that there are as many or more.
void Normalizer::count(Factor* to, const Factor& more, DType type) {
  to->plus += more.plus, to->minus += more.minus;
  if (type.is_float()) to->plus = std::min(to->plus, kMany), to->minus = std::min(to->minus, kMany);
}

/// Is each count known, and a number of the type?
bool Normalizer::countable(const Polynomial& p, DType type) {
  auto exact = [&](uint64_t n) {
    return n <= kMostTimes;  // each time is written out: 3 * x is no sum, and has nothing to regroup
  };
  return !type.is_float() || std::all_of(p.begin(), p.end(), [&](const auto& part) {
    return exact(part.second.plus) && exact(part.second.minus);
  });
}

/// The sum that `t` is: operands that are no sums, each with how often it is added and subtracted.
std::map<Term, Normalizer::Factor, std::greater<Term>> Normalizer::linear(Term t) const {
  std::map<Term, Factor, std::greater<Term>> open{{t, {1, 0}}}, out;
  while (!open.empty()) {
    auto [x, f] = *open.begin();  // the latest one: nothing that is still open is made of it
    open.erase(open.begin());
    auto add = [&](Term y, Factor g) { count(&open[y], g, t_.type(y)); };
    if (!is_ring(x)) {
      out[x] = f;
      continue;
    }
    Op op = t_.op(x);
    Term a = t_.arg(x, 0), b = t_.arg(x, 1);
    const bool integer = !t_.type(x).is_float();
    if (op == Op::Add || op == Op::Sub) {
      add(a, f);
      add(b, op == Op::Sub ? Factor{f.minus, f.plus} : f);
    } else if (integer && t_.is_constant(b) && (op == Op::Mul || t_.value(b).bits < 64)) {
      uint64_t by = op == Op::Mul ? t_.value(b).bits : uint64_t{1} << t_.value(b).bits;
      add(a, {f.plus * by, f.minus * by});
    } else {
      out[x] = f;
    }
  }
  return out;
}

std::vector<Term> Normalizer::parts(Term t) const {
  std::vector<Term> out;
  if (is_ring(t)) {
    for (const auto& [x, f] : linear(t)) {
      if (is_ring(x)) {
        out.push_back(t_.arg(x, 0)), out.push_back(t_.arg(x, 1));
      } else {
        out.push_back(x);
      }
    }
  } else if (is_set(t)) {
    std::set<Term> seen{t};
    std::vector<Term> open{t};
    while (!open.empty()) {
      Term x = open.back();
      open.pop_back();
      if (t_.op(x) != t_.op(t)) {
        out.push_back(x);
        continue;
      }
      for (int i = 0; i < 2; ++i) {
        if (seen.insert(t_.arg(x, i)).second) open.push_back(t_.arg(x, i));
      }
    }
  } else {
    for (int i = 0; i < t_.arity(t); ++i) out.push_back(t_.arg(t, i));
  }
  return out;
}

void Normalizer::cancel(const Monomial& m, Factor* f, DType type) const {
  if (!type.is_float()) {
    *f = {wrap_bits(type, f->plus - f->minus), 0};
  } else if (laws_.cancels && laws_.nsz && m.size() == 1 &&
             is_finite(m[0])) {  // a product of finite numbers may be infinite
    uint64_t both = std::min(f->plus, f->minus);
    f->plus -= both, f->minus -= both;
  }
}

/// Of a term in normal form: its products are products of atoms.
Normalizer::Polynomial Normalizer::polynomial(Term normal) const {
  Polynomial out;
  for (const auto& [x, f] : linear(normal)) {
    Monomial m;
    Factor scaled = f;
    std::vector<Term> open{x};
    while (!open.empty()) {
      Term y = open.back();
      open.pop_back();
      if (is_ring(y) && t_.op(y) == Op::Mul) {
        open.push_back(t_.arg(y, 0)), open.push_back(t_.arg(y, 1));
      } else if (t_.is_constant(y) && !t_.type(y).is_float()) {
        scaled.plus *= t_.value(y).bits, scaled.minus *= t_.value(y).bits;
      } else {
        m.push_back(y);
      }
      if (m.size() + open.size() <= kMaxFactors) continue;
      m = {x}, scaled = f;  // x * x, and that times itself, ...: a product of its own
      break;
    }
    std::sort(m.begin(), m.end());
    count(&out[m], scaled, t_.type(x));
  }
  return out;
}

bool Normalizer::too_large(const Polynomial& a, const Polynomial& b) {
  auto factors = [](const Polynomial& p) {
    size_t most = 0;
    for (const auto& [monomial, f] : p) most = std::max(most, monomial.size());
    return most;
  };
  return a.size() * b.size() > kMaxProduct || factors(a) + factors(b) > kMaxFactors;
}

void Normalizer::add_product(const Polynomial& a, const Polynomial& b, Factor by, DType type, Polynomial* to) const {
  for (const auto& [x, f] : a) {
    for (const auto& [y, g] : b) {
      Monomial m = x;
      m.insert(m.end(), y.begin(), y.end());
      std::sort(m.begin(), m.end());
      uint64_t plus = f.plus * g.plus + f.minus * g.minus, minus = f.plus * g.minus + f.minus * g.plus;
      count(&(*to)[m], {plus * by.plus + minus * by.minus, plus * by.minus + minus * by.plus}, type);
    }
  }
}

Term Normalizer::build(const Polynomial& p, DType type) {
  const bool integer = !type.is_float();
  Term plus = kNoTerm, minus = kNoTerm;
  auto add = [&](Term* to, Term m, uint64_t count) {
    if (count == 0) return;
    Term t = m;
    if (integer || m == kNoTerm) {
      const Scalar factor =
          integer ? int_scalar(type, static_cast<Wide>(count)) : float_scalar(type, static_cast<double>(count));
      t = m == kNoTerm ? t_.constant(factor) : t_.binary(Op::Mul, m, t_.constant(factor));
      count = 1;
    }
    if (!integer && t_.is_constant(t) && t_.value(t).d() == 0) count = 1;  // zeros of one sign add up to that one
    for (; count > 0; --count) *to = *to == kNoTerm ? t : t_.binary(Op::Add, *to, t);
  };
  for (const auto& [monomial, factor] : p) {
    Factor f = factor;
    cancel(monomial, &f, type);
    if (f.plus == 0 && f.minus == 0) continue;
    if (!integer && laws_.nsz && monomial.size() == 1 && is_zero(monomial[0])) continue;
    if (!integer && laws_.nsz && monomial.size() == 2 && vanishes(monomial[0], monomial[1])) continue;
    Term m = kNoTerm;
    for (Term atom : monomial) m = m == kNoTerm ? atom : t_.binary(Op::Mul, m, atom);
    add(&plus, m, f.plus);
    add(&minus, m, f.minus);
  }
  const Term none = t_.constant(zero_scalar(type));
  if (minus == kNoTerm) return plus == kNoTerm ? none : plus;
  return t_.binary(Op::Sub, plus == kNoTerm ? none : plus, minus);
}

/// A sum whose parts have normal forms.
Term Normalizer::sum(Term t) {
  const DType type = t_.type(t);
  Polynomial out;
  for (const auto& [x, f] : linear(t)) {
    if (!is_ring(x)) {
      // The normal form of an operand may be a sum itself.
      const Polynomial one{{{}, {1, 0}}}, parts = polynomial(memo_.at(x));
      if (too_large(one, parts)) {
        count(&out[{memo_.at(x)}], f, type);
      } else {
        add_product(one, parts, f, type, &out);
      }
      continue;
    }
    Term a = memo_.at(t_.arg(x, 0)), b = memo_.at(t_.arg(x, 1));
    Polynomial pa = polynomial(a), pb = polynomial(b);
    auto once = [](const Polynomial& p) {
      return p.size() == 1 && p.begin()->second.plus + p.begin()->second.minus == 1;
    };
    const bool single = once(pa) && once(pb);
    // (x - z) * y is no form of x * y - z * y: the products may be infinite where the other is a number.
    bool may = !type.is_float() || single;
    if (t_.op(x) == Op::Mul && may && !too_large(pa, pb)) {
      add_product(pa, pb, f, type, &out);
    } else {
      count(&out[{t_.binary(t_.op(x), a, b)}], f, type);
    }
  }
  return out.size() > kMaxMonomials || !countable(out, type) ? t : build(out, type);
}

Term Normalizer::set(Term t) {
  std::vector<Term> all;
  for (Term part : parts(t)) all.push_back(memo_.at(part));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  Term out = all[0];
  for (size_t i = 1; i < all.size(); ++i) out = t_.binary(t_.op(t), out, all[i]);
  return out;
}

Term Normalizer::normal(Term root) {
  std::vector<Term> open{root};
  while (!open.empty()) {
    Term t = open.back();
    if (memo_.count(t)) {
      open.pop_back();
      continue;
    }
    bool ready = true;
    for (Term part : parts(t)) {
      if (!memo_.count(part)) open.push_back(part), ready = false;
    }
    if (!ready) continue;
    open.pop_back();
    Term out = t;
    if (auto number = numbers_.find(t); number != numbers_.end()) {
      out = number->second;
    } else if (laws_.nsz && t_.is_constant(t) && t_.type(t).is_float() && t_.value(t).d() == 0) {
      out = t_.constant(zero_scalar(t_.type(t)));
    } else if (is_ring(t)) {
      out = sum(t);
    } else if (is_set(t)) {
      out = set(t);
    } else if (t_.arity(t) > 0) {
      std::vector<Term> args;
      for (int i = 0; i < t_.arity(t); ++i) args.push_back(memo_.at(t_.arg(t, i)));
      out = t_.with_args(t, args);
      if (laws_.nsz && t_.type(out).is_float() && t_.op(out) == Op::Mul && vanishes(t_.arg(out, 0), t_.arg(out, 1))) {
        out = t_.constant(zero_scalar(t_.type(out)));
      } else if (laws_.nsz && t_.type(out).is_float() && t_.op(out) == Op::Add) {
        out = is_zero(t_.arg(out, 1)) ? t_.arg(out, 0) : is_zero(t_.arg(out, 0)) ? t_.arg(out, 1) : out;
      }
      // Without any flag: a zero of either sign is nothing to a sum that is not -0.0.
      if (!laws_.contract && t_.type(out).is_float() && t_.op(out) == Op::Add) {
        for (int i : {0, 1}) {
          const Term sum = t_.arg(out, i), zero = t_.arg(out, 1 - i);
          if (!signed_.count(sum) || !is_some_zero(zero)) continue;
          out = sum;
          break;
        }
      }
    }
    if (!laws_.contract && never_minus_zero(out)) signed_.insert(out);
    memo_.emplace(t, out);
  }
  return memo_.at(root);
}

}  // namespace hexproof::symbolic
