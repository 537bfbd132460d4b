#include "verify/solve/encode.h"

#include <cmath>
#include <map>
#include <unordered_map>

#include "ir/buffer.h"
#include "ir/diagnostic.h"
#include "ir/visit.h"
#include "verify/solve/evaluate.h"
#include "verify/solve/interval.h"

namespace hexproof {

void split_conjunction(const Expr& e, std::vector<Expr>* out) {
  if (e->op == Op::And || e->op == Op::Likely) {
    for (const Expr& arg : e->args) split_conjunction(arg, out);
  } else {
    out->push_back(e);
  }
}

namespace {

using std::string;

/// A subexpression in the script: its name or constant, and what is known of its value.
struct Value {
  string text;
  Interval range = {};  // integers: mathematical bounds that hold in every model of the script
  bool data = false;
};

string app(std::initializer_list<string> parts) {
  string out = "(";
  for (const string& part : parts) {
    if (out.size() > 1) out += ' ';
    out += part;
  }
  return out + ")";
}

string conjunction(const std::vector<string>& parts) {
  if (parts.empty()) return "true";
  if (parts.size() == 1) return parts[0];
  string out = "(and";
  for (const string& part : parts) out += " " + part;
  return out + ")";
}

string binary_digits(unsigned __int128 value, int bits) {
  string out(bits, '0');
  for (int i = 0; i < bits; ++i, value >>= 1) out[bits - 1 - i] = static_cast<char>('0' + static_cast<int>(value & 1));
  return out;
}

string binary(const string& digits) { return string("#b").append(digits); }

int exponent_bits(DType t) { return t.bits == 16 ? 5 : t.bits == 32 ? 8 : 11; }
string fp_params(DType t) { return std::to_string(exponent_bits(t)) + " " + std::to_string(t.bits - exponent_bits(t)); }
string extract_low(int bits) { return app({"_", "extract", std::to_string(bits - 1), "0"}); }
string extension(DType t, int by) {
  return app({"_", t.is_uint() ? "zero_extend" : "sign_extend", std::to_string(by)});
}
string fp_const(DType t, double value) {
  auto bits = static_cast<unsigned __int128>(float_to_bits(t, value));
  if (value != value) return app({"_", "NaN", fp_params(t)});
  string digits = binary_digits(bits, t.bits);
  size_t e = exponent_bits(t);
  return app({"fp", binary(digits.substr(0, 1)), binary(digits.substr(1, e)), binary(digits.substr(1 + e))});
}

class Encoder {
 public:
  Encoder(const EncodeOptions& options, int width) : options_(options), reading_(options.reading), width_(width) {}

  void learn_bounds(const Expr& e);
  Script run(const std::vector<Expr>& given, const Expr& goal);
  /// Bits that hold every integer of the formula; 0 when something has no bound.
  int needed_width() const { return unbounded_ ? 0 : needed_; }

 private:
  bool bits() const { return reading_ != Reading::Mathematical; }
  bool machine() const { return reading_ == Reading::Machine; }

  string sort(DType t) {
    if (t.is_bool()) return "Bool";
    if (t.is_float()) {
      floats_ = true;
      return app({"_", "FloatingPoint", fp_params(t)});
    }
    if (!bits()) return "Int";
    return app({"_", "BitVec", std::to_string(machine() ? t.bits : width_)});
  }
  string int_const(Wide v, DType t) {
    if (!bits()) return v < 0 ? app({"-", to_string(-v)}) : to_string(v);
    int w = machine() ? t.bits : width_;
    return binary(binary_digits(static_cast<unsigned __int128>(v), w));
  }
  string define(DType t, const string& body) {
    string name = "t" + std::to_string(next_term_++);
    text_ += "(define-fun " + name + " () " + sort(t) + " " + body + ")\n";
    return name;
  }
  string declare(DType t, const char* prefix) {
    string name = prefix + std::to_string(next_input_++);
    text_ += "(declare-const " + name + " " + sort(t) + ")\n";
    return name;
  }
  void assert_that(const string& body) { text_ += "(assert " + body + ")\n"; }

