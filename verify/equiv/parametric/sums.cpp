#include "verify/equiv/parametric/sums.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "ir/visit.h"

namespace hexproof::parametric {

namespace {

using Products = std::vector<Product>;
constexpr size_t kMostProducts = 64, kMostNodes = 1 << 14;

Expr plus(const Expr& a, const Expr& b) { return binary(Op::Add, a, b, true); }
Expr times(const Expr& a, const Expr& b) { return binary(Op::Mul, a, b, true); }

Products constant(uint64_t value) { return {{.coefficient = value}}; }
Products factor(const Expr& e) { return {{.factors = {e}}}; }

/// Equal factors together; products that are 0 go.
Products collected(const Products& all, DType type) {
  Products out;
  for (const Product& p : all) {
    auto it = std::find_if(out.begin(), out.end(), [&](const Product& q) { return q.factors == p.factors; });
    if (it == out.end()) {
      out.push_back(p);
    } else {
      it->coefficient += p.coefficient;
    }
  }
  for (Product& p : out) p.coefficient = reduced(p.coefficient, type);
  std::erase_if(out, [](const Product& p) { return p.coefficient == 0; });
  return out;
}

Product operator*(const Product& a, const Product& b) {
  Product out{a.coefficient * b.coefficient, a.factors};
  out.factors.insert(out.factors.end(), b.factors.begin(), b.factors.end());
  return out;
}

Products operator*(const Products& a, const Products& b) {
  Products out;
  for (const Product& x : a) {
    for (const Product& y : b) out.push_back(x * y);
  }
  return out;
}

Expr product(const std::vector<Expr>& factors, DType type) {
  Expr out;
  for (const Expr& e : factors) out = out ? times(out, e) : e;
  return out ? out : imm(type, 1);
}

bool speaks_of_a_loop(const Expr& e, const Fold& f) {
  return std::any_of(f.loops.begin(), f.loops.end(), [&](const LoopRange& l) { return mentions(e, Expr(l.var)); });
}

}  // namespace

uint64_t reduced(uint64_t coefficient, DType type) {
  const int bits = HEXPROOF_MUTANT("equiv/width-of-a-coefficient", type.bits, type.bits - 1);
  return bits == 64 ? coefficient : coefficient & ((uint64_t{1} << bits) - 1);
}

std::vector<Expr> laws_of_sums(DType type) {
  auto any = [&](const char* name) { return uninterpreted(Op::Opaque, type, name, {}); };
  const Expr s = any("s"), t = any("t"), g = any("g"), h = any("h"), c = any("c"), zero = imm(type, 0);
  return {
      eq(plus(zero, g), g),                          // 1: of no iteration
      eq(plus(s, plus(t, g)), plus(plus(s, t), g)),  // 1: one iteration more
      eq(plus(zero, zero), zero),                    // 2: of no iteration
      eq(plus(plus(s, t), plus(g, h)), plus(plus(s, g), plus(t, h))),
      eq(times(c, zero), zero),  // 3, 4, 5
      eq(plus(times(c, s), times(c, g)), times(c, plus(s, g))),
      eq(times(g, h), times(h, g)),
      eq(times(times(c, g), h), times(c, times(g, h))),
  };
}

bool Laws::hold(const Expr& goal) {
  auto [it, first] = known_.try_emplace(goal, false);
  if (first) it->second = prover_.prove({"sums", "a law of sums", {}, {}, goal}).verdict == Verdict::Proved;
  return it->second;
}

std::optional<Products> Sums::of(const Expr& e) {
  if (++visited_ > kMostNodes) return std::nullopt;
  if (const int64_t* value = as_int(e)) return collected(constant(static_cast<uint64_t>(*value)), type_);
  const bool sum = e->op == Op::Add || e->op == Op::Sub;
  if (e->dtype == type_ && e->wraps && (sum || e->op == Op::Mul)) {
    std::optional<Products> a = of(e->args[0]), b = of(e->args[1]);
    if (!a || !b || a->size() * b->size() > kMostProducts) return std::nullopt;
    if (!sum) return collected(*a * *b, type_);
    if (e->op == Op::Sub) *b = constant(~uint64_t{0}) * *b;
    a->insert(a->end(), b->begin(), b->end());
    return collected(*a, type_);
  }
  if (is_fold(e)) return of_fold(e);
  if (const Expr without = flipped_sign(e)) {
    return Products{{.factors = {without}}, {.coefficient = uint64_t{1} << (e->args[0]->dtype.bits - 1)}};
  }
  return factor(e);
}

/// cast(x ^ 128) of 8 bits is cast(int8 x) + 128, and so on of other widths: the x that makes it so, as it is cast.
/// That it does is proved of each.
Expr Sums::flipped_sign(const Expr& e) {
  if (e->op != Op::Cast || !e->args[0]->dtype.is_uint() || e->args[0]->op != Op::BitXor) return {};
  const DType narrow = e->args[0]->dtype, with_sign{TypeCode::Int, narrow.bits};
  if (narrow.bits >= type_.bits) return {};
  for (const Expr& side : e->args[0]->args) {
    if (as_int(side)) continue;
    Expr bits = side->op == Op::Cast && side->args[0]->dtype == with_sign ? side->args[0] : side;
    const Expr any = uninterpreted(Op::Opaque, bits->dtype, "bits", {});
    const Expr flipped = rewrite_expr(e, [&](const Expr& node) { return node == bits ? any : node; });
    auto with_a_sign = [&](const Expr& x) { return cast(type_, x->dtype == with_sign ? x : cast(with_sign, x)); };
    const Expr half = imm(type_, int64_t{1} << (narrow.bits - 1));
    if (laws_.hold(eq(flipped, plus(with_a_sign(any), half)))) return with_a_sign(bits);
  }
  return {};
}

/// Law 1, and 2 of what it adds.
std::optional<Products> Sums::of_fold(const Expr& call) {
  Fold f = folds_.open(call);
  const std::optional<Products> step = of(f.step);
  if (!step) return std::nullopt;
  bool adds = false;
  Products each;
  for (const Product& p : *step) {
    const bool is_acc = p.factors.size() == 1 && p.factors[0] == f.acc && p.coefficient == 1;
    adds |= is_acc;
    if (is_acc) continue;
    for (const Expr& e : p.factors) {
      if (HEXPROOF_MUTANT("equiv/sum-of-its-own-value", mentions(e, f.acc), false)) return factor(call);
    }
    each.push_back(p);
  }
  for (const Expr& e : domain(f)) {
    if (mentions(e, f.acc)) return factor(call);
  }
  if (!adds) return factor(call);
  std::optional<Products> out = of(f.init);
  for (const Product& p : each) {
    const std::optional<Products> sum = summed(f, p);
    if (!out || !sum) return std::nullopt;
    out->insert(out->end(), sum->begin(), sum->end());
    if (out->size() > kMostProducts) return std::nullopt;
  }
  Products all = collected(*out, type_);
  const bool as_it_was =
      all.size() == 1 && all[0].coefficient == 1 && all[0].factors.size() == 1 && is_fold(all[0].factors[0]);
  took_apart_ |= !as_it_was;
  return all;
}

/// Law 4: the folds among the factors go over their domain in f's. Not where that would ask for bounds that need not be
/// free of errors outside of the guards.
bool Sums::take_in(Fold* f, std::vector<Expr>* factors) {
  for (size_t k = 0; k < factors->size(); ++k) {
    if (!is_fold((*factors)[k])) continue;
    Fold inner = folds_.open((*factors)[k]);
    const Expr& step = inner.step;
    const bool zero = HEXPROOF_MUTANT("equiv/inner-sum-starts-at-zero", is_int(inner.init, 0), true);
    const bool from_zero = zero && step->op == Op::Add && step->wraps && step->args[0] == inner.acc;
    if (!from_zero || mentions(step->args[1], inner.acc)) continue;
    for (const LoopRange& loop : inner.loops) {
      if (!f->guards.empty() && (!as_int(loop.min) || !as_int(loop.extent))) return false;
    }
    const std::optional<Products> parts = of(step->args[1]);
    if (!parts || parts->size() != 1 || (*parts)[0].coefficient != 1) continue;
    f->loops.insert(f->loops.end(), inner.loops.begin(), inner.loops.end());
    f->guards.insert(f->guards.end(), inner.guards.begin(), inner.guards.end());
    factors->erase(factors->begin() + static_cast<std::ptrdiff_t>(k));
    factors->insert(factors->end(), (*parts)[0].factors.begin(), (*parts)[0].factors.end());
    took_apart_ = true;
    k = static_cast<size_t>(-1);
  }
  return true;
}

/// Law 5: how often it is added; the loops are gone.
Products Sums::leave_out_loops(Fold* f, const std::vector<Expr>& factors) {
  Products out = constant(1);
  if (HEXPROOF_MUTANT("equiv/guarded-iterations", !f->guards.empty(), false)) return out;
  for (size_t k = f->loops.size(); k-- > 0;) {
    const LoopRange loop = f->loops[k];
    const Expr var(loop.var);
    bool used = speaks_of_a_loop(loop.extent, *f);
    for (const Expr& e : factors) used |= mentions(e, var);
    for (const LoopRange& other : f->loops) used |= mentions(other.min, var) || mentions(other.extent, var);
    if (used) continue;
    if (as_int(loop.extent)) {
      out = out * constant(static_cast<uint64_t>(std::max<int64_t>(*as_int(loop.extent), 0)));
    } else {
      const Expr none = imm(loop.extent->dtype, 0);
      const bool counts = HEXPROOF_MUTANT("equiv/iterations-below-zero", scenario_.proves(ge(loop.extent, none)), true);
      const Expr count = counts ? loop.extent : binary(Op::Max, loop.extent, none);
      out = out * factor(count->dtype == type_ ? count : cast(type_, count));
    }
    f->loops.erase(f->loops.begin() + static_cast<std::ptrdiff_t>(k));
  }
  return out;
}

/// S_D of one product: law 3, then 4 and 5.
std::optional<Products> Sums::summed(const Fold& f, Product each) {
  Product outside{.coefficient = each.coefficient};
  std::vector<Expr> inside;
  for (const Expr& e : each.factors) (speaks_of_a_loop(e, f) ? inside : outside.factors).push_back(e);
  Fold sum{f.loops, f.guards, f.acc, {}, imm(type_, 0)};
  if (!take_in(&sum, &inside)) return std::nullopt;
  const Products out = Products{outside} * leave_out_loops(&sum, inside);
  if (sum.loops.empty()) return out * Products{{.factors = inside}};
  sum.step = plus(sum.acc, product(inside, type_));
  return out * factor(folds_.close(sum));
}

}  // namespace hexproof::parametric
