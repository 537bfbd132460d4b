// What is simplified when a term is built; terms.h lists the laws.
#include <cmath>
#include <cstdlib>

#include "ir/base/mutant.h"
#include "verify/equiv/symbolic/terms/terms.h"

namespace hexproof::symbolic {
namespace {

bool commutes(Op op, DType type) {
  switch (op) {
    case Op::Add:
    case Op::Mul:
    case Op::EQ:
    case Op::And:
    case Op::Or:
      return true;
    case HEXPROOF_CASES(MinMax):  // of floats the right operand is taken with a NaN or with zeros of two signs
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
      return !type.is_float();
    case HEXPROOF_CASES(Leaf):
    case Op::Sub:
    case Op::Div:
    case HEXPROOF_CASES(IntegerDivision):
    case Op::NE:
    case HEXPROOF_CASES(Order):
    case Op::Not:
    case Op::BitNot:
    case HEXPROOF_CASES(Shift):
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  return false;
}

}  // namespace

/// Is one the negation of the other, as it stands?
bool Terms::complement(Term a, Term b) const {
  auto negates = [&](Term x, Term y) { return op(x) == Op::Not && arg(x, 0) == y; };
  if (negates(a, b) || negates(b, a)) return true;
  // not (x < y) is y <= x on integers
  auto opposite = [&](Term x, Term y) {
    return op(x) == Op::LT && op(y) == Op::LE && !type(arg(x, 0)).is_float() && arg(x, 0) == arg(y, 1) &&
           arg(x, 1) == arg(y, 0);
  };
  return opposite(a, b) || opposite(b, a);
}

Term Terms::unary(Op op, Term a) {
  if (is_constant(a)) return constant(apply_unary(op, value(a)));
  if (this->op(a) == op) return arg(a, 0);
  if (op == Op::Not) {
    Op inner = this->op(a);
    if ((inner == Op::LT || inner == Op::LE) && !type(arg(a, 0)).is_float()) {
      return binary(inner == Op::LT ? Op::LE : Op::LT, arg(a, 1), arg(a, 0));
    }
  }
  return make(op, type(a), a, 0, 0, has_undef(a));
}

Term Terms::fold_integer(Op op, DType t, Term a, Term b) {
  const Term nil = zero(t);
  const bool known = is_constant(b);
  if (!known && a != b) return kNoTerm;
  const Scalar c = value(known ? b : nil);
  if (known && c.bits == 0) {
    if (op == Op::Add || op == Op::Sub || op == Op::BitOr || op == Op::BitXor || op == Op::Shl || op == Op::Shr) {
      return a;
    }
    if (op == Op::Mul || op == Op::BitAnd) return nil;
  }
  if (known && wide_value(c) == 1) {
    if (op == Op::Mul || op == Op::FloorDiv || op == Op::TruncDiv) return a;
    if (op == Op::FloorMod || op == Op::TruncMod) return nil;
  }
  // Powers of two have one form: x & 7 is x % 8, x >> 3 is x // 8, x << 3 is x * 8.
  const Wide most = max_value(t);
  if (known && op == Op::BitAnd && wide_value(c) > 0 && wide_value(c) < most && (c.bits & (c.bits + 1)) == 0) {
    return binary(Op::FloorMod, a, constant(int_scalar(t, wide_value(c) + 1)));
  }
  if (known && (op == Op::Shl || op == Op::Shr) && c.bits < 63 && (Wide{1} << c.bits) <= most) {
    return binary(op == Op::Shl ? Op::Mul : Op::FloorDiv, a, constant(int_scalar(t, Wide{1} << c.bits)));
  }
  if (known && op == Op::Sub) return binary(Op::Add, a, constant(int_scalar(t, -wide_value(c))));
  if (known && (op == Op::Add || op == Op::Mul) && this->op(a) == op && is_constant(arg(a, 1))) {
    ScalarResult both = apply_binary(op, value(arg(a, 1)), c, Arith::Data);
    if (both) return binary(op, arg(a, 0), constant(both.value));
  }
  if (a == b) {
    if (op == Op::Min || op == Op::Max || op == Op::BitAnd || op == Op::BitOr) return a;
    if (op == Op::Sub || op == Op::BitXor) return nil;
  }
  return kNoTerm;
}

/// A negation is `x * -1`, as the language has it. Rounding to nearest does not know signs, so a sign moves through
/// products and quotients; x - y is x + -y, zeros and their signs included. It does not move into a sum: -(x - x) is
/// -0. Under `reassoc` a sum with the negation of a sum is not the difference, which is regrouped with what it takes
/// away; with `nsz` products are multiplied out, by -1 too.
Term Terms::fold_sign(Op op, DType t, Term a, Term b) {
  if (HEXPROOF_MUTANT("open/negated-sum", open_.reassoc && !open_.nsz, false)) return kNoTerm;
  const Scalar minus_one = float_scalar(t, -1.0);
  auto negated = [&](Term x) {
    return this->op(x) == Op::Mul && is_constant(arg(x, 1)) && value(arg(x, 1)) == minus_one ? arg(x, 0) : kNoTerm;
  };
  auto negation = [&](Term x) { return binary(Op::Mul, x, constant(minus_one)); };
  auto opposite = [&](Term number) { return constant(float_scalar(t, -value(number).d())); };
  const Term x = negated(a), y = negated(b);
  if (op == Op::Mul && is_constant(b)) {
    if (x != kNoTerm) return binary(Op::Mul, x, opposite(b));
    if (value(b) == minus_one && this->op(a) == Op::Mul && is_constant(arg(a, 1))) {
      return binary(Op::Mul, arg(a, 0), opposite(arg(a, 1)));
    }
    return kNoTerm;
  }
  if (op == Op::Mul || (op == Op::Div && !open_.nsz)) {  // (which infinity it is, is chosen by the quotient itself)
    if (x != kNoTerm) return negation(binary(op, x, b));
    return y != kNoTerm ? negation(binary(op, a, y)) : kNoTerm;
  }
  if (op != Op::Add && op != Op::Sub) return kNoTerm;
  const Op other = op == Op::Add ? Op::Sub : Op::Add;
  if (is_constant(b) && value(b).d() < 0) return binary(other, a, opposite(b));
  if (y != kNoTerm) return binary(other, a, y);
  if (x == kNoTerm) return kNoTerm;
  if (op == Op::Add) return binary(Op::Sub, b, x);
  // -x - y is -y - x: one form.
  return x < b && !is_constant(b) ? binary(Op::Sub, negation(b), x) : kNoTerm;
}

Term Terms::fold_float(Op op, DType t, Term a, Term b) {
  if ((op == Op::Min || op == Op::Max) && a == b) return a;
  if (open_.contract) return kNoTerm;
  // (Under `reassoc` a sum may be regrouped, and a product with 2 has nothing to regroup.)
  if (op == Op::Add && a == b && !open_.reassoc) return binary(Op::Mul, a, constant(float_scalar(t, 2.0)));
  if (Term out = fold_sign(op, t, a, b); out != kNoTerm) return out;
  if (!is_constant(b)) return kNoTerm;
  Scalar c = value(b);
  const uint64_t minus_zero = uint64_t{1} << 63;
  if ((op == Op::Mul || op == Op::Div) && c == float_scalar(t, 1.0)) return a;
  int exponent = 0;
  const Scalar reciprocal = float_scalar(t, 1.0 / c.d());
  if (op == Op::Div && !open_.reassoc && std::fabs(std::frexp(c.d(), &exponent)) == 0.5 &&
      reciprocal.d() * c.d() == 1.0) {
    // The reciprocal is exact in this type: both are the same real number, rounded once. (A quotient and a product are
    // regrouped to other values.)
    return binary(Op::Mul, a, constant(reciprocal));
  }
  if (op == Op::Add && c.bits == minus_zero) return a;
  if (op == Op::Sub && c.bits == 0) return a;
  const bool adds_zero = op == Op::Add ? c.bits == 0 : op == Op::Sub && c.bits == minus_zero;
  if (adds_zero && nodes_[a].positive) return a;
  return kNoTerm;
}

Term Terms::fold_bool(Op op, Term a, Term b) {
  if (a == b) return a;
  const Term decides = truth(op == Op::Or), neutral = truth(op == Op::And);
  if (a == neutral) return b;
  if (b == neutral) return a;
  if (has_undef(a) || has_undef(b)) return kNoTerm;
  if (a == decides || b == decides || complement(a, b)) return decides;
  // a and (a and x); a or (a and x)
  for (int turn = 0; turn < 2; ++turn, std::swap(a, b)) {
    if (this->op(b) != Op::And && this->op(b) != Op::Or) continue;
    bool inside = arg(b, 0) == a || arg(b, 1) == a;
    if (inside) return this->op(b) == op ? b : a;
    for (int k = 0; k < 2; ++k) {
      // a and (not a or x) is a and x
      if (complement(arg(b, k), a)) return this->op(b) == op ? decides : binary(op, a, arg(b, 1 - k));
    }
  }
  return kNoTerm;
}

Term Terms::compare(Op op, Term a, Term b) {
  const DType t = type(a);
  if (t.is_bool() && op == Op::EQ) {
    if (b == kTrue) return a;
    if (b == kFalse) return lnot(a);
  }
  if (a == b) {
    if (op == Op::LT) return kFalse;  // also on a NaN
    if (!t.is_float()) return kTrue;
  }
  return t.is_integer() ? compare_clamped(op, a, b) : kNoTerm;
}

/// Which cell a clamped index names: min(x, c) and max(x, c) against a number are x against it, or decided; and
/// x + c == k is x == k - c, sums of data being those modulo the width. (What x was chosen to be is asked once, or
/// not.)
Term Terms::compare_clamped(Op op, Term a, Term b) {
  bool negated = false, changed = false;
  const auto answer = [&](Term t) { return negated ? lnot(t) : t; };
  // From the outside in: a chain of these may be as long as a loop runs.
  while (true) {
    const bool left = is_constant(b);  // the number
    const Term bounded = left ? a : b, number = left ? b : a;
    const Op form = is_constant(bounded) || !(left || is_constant(a)) ? Op::Var : this->op(bounded);
    const bool max = form == Op::Max, shifted = op == Op::EQ && (form == Op::Add || form == Op::Sub);
    if ((form != Op::Min && !max && !shifted) || !is_constant(arg(bounded, 1))) break;
    const Term x = arg(bounded, 0), end = arg(bounded, 1);
    const DType type = this->type(x);
    const Wide c = wide_value(value(end)), k = wide_value(value(number));
    changed = true;
    if (shifted) {
      a = x, b = binary(form == Op::Add ? Op::Sub : Op::Add, number, end);
    } else if (op == Op::EQ && c == k) {  // x <= c; x >= c
      const bool below = max && fits_type(type, c + 1);
      op = Op::LT, negated ^= !below;
      if (below)
        a = x, b = constant(int_scalar(type, c + 1));
      else if (max)
        a = end, b = x;
      else
        a = x, b = end;
    } else if (op == Op::EQ) {
      if (max ? k < c : c < k) return answer(kFalse);
      a = x, b = number;
    } else if (op == Op::LE) {
      op = Op::LT, negated = !negated, std::swap(a, b);
    } else if (op == Op::LT && left) {  // min(x, c) < k, max(x, c) < k
      if (c < k ? !max : max) return answer(truth(!max));
      a = x, b = number;
    } else {  // k < min(x, c), k < max(x, c)
      if (k < c ? max : !max) return answer(truth(max));
      a = number, b = x;
    }
  }
  return changed ? answer(binary(op, a, b)) : kNoTerm;
}

/// Has the operation on these numbers one result, and no other one together with what uses it, whatever the flags leave
/// open? A product may lose its rounding in a sum, and everything may be regrouped.
bool Terms::is_one_number(Op op, const Scalar& a, const Scalar& b) const {
  if (!a.type.is_float() || is_comparison(op) || op == Op::Min || op == Op::Max) return true;
  if (op == Op::Div && open_.nsz && b.d() == 0) return false;
  if (open_.reassoc) {
    const bool sum = op == Op::Add && (a.d() == 0 || b.d() == 0), difference = op == Op::Sub && b.d() == 0;
    return sum || difference || (op == Op::Mul && (a.d() == 1 || b.d() == 1));
  }
  if (!open_.contract || op != Op::Mul) return true;
  // What a small product loses may be below the numbers of its type.
  const ScalarResult product = apply_binary(op, a, b, Arith::Data);
  if (!product || !std::isfinite(product.value.d())) return false;
  const bool tells = HEXPROOF_MUTANT("open/small-products", std::fabs(product.value.d()) > 0x1p-900, true);
  // (A cast to a narrower format may round what was exact.)
  const bool of_any_format = HEXPROOF_MUTANT("open/products-that-casts-round", open_.one_format, true);
  return a.d() == 0 || b.d() == 0 || (of_any_format && tells && std::fma(a.d(), b.d(), -product.value.d()) == 0);
}

Term Terms::binary(Op op, Term a, Term b) {
  const DType t = type(a);
  if (op == Op::GT || op == Op::GE) return binary(op == Op::GT ? Op::LT : Op::LE, b, a);
  if (op == Op::NE) return lnot(binary(Op::EQ, a, b));
  if (is_constant(a) && is_constant(b) && is_one_number(op, value(a), value(b))) {
    if (ScalarResult r = apply_binary(op, value(a), value(b), Arith::Data)) return constant(r.value);
  }
  if (commutes(op, t)) {
    auto later = [&](Term x, Term y) { return is_constant(x) != is_constant(y) ? is_constant(x) : x > y; };
    if (later(a, b)) std::swap(a, b);
  }
  Term folded = is_comparison(op)               ? compare(op, a, b)
                : op == Op::And || op == Op::Or ? fold_bool(op, a, b)
                : t.is_float()                  ? fold_float(op, t, a, b)
                                                : fold_integer(op, t, a, b);
  const bool undef = has_undef(a) || has_undef(b);
  if (folded != kNoTerm && has_undef(folded) == undef) return folded;  // no law makes a number of an undef
  return make(op, is_comparison(op) ? kBool : t, a, b, 0, undef);
}

Term Terms::cast(DType to, Term a) {
  const DType from = type(a);
  if (to == from) return a;
  if (is_constant(a)) {
    if (ScalarResult r = apply_cast(to, value(a))) return constant(r.value);
  }
  if (op(a) == Op::Cast && to.is_integer() && from.is_integer()) {
    // The low bits of a wrapped integer are those of the integer itself; a wider type keeps the value.
    const DType inner = type(arg(a, 0));
    bool keeps = (inner.is_integer() || inner.is_bool()) &&
                 (to.bits <= from.bits || (min_value(from) <= min_value(inner) && max_value(inner) <= max_value(from)));
    if (keeps) return cast(to, arg(a, 0));
  }
  // A sum, difference or product of numbers of half the precision or less is rounded twice with the result of once: the
  // wider format has at least twice the digits and two more (and holds the product exactly). One operation in the place
  // of another is regrouped, or fused, with what the other one is not.
  const Op inner = op(a);
  const bool apart = HEXPROOF_MUTANT("open/narrowed", open_.reassoc || open_.contract, false);
  if (!apart && to.is_float() && from.is_float() && to.bits < from.bits &&
      (inner == Op::Add || inner == Op::Sub || inner == Op::Mul)) {
    auto narrow = [&](Term x) {
      if (op(x) == Op::Cast && type(arg(x, 0)) == to) return arg(x, 0);
      if (!is_constant(x)) return kNoTerm;
      const Scalar number = float_scalar(to, value(x).d());
      return number.d() == value(x).d() ? constant(number) : kNoTerm;
    };
    const Term x = narrow(arg(a, 0)), y = narrow(arg(a, 1));
    if (x != kNoTerm && y != kNoTerm) return binary(inner, x, y);
  }
  return make(Op::Cast, to, a, 0, 0, has_undef(a));
}

Term Terms::select(Term c, Term yes, Term no) {
  if (is_constant(c)) return c == kTrue ? yes : no;
  if (yes == no && !has_undef(c)) return yes;
  if (op(c) == Op::Not) return select(arg(c, 0), no, yes);
  if (op(c) == Op::LE && !type(arg(c, 0)).is_float()) return select(lnot(c), no, yes);  // one form: <
  if (!has_undef(c)) {
    // An inner choice by the same condition.
    for (Term* arm : {&yes, &no}) {
      while (op(*arm) == Op::Select) {
        Term inner = arg(*arm, 0);
        bool same = inner == c, opposite = complement(inner, c);
        if (!same && !opposite) break;
        *arm = arg(*arm, (arm == &yes) == same ? 1 : 2);
      }
    }
    if (yes == no) return yes;
    if (type(yes).is_bool() && !has_undef(yes) && !has_undef(no)) {
      if (yes == kTrue) return lor(c, no);
      if (yes == kFalse) return land(lnot(c), no);
      if (no == kFalse) return land(c, yes);
      if (no == kTrue) return lor(lnot(c), yes);
    }
    // if c: (if d: x else y) else y   is   if c and d: x else y
    if (op(yes) == Op::Select && arg(yes, 2) == no && !has_undef(arg(yes, 0))) {
      return select(land(c, arg(yes, 0)), arg(yes, 1), no);
    }
    if (op(no) == Op::Select && arg(no, 1) == yes && !has_undef(arg(no, 0))) {
      return select(lor(c, arg(no, 0)), yes, arg(no, 2));
    }
  }
  return make(Op::Select, type(yes), c, yes, no, has_undef(c) || has_undef(yes) || has_undef(no));
}

}  // namespace hexproof::symbolic
