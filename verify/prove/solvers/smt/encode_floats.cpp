// Floats, comparisons and casts.
#include "verify/prove/solvers/smt/encoder.h"

namespace hexproof {

using namespace smt;
using std::string;

Encoded Encoder::float_binary(const Expr& e) {
  Encoded a = value(e->args[0]), b = value(e->args[1]);
  if (e->op == Op::Min || e->op == Op::Max) {
    string chosen = app({e->op == Op::Min ? "fp.lt" : "fp.gt", a.text, b.text});
    return {define(e->dtype, app({"ite", chosen, a.text, b.text}))};
  }
  const char* name = e->op == Op::Add ? "fp.add" : e->op == Op::Sub ? "fp.sub" : e->op == Op::Mul ? "fp.mul" : "fp.div";
  return {define(e->dtype, app({name, "RNE", a.text, b.text}))};
}

Encoded Encoder::comparison(const Expr& e) {
  Encoded a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->args[0]->dtype;
  string body;
  if (t.is_float()) {
    const char* name = e->op == Op::LT   ? "fp.lt"
                       : e->op == Op::LE ? "fp.leq"
                       : e->op == Op::GT ? "fp.gt"
                       : e->op == Op::GE ? "fp.geq"
                                         : "fp.eq";
    body = app({name, a.text, b.text});
    if (e->op == Op::NE) body = app({"not", body});
  } else if (e->op == Op::EQ || e->op == Op::NE) {
    body = app({e->op == Op::EQ ? "=" : "distinct", a.text, b.text});
  } else if (e->op == Op::LT || e->op == Op::GT) {
    body = e->op == Op::LT ? less(a.text, b.text, t) : less(b.text, a.text, t);
  } else {
    body = e->op == Op::LE ? less_equal(a.text, b.text, t) : less_equal(b.text, a.text, t);
  }
  return {define(kBool, body)};
}

Encoded Encoder::convert(const Expr& e) {
  DType to = e->dtype, from = e->args[0]->dtype;
  Encoded a = value(e->args[0]);
  if (to.is_bool()) {
    if (from.is_bool()) return a;
    if (from.is_float()) return {define(to, app({"not", app({"fp.isZero", a.text})}))};
    return {define(to, app({"distinct", a.text, int_const(0, from)}))};
  }
  if (from.is_bool()) {
    if (to.is_float()) return {define(to, app({"ite", a.text, fp_const(to, 1), fp_const(to, 0)}))};
    return integer(to, app({"ite", a.text, int_const(1, to), int_const(0, to)}), {0, 1});
  }
  string params = to.is_float() ? fp_params(to) : "";
  if (from.is_float() && to.is_float()) {
    return {define(to, app({app({"_", "to_fp", params}), "RNE", a.text}))};
  }
  if (from.is_float()) {
    if (!bits()) return application(e, "cast " + from.str() + " " + to.str(), {a}, {from});
    string conversion = app({"_", to.is_uint() ? "fp.to_ubv" : "fp.to_sbv", std::to_string(to.bits)});
    string body = app({conversion, "RTZ", a.text});
    note(range_of(to));
    if (!machine()) {
      body = app({extension(to, width_ - to.bits), body});
    }
    return {define(to, body), range_of(to)};
  }
  if (to.is_float()) {
    if (!bits()) {
      if (a.range.is_point() && a.range.within(-(Wide{1} << 53), Wide{1} << 53)) {
        return {fp_const(to, static_cast<double>(a.range.lo))};
      }
      return application(e, "cast int " + to.str(), {a}, {from});
    }
    bool is_unsigned = machine() && from.is_uint();
    return {define(to, app({app({"_", is_unsigned ? "to_fp_unsigned" : "to_fp", params}), "RNE", a.text}))};
  }
  if (!machine()) return wrap(a, to);
  if (to.bits == from.bits) return a.range = range_of(to), a;
  if (to.bits > from.bits) return {define(to, extend(a, from, to.bits - from.bits)), range_of(to)};
  return {define(to, app({extract_low(to.bits), a.text})), range_of(to)};
}

/// Of the bits that are a float there is one pattern, but for NaNs: theirs is the canonical one.
Encoded Encoder::reinterpreted(const Expr& e) {
  const DType to = e->dtype, from = e->args[0]->dtype;
  Encoded a = value(e->args[0]);
  if (!bits()) return application(e, "reinterpret " + from.str() + " " + to.str(), {a}, {from});
  auto float_of = [&](DType type, const string& word) {
    return app({app({"_", "to_fp", fp_params(type)}), machine() ? word : app({extract_low(type.bits), word})});
  };
  if (to.is_float()) return {define(to, float_of(to, a.text))};
  Encoded pattern = any(to);
  assert_that(app({"=", float_of(from, pattern.text), a.text}));
  const string canonical = int_const(static_cast<Wide>(float_format(from).nan()), to);
  assert_that(app({"=>", app({"fp.isNaN", a.text}), app({"=", pattern.text, canonical})}));
  return pattern;
}

}  // namespace hexproof