  string arith(const char* integer, const char* vector, const string& a, const string& b) {
    return app({bits() ? vector : integer, a, b});
  }
  string less(const string& a, const string& b, DType t) {
    return app({!bits() ? "<" : machine() && t.is_uint() ? "bvult" : "bvslt", a, b});
  }
  string less_equal(const string& a, const string& b, DType t) {
    return app({!bits() ? "<=" : machine() && t.is_uint() ? "bvule" : "bvsle", a, b});
  }
  string in_range(const string& a, Interval r, DType t) {
    return app({"and", less_equal(int_const(r.lo, t), a, t), less_equal(a, int_const(r.hi, t), t)});
  }
  void note(Interval r) {
    if (!r.bounded()) {
      unbounded_ = true;
      return;
    }
    int need = 2;
    while (need < 126 && !r.within(-(Wide{1} << (need - 1)), (Wide{1} << (need - 1)) - 1)) ++need;
    needed_ = std::max(needed_, need);
  }
  Value integer(DType t, const string& body, Interval range, bool data) {
    note(range);
    return {define(t, body), range, data};
  }

  Value value(const Expr& e);
  Value build(const Expr& e);
  Value input(const Expr& e);
  Value any(DType t, bool data);
  Value application(const Expr& e, const string& function, const std::vector<Value>& args,
                    const std::vector<DType>& types);
  Value wrap(const Value& exact, DType t);
  Value arithmetic(const Expr& e);
  Value division(const Expr& e);
  Value shift(const Expr& e);
  Value bitwise(const Expr& e);
  Value convert(const Expr& e);
  Value comparison(const Expr& e);
  Value float_binary(const Expr& e);
  string floor_bits(const Value& a, const Value& b, DType t, bool remainder);
  string floor_by_constant(const Value& a, Wide c, DType t, bool remainder);
  string fits(const Expr& e);
  string fits_here(const Expr& e);
  string extend(const Value& v, DType t, int by) { return app({extension(t, by), v.text}); }
  string fits_cast(const Expr& e);
  string total(const Expr& e);

