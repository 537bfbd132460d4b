// separate-digits: a comparison of i * c + j with a constant, as conditions on i and on j.
#include <algorithm>
#include <optional>

#include "rewrite/expr_rules/match.h"

namespace hexproof {
namespace {

struct DigitTerm {
  Expr e;
  Wide factor;
};
/// A sum of multiples and a constant, as the expression computes it.
struct Sum {
  std::vector<DigitTerm> terms;
  Wide constant = 0;
};

constexpr Wide kLarge = Wide(1) << 62;  // factors and constants stay below it, so that a sum of two is no overflow

/// `sum + factor * e`; nothing where that is too large.
std::optional<Sum> plus(std::optional<Sum> sum, const Expr& e, Wide factor) {
  if (!sum || factor > kLarge || factor < -kLarge || sum->terms.size() > 16) return std::nullopt;
  if (const int64_t* value = as_int(e)) {
    if (*value > (int64_t(1) << 31) || *value < -(int64_t(1) << 31) || factor > (Wide(1) << 31) ||
        factor < -(Wide(1) << 31)) {
      return std::nullopt;
    }
    sum->constant += factor * *value;
    if (sum->constant >= kLarge || sum->constant <= -kLarge) return std::nullopt;
    return sum;
  }
  if (e->op == Op::Add || e->op == Op::Sub) {
    return plus(plus(std::move(sum), e->args[0], factor), e->args[1], e->op == Op::Add ? factor : -factor);
  }
  if (e->op == Op::Mul) {
    for (size_t k : {size_t{0}, size_t{1}}) {
      const int64_t* c = as_int(e->args[k]);
      if (c && *c < (int64_t(1) << 31) && *c > -(int64_t(1) << 31) && factor < (Wide(1) << 31) &&
          factor > -(Wide(1) << 31)) {
        return plus(std::move(sum), e->args[1 - k], factor * *c);
      }
    }
  }
  for (DigitTerm& t : sum->terms) {
    if (!(t.e == e)) continue;
    t.factor += factor;
    return sum;
  }
  sum->terms.push_back({e, factor});
  return sum;
}

/// The comparison as `sum < bound` (or, reversed, as `sum >= bound`), with the constants on the right.
struct SumBound {
  Sum sum;
  Wide bound = 0;
  bool below = true;
};

std::optional<SumBound> sum_bound_of(const Expr& e) {
  SumBound out;
  const Expr &a = e->args[0], &b = e->args[1];
  std::optional<Sum> sum = plus(plus(Sum{}, a, 1), b, -1);
  if (!sum) return std::nullopt;
  out.sum = std::move(*sum);
  std::erase_if(out.sum.terms, [](const DigitTerm& t) { return t.factor == 0; });
  if (out.sum.terms.empty()) return std::nullopt;
  // sum + constant < 0, <= 0, > 0, >= 0
  out.bound = -out.sum.constant + (e->op == Op::LE || e->op == Op::GT ? 1 : 0);
  out.below = e->op == Op::LT || e->op == Op::LE;
  // The largest factor is positive: -s < b is s >= 1 - b.
  auto larger = [](const DigitTerm& x, const DigitTerm& y) {
    return (x.factor < 0 ? -x.factor : x.factor) < (y.factor < 0 ? -y.factor : y.factor);
  };
  if (std::max_element(out.sum.terms.begin(), out.sum.terms.end(), larger)->factor < 0) {
    for (DigitTerm& t : out.sum.terms) t.factor = -t.factor;
    out.bound = 1 - out.bound;
    out.below = !out.below;
  }
  std::stable_sort(out.sum.terms.begin(), out.sum.terms.end(),
                   [](const DigitTerm& x, const DigitTerm& y) { return x.factor > y.factor; });
  return out;
}

/// The terms from the second one on as an expression.
std::optional<Expr> rest_of(const Sum& sum, DType type) {
  Expr out;
  for (size_t k = 1; k < sum.terms.size(); ++k) {
    const DigitTerm& t = sum.terms[k];
    Wide size = t.factor < 0 ? -t.factor : t.factor;
    if (!fits_type(type, size)) return std::nullopt;
    Expr e = size == 1 ? t.e : t.e * imm(type, size);
    if (!out && t.factor < 0) return std::nullopt;
    out = !out ? e : t.factor < 0 ? out - e : out + e;
  }
  return out;
}

}  // namespace

std::vector<Match> match_digits(const Expr& e) {
  bool comparison = e->op == Op::LT || e->op == Op::LE || e->op == Op::GT || e->op == Op::GE;
  if (!comparison || !e->dtype.is_scalar() || !e->args[0]->dtype.is_int() || is_data(e)) return {};
  bool opaque = false;
  visit_expr(e, [&](const Expr& part) {
    opaque |= part->op == Op::Undef || part->op == Op::Let || part->op == Op::Fits || part->wraps;
    return !opaque;
  });
  std::optional<SumBound> found = opaque ? std::nullopt : sum_bound_of(e);
  if (!found || found->sum.terms.size() < 2) return {};
  DType type = e->args[0]->dtype;
  const DigitTerm& first = found->sum.terms[0];
  std::optional<Expr> low = rest_of(found->sum, type);
  Wide c = first.factor;
  if (!low || !*low || c < 2) return {};
  Wide remainder = ((found->bound % c) + c) % c, quotient = (found->bound - remainder) / c;
  if (!fits_type(type, quotient) || !fits_type(type, remainder)) return {};
  Expr q = imm(type, quotient), r = imm(type, remainder);
  Expr here = eq(first.e, q), less = lt(*low, r), not_less = ge(*low, r);
  std::vector<Expr> forms;
  if (found->below) {
    forms = {lnot(land(here, not_less)), lor(lt(first.e, q), land(here, less))};
  } else {
    forms = {lnot(land(here, less)), lor(gt(first.e, q), land(here, not_less))};
  }
  std::vector<Match> out;
  for (const Expr& form : forms) {
    Expr same = lor(land(e, form), land(lnot(e), lnot(form)));
    out.push_back({kSeparateDigits, form, {fits(form), same}});
  }
  return out;
}

}  // namespace hexproof
