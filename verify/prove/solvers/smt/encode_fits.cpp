// fits(e): no operation inside e is an error.
#include <cmath>

#include "verify/prove/solvers/smt/encoder.h"

namespace hexproof {

using namespace smt;
using std::string;

/// A cast from float to integer does not leave the type.
string Encoder::fits_cast(const Expr& e) {
  DType to = e->dtype, from = e->args[0]->dtype;
  string a = value(e->args[0]).text;
  int bits = to.is_int() ? to.bits - 1 : to.bits;
  int precision = from.bits - exponent_bits(from);
  double past = std::ldexp(1.0, bits);
  string finite = app({"not", app({"or", app({"fp.isNaN", a}), app({"fp.isInfinite", a})})});
  string low = !to.is_int()            ? app({"fp.gt", a, fp_const(from, -1)})
               : bits + 1 <= precision ? app({"fp.gt", a, fp_const(from, -past - 1)})
                                       : app({"fp.geq", a, fp_const(from, -past)});
  return app({"and", finite, low, app({"fp.lt", a, fp_const(from, past)})});
}

/// The operator of `e` itself is no error, given that its operands are none.
string Encoder::fits_here(const Expr& e) {
  DType t = e->dtype;
  if (!t.is_scalar()) throw NotEncodable("a vector in fits()");
  if (e->op == Op::Cast && t.is_integer() && e->args[0]->dtype.is_float()) return fits_cast(e);
  if (!t.is_integer() || e->args.size() != 2 || is_application(e->op)) return "true";
  bool shifts = e->op == Op::Shl || e->op == Op::Shr;
  bool sums = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul;
  if (!shifts && !sums && !is_division(e->op)) return "true";
  Encoded a = value(e->args[0]), b = value(e->args[1]);
  std::vector<string> parts;
  if (is_division(e->op)) {
    if (machine() || b.range.contains(0)) parts.push_back(app({"distinct", b.text, int_const(0, t)}));
    bool may_overflow = machine() || (a.range.contains(min_value(t)) && b.range.contains(-1));
    if (t.is_int() && may_overflow) {
      parts.push_back(app(
          {"not", app({"and", app({"=", a.text, int_const(min_value(t), t)}), app({"=", b.text, int_const(-1, t)})})}));
    }
    return conjunction(parts);
  }
  bool in_width = !machine() && b.range.within(0, t.bits - 1);
  if (shifts && !in_width) parts.push_back(in_range(b.text, {0, t.bits - 1}, t));
  if (e->op == Op::Shr) return conjunction(parts);
  if (machine() && !options_.overflow_is_error) return conjunction(parts);
  Encoded v = value(e);
  if (machine()) {
    if (shifts) {
      string back = app({t.is_uint() ? "bvlshr" : "bvashr", v.text, b.text});
      parts.push_back(app({"=", back, a.text}));
    } else {
      int by = e->op == Op::Mul ? t.bits : 1;
      const char* name = e->op == Op::Add ? "bvadd" : e->op == Op::Sub ? "bvsub" : "bvmul";
      parts.push_back(app({"=", app({name, extend(a, t, by), extend(b, t, by)}), extend(v, t, by)}));
    }
  } else if (!e->wraps) {  // data wraps
    if (shifts && (!in_width || (!bits() && !b.range.is_point()))) {
      parts.push_back(any(kBool).text);  // the abstract result says nothing of an overflow
    } else if (!v.range.within(t)) {
      note(range_of(t));
      parts.push_back(in_range(v.text, range_of(t), t));
    }
  }
  return conjunction(parts);
}

string Encoder::fits(const Expr& e) {
  if (auto it = fits_memo_.find(e); it != fits_memo_.end()) return it->second;
  string out;
  if (e->op == Op::IfThenElse) {
    string c = value(e->args[0]).text;
    out = app({"and", fits(e->args[0]), app({"ite", c, fits(e->args[1]), fits(e->args[2])})});
  } else {
    std::vector<string> parts;
    for (const Expr& arg : e->args) {
      if (arg->op == Op::StringImm) continue;
      if (string part = fits(arg); part != "true") parts.push_back(part);
    }
    if (string here = fits_here(e); here != "true") parts.push_back(here);
    out = conjunction(parts);
  }
  if (out != "true") out = define(kBool, out);
  fits_memo_.emplace(e, out);
  return out;
}

/// No division by zero or shift out of range anywhere in `e`.
string Encoder::total(const Expr& e) {
  std::vector<string> parts;
  visit_nodes(e, [&](const Expr& node) {
    if (node->op == Op::Fits) return false;
    if (is_division(node->op)) {
      parts.push_back(app({"distinct", value(node->args[1]).text, int_const(0, node->dtype)}));
    }
    if (node->op == Op::Shl || node->op == Op::Shr) {
      parts.push_back(in_range(value(node->args[1]).text, {0, node->dtype.bits - 1}, node->dtype));
    }
    return true;
  });
  return conjunction(parts);
}

}  // namespace hexproof
