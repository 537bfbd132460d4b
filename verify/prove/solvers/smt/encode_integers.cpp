// Arithmetic of integers in each reading.
#include "ir/base/mutant.h"
#include "verify/prove/solvers/smt/encoder.h"

namespace hexproof {

using namespace smt;
using std::string;

Encoded Encoder::wrap(const Encoded& exact, DType t) {
  if (machine() || exact.range.within(t)) return {exact.text, machine() ? range_of(t) : exact.range};
  Interval range = HEXPROOF_MUTANT("encode/wrapped-range", range_of(t), (Interval{range_of(t).lo + 1, range_of(t).hi}));
  if (bits()) {
    string low = app({extract_low(t.bits), exact.text});
    return integer(t, app({extension(t, width_ - t.bits), low}), range);
  }
  // exact = 2^bits * q + r
  string q = declare(t, "q"), r = declare(t, "r");
  string modulus = to_string(Wide{1} << t.bits);
  assert_that(app({"=", exact.text, app({"+", app({"*", modulus, q}), r})}));
  assert_that(in_range(r, range, t));
  note(range);
  return {r, range};
}

Encoded Encoder::arithmetic(const Expr& e) {
  Encoded a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->dtype;
  Interval range = e->op == Op::Add ? a.range + b.range : e->op == Op::Sub ? a.range - b.range : a.range * b.range;
  if (e->op == Op::Mul && !a.range.is_point() && !b.range.is_point()) nonlinear_ = true;
  string body = e->op == Op::Add   ? arith("+", "bvadd", a.text, b.text)
                : e->op == Op::Sub ? HEXPROOF_MUTANT("encode/difference", arith("-", "bvsub", a.text, b.text),
                                                     arith("+", "bvadd", a.text, b.text))
                                   : arith("*", "bvmul", a.text, b.text);
  if (machine()) return {define(t, body), range_of(t)};
  Encoded exact = integer(t, body, range);
  return HEXPROOF_MUTANT("encode/data-does-not-wrap", e->wraps, false) ? wrap(exact, t) : exact;
}

Encoded Encoder::extremum(const Expr& e) {
  Encoded a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->dtype;
  bool lesser = HEXPROOF_MUTANT("encode/minimum", e->op == Op::Min, e->op == Op::Max);
  auto pick = [&](Wide x, Wide y) { return lesser ? std::min(x, y) : std::max(x, y); };
  string first = lesser ? less(a.text, b.text, t) : less(b.text, a.text, t);
  return integer(t, app({"ite", first, a.text, b.text}), {pick(a.range.lo, b.range.lo), pick(a.range.hi, b.range.hi)});
}

/// Floor quotient or remainder in bit-vectors; right wherever the mathematical result fits the width.
string Encoder::floor_bits(const Encoded& a, const Encoded& b, DType t, bool remainder) {
  bool positive = a.range.lo >= 0 && b.range.lo >= 0;
  if (positive) return app({remainder ? "bvurem" : "bvudiv", a.text, b.text});
  if (remainder) return app({"bvsmod", a.text, b.text});
  string zero = int_const(0, t);
  string q = define(t, app({"bvsdiv", a.text, b.text}));
  string inexact = app({"distinct", app({"bvsrem", a.text, b.text}), zero});
  string signs = app({"xor", app({"bvslt", a.text, zero}), app({"bvslt", b.text, zero})});
  return app({"ite", app({"and", inexact, signs}), app({"bvsub", q, int_const(1, t)}), q});
}

/// Floor quotient or remainder by a positive constant.
string Encoder::floor_by_constant(const Encoded& a, Wide c, DType t, bool remainder) {
  if (bits()) {
    note(point(c));
    return floor_bits(a, {int_const(c, t), point(c)}, t, remainder);
  }
  string q = declare(t, "q"), r = declare(t, "r");
  assert_that(app({"=", a.text, app({"+", app({"*", to_string(c), q}), r})}));
  assert_that(app(
      {"and", app({HEXPROOF_MUTANT("encode/remainder-is-positive", "<=", "<"), "0", r}), app({"<", r, to_string(c)})}));
  return remainder ? r : q;
}

Encoded Encoder::division(const Expr& e) {
  Encoded a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->dtype;
  bool floors = HEXPROOF_MUTANT("encode/truncating-division", e->op == Op::FloorDiv || e->op == Op::FloorMod, true);
  bool remainder = e->op == Op::FloorMod || e->op == Op::TruncMod;
  Interval range = e->op == Op::FloorDiv   ? floor_div(a.range, b.range)
                   : e->op == Op::FloorMod ? floor_mod(a.range, b.range)
                   : e->op == Op::TruncDiv ? trunc_div(a.range, b.range)
                                           : trunc_mod(a.range, b.range);
  bool constant = b.range.is_point() && b.range.lo > 0;
  if (constant && (floors || a.range.lo >= 0)) {
    string body = floor_by_constant(a, b.range.lo, t, remainder);
    if (machine()) return {define(t, body), range_of(t)};
    return integer(t, body, range);
  }
  if (bits()) {
    string body = floors                     ? floor_bits(a, b, t, remainder)
                  : machine() && t.is_uint() ? app({remainder ? "bvurem" : "bvudiv", a.text, b.text})
                                             : app({remainder ? "bvsrem" : "bvsdiv", a.text, b.text});
    if (machine()) return {define(t, body), range_of(t)};
    if (b.range.contains(0)) {
      unbounded_ = true;
      return any(t);
    }
    return integer(t, body, range);
  }
  nonlinear_ |= !b.range.is_point();
  string q = declare(t, "q"), r = declare(t, "r");
  string exact = app({"=", a.text, app({"+", app({"*", b.text, q}), r})});
  string bound = floors ? app({"ite", app({">", b.text, "0"}), app({"and", app({"<=", "0", r}), app({"<", r, b.text})}),
                               app({"and", app({"<", b.text, r}), app({"<=", r, "0"})})})
                        : app({"and", app({"ite", app({">=", a.text, "0"}), app({"<=", "0", r}), app({"<=", r, "0"})}),
                               app({"<", app({"ite", app({">=", r, "0"}), r, app({"-", r})}),
                                    app({"ite", app({">=", b.text, "0"}), b.text, app({"-", b.text})})})});
  string defined = app({"and", exact, bound});
  if (b.range.contains(0)) defined = app({"=>", app({"distinct", b.text, "0"}), defined});
  assert_that(defined);
  note(range);
  return {remainder ? r : q, range};
}

Encoded Encoder::shift(const Expr& e) {
  Encoded a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->dtype;
  bool left = e->op == Op::Shl;
  if (machine()) {
    return {define(t, app({left ? "bvshl" : t.is_uint() ? "bvlshr" : "bvashr", a.text, b.text})), range_of(t)};
  }
  if (!b.range.within(0, t.bits - 1)) {
    if (bits()) unbounded_ = true;
    return any(t);
  }
  Interval power{Wide{1} << static_cast<int>(b.range.lo), Wide{1} << static_cast<int>(b.range.hi)};
  if (b.range.is_point()) {
    if (!left) return integer(t, floor_by_constant(a, power.lo, t, false), floor_div(a.range, power));
    note(power);
    Encoded exact = integer(t, arith("*", "bvmul", a.text, int_const(power.lo, t)), a.range * power);
    return e->wraps ? wrap(exact, t) : exact;
  }
  if (!bits()) {
    note(a.range * power);
    return any(t);
  }
  if (!left) return integer(t, app({"bvashr", a.text, b.text}), floor_div(a.range, power));
  note(power);
  note(a.range * power);
  Encoded exact = integer(t, app({"bvshl", a.text, b.text}), a.range * power);
  return e->wraps ? wrap(exact, t) : exact;
}

Encoded Encoder::bitwise(const Expr& e) {
  DType t = e->dtype;
  Encoded a = value(e->args[0]);
  if (e->op == Op::BitNot) {
    if (machine()) return {define(t, app({"bvnot", a.text})), range_of(t)};
    Wide from = t.is_uint() ? max_value(t) : Wide{-1};
    note(point(from));
    return integer(t, arith("-", "bvsub", int_const(from, t), a.text), point(from) - a.range);
  }
  Encoded b = value(e->args[1]);
  const char* name = e->op == Op::BitAnd ? "bvand" : e->op == Op::BitOr ? "bvor" : "bvxor";
  if (machine()) return {define(t, app({name, a.text, b.text})), range_of(t)};
  if (e->op == Op::BitAnd) {
    // x & (2^k - 1) is x mod 2^k, also for negative x.
    if (a.range.is_point()) std::swap(a, b);
    Wide mask = b.range.lo;
    if (b.range.is_point() && mask >= 0 && (mask & (mask + 1)) == 0) {
      return integer(t, floor_by_constant(a, mask + 1, t, true), floor_mod(a.range, point(mask + 1)));
    }
  }
  if (!bits()) {
    note(range_of(t));
    return any(t);
  }
  // In two's complement at any sufficient width these are the operations on infinitely many bits; those stay within
  // the power of two around both operands.
  Interval r = hull(a.range, b.range);
  Wide most = 1;
  while (most < kInfinity && !r.within(-most, most - 1)) most *= 2;
  return integer(t, app({name, a.text, b.text}), Interval{r.lo < 0 ? -most : Wide{0}, most - 1});
}

}  // namespace hexproof