  EncodeOptions options_;
  Reading reading_;
  int width_;
  string text_;
  int next_term_ = 0, next_input_ = 0;
  int needed_ = 8;
  bool unbounded_ = false, abstracts_ = false, nonlinear_ = false, floats_ = false;
  std::vector<ScriptInput> inputs_;
  std::unordered_map<Expr, Value, ExprHash> memo_;
  std::unordered_map<Expr, string, ExprHash> fits_memo_;
  std::map<Var, Interval> bounds_;
  std::map<Buffer, int> buffers_;
  struct Application {
    std::vector<string> args;
    string result;
  };
  std::map<string, std::vector<Application>> applications_;
};

void Encoder::learn_bounds(const Expr& e) {
  if (!is_comparison(e->op) || e->op == Op::NE) return;
  Op op = e->op;
  const Expr *var = &e->args[0], *constant = &e->args[1];
  if ((*var)->op == Op::IntImm) {
    std::swap(var, constant);
    op = op == Op::LT ? Op::GT : op == Op::LE ? Op::GE : op == Op::GT ? Op::LT : op == Op::GE ? Op::LE : op;
  }
  if ((*var)->op != Op::Var || (*constant)->op != Op::IntImm || !(*var)->dtype.is_integer()) return;
  Wide c = int_value(*constant);
  Interval known{};
  if (op == Op::LT) known.hi = c - 1;
  if (op == Op::LE || op == Op::EQ) known.hi = c;
  if (op == Op::GT) known.lo = c + 1;
  if (op == Op::GE || op == Op::EQ) known.lo = c;
  Interval& slot = bounds_.try_emplace((*var)->var(), range_of((*var)->dtype)).first->second;
  Interval tighter = meet(slot, known);
  if (!tighter.empty()) slot = tighter;  // a contradiction is left to the solver
}

Value Encoder::value(const Expr& e) {
  if (auto it = memo_.find(e); it != memo_.end()) return it->second;
  Value v = build(e);
  memo_.emplace(e, v);
  return v;
}

Value Encoder::any(DType t, bool data) {
  abstracts_ = true;
  string name = declare(t, "o");
  inputs_.push_back({name, t, {}});
  Interval range = t.is_integer() ? range_of(t) : Interval{};
  if (t.is_integer() && !machine()) {
    note(range);
    assert_that(in_range(name, range, t));
  }
  return {name, range, data};
}

Value Encoder::input(const Expr& e) {
  DType t = e->dtype;
  string name = declare(t, e->op == Op::Var ? "v" : "m");
  inputs_.push_back({name, t, e});
  Interval range{};
  if (t.is_integer()) {
    range = range_of(t);
    if (e->op == Op::Var) {
      if (auto it = bounds_.find(e->var()); it != bounds_.end()) range = it->second;
    }
    if (!machine()) {
      note(range);
      assert_that(in_range(name, range, t));
    }
  }
  return {name, range, e->op != Op::Var};
}

/// An opaque function of its operands: a variable, and equal operands give equal results.
Value Encoder::application(const Expr& e, const string& function, const std::vector<Value>& args,
                           const std::vector<DType>& types) {
  Value result = e->op == Op::Cast ? any(e->dtype, args.at(0).data) : input(e);
  std::vector<string> texts;
  for (size_t i = 0; i < args.size(); ++i) {
    // Indices of several widths are compared as numbers.
    bool widen = machine() && types[i].is_integer() && e->op == Op::Load;
    texts.push_back(widen ? extend(args[i], types[i], 65 - types[i].bits) : args[i].text);
  }
  std::vector<Application>& others = applications_[function];
  if (others.size() > 64) throw NotEncodable("more than 64 reads of one buffer");
  for (const Application& other : others) {
    std::vector<string> same;
    for (size_t i = 0; i < texts.size(); ++i) same.push_back(app({"=", other.args[i], texts[i]}));
    assert_that(app({"=>", conjunction(same), app({"=", other.result, result.text})}));
  }
  others.push_back({std::move(texts), result.text});
  return result;
}

Value Encoder::wrap(const Value& exact, DType t) {
  if (machine() || exact.range.within(t)) return {exact.text, machine() ? range_of(t) : exact.range, exact.data};
  Interval range = range_of(t);
  if (bits()) {
    string low = app({extract_low(t.bits), exact.text});
    return integer(t, app({extension(t, width_ - t.bits), low}), range, exact.data);
  }
  // exact = 2^bits * q + r
  string q = declare(t, "q"), r = declare(t, "r");
  string modulus = to_string(Wide{1} << t.bits);
  assert_that(app({"=", exact.text, app({"+", app({"*", modulus, q}), r})}));
  assert_that(in_range(r, range, t));
  note(range);
  return {r, range, exact.data};
}

Value Encoder::arithmetic(const Expr& e) {
  Value a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->dtype;
  bool data = a.data || b.data;
  Interval range = e->op == Op::Add ? a.range + b.range : e->op == Op::Sub ? a.range - b.range : a.range * b.range;
  if (e->op == Op::Mul && !a.range.is_point() && !b.range.is_point()) nonlinear_ = true;
  string body = e->op == Op::Add   ? arith("+", "bvadd", a.text, b.text)
                : e->op == Op::Sub ? arith("-", "bvsub", a.text, b.text)
                                   : arith("*", "bvmul", a.text, b.text);
  if (machine()) return {define(t, body), range_of(t), data};
  Value exact = integer(t, body, range, data);
  return data ? wrap(exact, t) : exact;
}

/// Floor quotient or remainder in bit-vectors; right wherever the mathematical result fits the width.
string Encoder::floor_bits(const Value& a, const Value& b, DType t, bool remainder) {
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
string Encoder::floor_by_constant(const Value& a, Wide c, DType t, bool remainder) {
  if (bits()) {
    note(point(c));
    return floor_bits(a, {int_const(c, t), point(c)}, t, remainder);
  }
  string q = declare(t, "q"), r = declare(t, "r");
  assert_that(app({"=", a.text, app({"+", app({"*", to_string(c), q}), r})}));
  assert_that(app({"and", app({"<=", "0", r}), app({"<", r, to_string(c)})}));
  return remainder ? r : q;
}

Value Encoder::division(const Expr& e) {
  Value a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->dtype;
  bool data = a.data || b.data;
  bool floors = e->op == Op::FloorDiv || e->op == Op::FloorMod;
  bool remainder = e->op == Op::FloorMod || e->op == Op::TruncMod;
  Interval range = e->op == Op::FloorDiv   ? floor_div(a.range, b.range)
                   : e->op == Op::FloorMod ? floor_mod(a.range, b.range)
                   : e->op == Op::TruncDiv ? trunc_div(a.range, b.range)
                                           : trunc_mod(a.range, b.range);
  bool constant = b.range.is_point() && b.range.lo > 0;
  if (constant && (floors || a.range.lo >= 0)) {
    string body = floor_by_constant(a, b.range.lo, t, remainder);
    if (machine()) return {define(t, body), range_of(t), data};
    return integer(t, body, range, data);
  }
  if (bits()) {
    string body = floors                     ? floor_bits(a, b, t, remainder)
                  : machine() && t.is_uint() ? app({remainder ? "bvurem" : "bvudiv", a.text, b.text})
                                             : app({remainder ? "bvsrem" : "bvsdiv", a.text, b.text});
    if (machine()) return {define(t, body), range_of(t), data};
    if (b.range.contains(0)) {
      unbounded_ = true;
      return any(t, data);
    }
    return integer(t, body, range, data);
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
  return {remainder ? r : q, range, data};
}

Value Encoder::shift(const Expr& e) {
  Value a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->dtype;
  bool data = a.data || b.data, left = e->op == Op::Shl;
  if (machine()) {
    return {define(t, app({left ? "bvshl" : t.is_uint() ? "bvlshr" : "bvashr", a.text, b.text})), range_of(t), data};
  }
  if (!b.range.within(0, t.bits - 1)) {
    if (bits()) unbounded_ = true;
    return any(t, data);
  }
  Interval power{Wide{1} << static_cast<int>(b.range.lo), Wide{1} << static_cast<int>(b.range.hi)};
  if (b.range.is_point()) {
    if (!left) return integer(t, floor_by_constant(a, power.lo, t, false), floor_div(a.range, power), data);
    note(power);
    Value exact = integer(t, arith("*", "bvmul", a.text, int_const(power.lo, t)), a.range * power, data);
    return data ? wrap(exact, t) : exact;
  }
  if (!bits()) {
    note(a.range * power);
    return any(t, data);
  }
  if (!left) return integer(t, app({"bvashr", a.text, b.text}), floor_div(a.range, power), data);
  note(power);
  note(a.range * power);
  Value exact = integer(t, app({"bvshl", a.text, b.text}), a.range * power, data);
  return data ? wrap(exact, t) : exact;
}

Value Encoder::bitwise(const Expr& e) {
  DType t = e->dtype;
  Value a = value(e->args[0]);
  if (e->op == Op::BitNot) {
    if (machine()) return {define(t, app({"bvnot", a.text})), range_of(t), a.data};
    Wide from = t.is_uint() ? max_value(t) : Wide{-1};
    note(point(from));
    return integer(t, arith("-", "bvsub", int_const(from, t), a.text), point(from) - a.range, a.data);
  }
  Value b = value(e->args[1]);
  bool data = a.data || b.data;
  const char* name = e->op == Op::BitAnd ? "bvand" : e->op == Op::BitOr ? "bvor" : "bvxor";
  if (machine()) return {define(t, app({name, a.text, b.text})), range_of(t), data};
  if (e->op == Op::BitAnd) {
    // x & (2^k - 1) is x mod 2^k, also for negative x.
    if (a.range.is_point()) std::swap(a, b);
    Wide mask = b.range.lo;
    if (b.range.is_point() && mask >= 0 && (mask & (mask + 1)) == 0) {
      return integer(t, floor_by_constant(a, mask + 1, t, true), floor_mod(a.range, point(mask + 1)), data);
    }
  }
  if (!bits()) {
    note(range_of(t));
    return any(t, data);
  }
  // In two's complement at any sufficient width these are the operations on infinitely many bits; those stay within
  // the power of two around both operands.
  Interval r = hull(a.range, b.range);
  Wide most = 1;
  while (most < kInfinity && !r.within(-most, most - 1)) most *= 2;
  return integer(t, app({name, a.text, b.text}), Interval{r.lo < 0 ? -most : Wide{0}, most - 1}, data);
}

Value Encoder::convert(const Expr& e) {
  DType to = e->dtype, from = e->args[0]->dtype;
  Value a = value(e->args[0]);
  if (to.is_bool()) {
    if (from.is_bool()) return a;
    if (from.is_float()) return {define(to, app({"not", app({"fp.isZero", a.text})})), {}, a.data};
    return {define(to, app({"distinct", a.text, int_const(0, from)})), {}, a.data};
  }
  if (from.is_bool()) {
    if (to.is_float()) return {define(to, app({"ite", a.text, fp_const(to, 1), fp_const(to, 0)})), {}, a.data};
    return integer(to, app({"ite", a.text, int_const(1, to), int_const(0, to)}), {0, 1}, a.data);
  }
  string params = to.is_float() ? fp_params(to) : "";
  if (from.is_float() && to.is_float()) {
    return {define(to, app({app({"_", "to_fp", params}), "RNE", a.text})), {}, a.data};
  }
  if (from.is_float()) {
    if (!bits()) return application(e, "cast " + from.str() + " " + to.str(), {a}, {from});
    string conversion = app({"_", to.is_uint() ? "fp.to_ubv" : "fp.to_sbv", std::to_string(to.bits)});
    string body = app({conversion, "RTZ", a.text});
    note(range_of(to));
    if (!machine()) {
      body = app({extension(to, width_ - to.bits), body});
    }
    return {define(to, body), range_of(to), a.data};
  }
  if (to.is_float()) {
    if (!bits()) {
      if (a.range.is_point() && a.range.within(-(Wide{1} << 53), Wide{1} << 53)) {
        return {fp_const(to, static_cast<double>(a.range.lo)), {}, a.data};
      }
      return application(e, "cast int " + to.str(), {a}, {from});
    }
    bool is_unsigned = machine() && from.is_uint();
    return {define(to, app({app({"_", is_unsigned ? "to_fp_unsigned" : "to_fp", params}), "RNE", a.text})), {}, a.data};
  }
  if (!machine()) return wrap(a, to);
  if (to.bits == from.bits) return a.range = range_of(to), a;
  if (to.bits > from.bits) return {define(to, extend(a, from, to.bits - from.bits)), range_of(to), a.data};
  return {define(to, app({extract_low(to.bits), a.text})), range_of(to), a.data};
}

Value Encoder::comparison(const Expr& e) {
  Value a = value(e->args[0]), b = value(e->args[1]);
  DType t = e->args[0]->dtype;
  bool data = a.data || b.data;
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
  return {define(kBool, body), {}, data};
}

Value Encoder::float_binary(const Expr& e) {
  Value a = value(e->args[0]), b = value(e->args[1]);
  bool data = a.data || b.data;
  if (e->op == Op::Min || e->op == Op::Max) {
    string chosen = app({e->op == Op::Min ? "fp.lt" : "fp.gt", a.text, b.text});
    return {define(e->dtype, app({"ite", chosen, a.text, b.text})), {}, data};
  }
  const char* name = e->op == Op::Add ? "fp.add" : e->op == Op::Sub ? "fp.sub" : e->op == Op::Mul ? "fp.mul" : "fp.div";
  return {define(e->dtype, app({name, "RNE", a.text, b.text})), {}, data};
}

Value Encoder::build(const Expr& e) {
  DType t = e->dtype;
  if (!t.is_scalar() || t.is_handle()) throw NotEncodable("a value of type " + t.str() + " in a formula");
  switch (e->op) {
    case Op::Var:
      return input(e);
    case Op::IntImm: {
      if (t.is_bool()) return {e->int_value() ? "true" : "false", {}, false};
      note(point(int_value(e)));
      return {int_const(int_value(e), t), point(int_value(e)), false};
    }
    case Op::FloatImm:
      floats_ = true;
      return {fp_const(t, e->float_value()), {}, false};
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
      return t.is_float() ? float_binary(e) : arithmetic(e);
    case Op::Div:
      return float_binary(e);
    case Op::FloorDiv:
    case Op::FloorMod:
    case Op::TruncDiv:
    case Op::TruncMod:
      return division(e);
    case Op::Min:
    case Op::Max: {
      if (t.is_float()) return float_binary(e);
      Value a = value(e->args[0]), b = value(e->args[1]);
      bool lesser = e->op == Op::Min;
      auto pick = [&](Wide x, Wide y) { return lesser ? std::min(x, y) : std::max(x, y); };
      string first = lesser ? less(a.text, b.text, t) : less(b.text, a.text, t);
      return integer(t, app({"ite", first, a.text, b.text}),
                     {pick(a.range.lo, b.range.lo), pick(a.range.hi, b.range.hi)}, a.data || b.data);
    }
    case Op::EQ:
    case Op::NE:
    case Op::LT:
    case Op::LE:
    case Op::GT:
    case Op::GE:
      return comparison(e);
    case Op::And:
    case Op::Or: {
      Value a = value(e->args[0]), b = value(e->args[1]);
      return {define(t, app({e->op == Op::And ? "and" : "or", a.text, b.text})), {}, a.data || b.data};
    }
    case Op::Not: {
      Value a = value(e->args[0]);
      return {define(t, app({"not", a.text})), {}, a.data};
    }
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::BitNot:
      return bitwise(e);
    case Op::Shl:
    case Op::Shr:
      return shift(e);
    case Op::Select:
    case Op::IfThenElse: {
      Value c = value(e->args[0]), a = value(e->args[1]), b = value(e->args[2]);
      return {define(t, app({"ite", c.text, a.text, b.text})), hull(a.range, b.range), c.data || a.data || b.data};
    }
    case Op::Cast:
      return convert(e);
    case Op::Likely:
      return value(e->args[0]);
    case Op::Load:
    case Op::Call: {
      std::vector<Value> args;
      std::vector<DType> types;
      string key = "call " + (e->op == Op::Call ? e->text() : "") + " " + t.str();
      for (const Expr& arg : e->args) {
        if (arg->op == Op::StringImm) {
          key += " '" + arg->text() + "'";
          continue;
        }
        args.push_back(value(arg));
        types.push_back(arg->dtype);
        if (e->op == Op::Call) key += " " + arg->dtype.str();
      }
      if (e->op == Op::Call && e->text() == kSameBits) {
        return {define(kBool, app({"=", args.at(0).text, args.at(1).text})), {}, true};
      }
      if (e->op == Op::Load) {
        key = "load " +
              std::to_string(buffers_.try_emplace(e->buffer(), static_cast<int>(buffers_.size())).first->second);
      }
      return application(e, key, args, types);
    }
    case Op::Fits:
      return {define(kBool, fits(e->args[0])), {}, false};
    case Op::StringImm:
    case Op::Undef:
    case Op::Let:
    case Op::Ramp:
    case Op::Broadcast:
      break;
  }
  throw NotEncodable(string(info(e->op).name) + " in a formula");
}

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
  if (!t.is_integer() || e->args.size() != 2 || e->op == Op::Load || e->op == Op::Call) return "true";
  bool shifts = e->op == Op::Shl || e->op == Op::Shr;
  bool sums = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul;
  if (!shifts && !sums && !is_division(e->op)) return "true";
  Value a = value(e->args[0]), b = value(e->args[1]);
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
  Value v = value(e);
  if (machine()) {
    if (shifts) {
      string back = app({t.is_uint() ? "bvlshr" : "bvashr", v.text, b.text});
      parts.push_back(app({"=", back, a.text}));
    } else {
      int by = e->op == Op::Mul ? t.bits : 1;
      const char* name = e->op == Op::Add ? "bvadd" : e->op == Op::Sub ? "bvsub" : "bvmul";
      parts.push_back(app({"=", app({name, extend(a, t, by), extend(b, t, by)}), extend(v, t, by)}));
    }
  } else if (!v.data) {  // data wraps
    if (shifts && (!in_width || (!bits() && !b.range.is_point()))) {
      parts.push_back(any(kBool, false).text);  // the abstract result says nothing of an overflow
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
  visit_expr(e, [&](const Expr& node) {
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

bool always_evaluated(const Expr& fact) {
  bool choice = false;
  visit_expr(fact, [&](const Expr& e) {
    choice |= e->op == Op::And || e->op == Op::Or;
    return !choice;
  });
  return !choice;
}

Script Encoder::run(const std::vector<Expr>& given, const Expr& goal) {
  std::vector<Expr> facts;
  for (const Expr& e : given) split_conjunction(e, &facts);
  for (const Expr& fact : facts) learn_bounds(fact);
  for (const Expr& fact : facts) {
    assert_that(value(fact).text);
    // What is given has been evaluated without an error; but a part of a disjunction need not have a value (in an
    // assume, `or` is plain logic).
    if (!machine() && options_.given_evaluated && always_evaluated(fact)) {
      string fit = fits(fact);
      if (fit != "true") assert_that(fit);
    }
  }
  assert_that(app({"not", value(goal).text}));
  if (options_.total_goal) assert_that(total(goal));
  Script script;
  script.text = std::move(text_);
  script.inputs = std::move(inputs_);
  script.reading = reading_;
  script.width = width_;
  script.abstracts = abstracts_;
  script.nonlinear = nonlinear_;
  script.floats = floats_;
  script.logic = floats_ ? (bits() ? "QF_BVFP" : "ALL") : bits() ? "QF_BV" : nonlinear_ ? "QF_NIA" : "QF_LIA";
  return script;
}

}  // namespace

Script encode(const std::vector<Expr>& given, const Expr& goal, const EncodeOptions& options) {
  if (options.reading != Reading::WideBits) {
    return Encoder(options, 0).run(given, goal);
  }
  // Once to measure how many bits hold every number, then at that width.
  Encoder measure(options, 126);
  measure.run(given, goal);
  int width = measure.needed_width();
  if (width == 0 || width > 120) throw NotEncodable("no constant bounds");
  return Encoder(options, width).run(given, goal);
}

}  // namespace hexproof
