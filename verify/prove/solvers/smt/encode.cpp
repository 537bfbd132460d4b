#include "verify/prove/solvers/smt/encode.h"

#include "ir/base/mutant.h"
#include "ir/reinterpret.h"
#include "ir/visit.h"
#include "verify/prove/solvers/smt/encoder.h"

namespace hexproof {

using namespace smt;
using std::string;

void split_conjunction(const Expr& e, std::vector<Expr>* out) {
  if (e->op == Op::And || e->op == Op::Likely) {
    for (const Expr& arg : e->args) split_conjunction(arg, out);
  } else {
    out->push_back(e);
  }
}

string Encoder::sort(DType t) {
  if (t.is_bool()) return "Bool";
  if (t.is_float()) {
    floats_ = true;
    return app({"_", "FloatingPoint", fp_params(t)});
  }
  if (!bits()) return "Int";
  return app({"_", "BitVec", std::to_string(machine() ? t.bits : width_)});
}

string Encoder::int_const(Wide v, DType t) const {
  if (!bits()) return v < 0 ? app({"-", to_string(-v)}) : to_string(v);
  return binary(binary_digits(static_cast<unsigned __int128>(v), machine() ? t.bits : width_));
}

string Encoder::define(DType t, const string& body) {
  string name = "t" + std::to_string(next_term_++);
  text_ += "(define-fun " + name + " () " + sort(t) + " " + body + ")\n";
  return name;
}

string Encoder::declare(DType t, const char* prefix) {
  string name = prefix + std::to_string(next_input_++);
  text_ += "(declare-const " + name + " " + sort(t) + ")\n";
  return name;
}

void Encoder::note(Interval r) {
  if (!r.bounded()) {
    unbounded_ = true;
    return;
  }
  int need = 2;
  while (need < 126 && !r.within(-(Wide{1} << (need - 1)), (Wide{1} << (need - 1)) - 1)) ++need;
  needed_ = std::max(needed_, need);
}

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
  if (op == Op::LT) known.hi = HEXPROOF_MUTANT("encode/bound-off-by-one", c - 1, c - 2);
  if (op == Op::LE || op == Op::EQ) known.hi = c;
  if (op == Op::GT) known.lo = c + 1;
  if (op == Op::GE || op == Op::EQ) known.lo = c;
  Interval& slot = bounds_.try_emplace((*var)->var(), range_of((*var)->dtype)).first->second;
  Interval tighter = meet(slot, known);
  if (!tighter.empty()) slot = tighter;  // a contradiction is left to the solver
}

Encoded Encoder::value(const Expr& e) {
  if (auto it = memo_.find(e); it != memo_.end()) return it->second;
  Encoded v = build(e);
  memo_.emplace(e, v);
  return v;
}

Encoded Encoder::any(DType t) {
  abstracts_ = true;
  string name = declare(t, "o");
  inputs_.push_back({name, t, {}});
  Interval range = t.is_integer() ? range_of(t) : Interval{};
  if (t.is_integer() && !machine()) {
    note(range);
    assert_that(in_range(name, range, t));
  }
  return {name, range};
}

Encoded Encoder::input(const Expr& e) {
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
  return {name, range};
}

/// An opaque function of its operands: a variable, and equal operands give equal results.
Encoded Encoder::application(const Expr& e, const string& function, const std::vector<Encoded>& args,
                             const std::vector<DType>& types) {
  Encoded result = e->op == Op::Cast || is_reinterpret(*e) ? any(e->dtype) : input(e);
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
    assert_that(app({"=>", HEXPROOF_MUTANT("encode/all-cells-are-one", conjunction(same), std::string("true")),
                     app({"=", other.result, result.text})}));
  }
  others.push_back({std::move(texts), result.text});
  return result;
}

Encoded Encoder::function(const Expr& e) {
  std::vector<Encoded> args;
  std::vector<DType> types;
  // Texts stand with their lengths: two functions have two keys.
  string key = string(info(e->op).name);
  if (e->op != Op::Load) key += " " + std::to_string(e->text().size()) + ":" + e->text();
  key += " " + e->dtype.str();
  for (const Expr& arg : e->args) {
    if (arg->op == Op::StringImm) {
      key += " '" + std::to_string(arg->text().size()) + ":" + arg->text();
      continue;
    }
    args.push_back(value(arg));
    types.push_back(arg->dtype);
    key += " " + arg->dtype.str();
  }
  if (e->op == Op::Load) {
    key = "load " + std::to_string(buffers_.try_emplace(e->buffer(), static_cast<int>(buffers_.size())).first->second);
  }
  return application(e, key, args, types);
}

Encoded Encoder::build(const Expr& e) {
  DType t = e->dtype;
  if (!t.is_scalar() || t.is_handle()) throw NotEncodable("a value of type " + t.str() + " in a formula");
  switch (e->op) {
    case Op::Var:
      return input(e);
    case Op::IntImm: {
      if (t.is_bool()) return {e->int_value() ? "true" : "false"};
      note(point(int_value(e)));
      return {int_const(int_value(e), t), point(int_value(e))};
    }
    case Op::FloatImm:
      floats_ = true;
      return {fp_const(t, e->float_value())};
    case HEXPROOF_CASES(Ring):
      return t.is_float() ? float_binary(e) : arithmetic(e);
    case Op::Div:
      return float_binary(e);
    case HEXPROOF_CASES(IntegerDivision):
      return division(e);
    case HEXPROOF_CASES(MinMax):
      return t.is_float() ? float_binary(e) : extremum(e);
    case HEXPROOF_CASES(Comparison):
      return comparison(e);
    case Op::And:
    case Op::Or: {
      Encoded a = value(e->args[0]), b = value(e->args[1]);
      return {define(t, app({e->op == Op::And ? "and" : "or", a.text, b.text}))};
    }
    case Op::Not: {
      Encoded a = value(e->args[0]);
      return {define(t, app({"not", a.text}))};
    }
    case HEXPROOF_CASES(Bitwise):
      return bitwise(e);
    case HEXPROOF_CASES(Shift):
      return shift(e);
    case HEXPROOF_CASES(Choice): {
      Encoded c = value(e->args[0]), a = value(e->args[1]), b = value(e->args[2]);
      return {define(t, app({"ite", c.text, a.text, b.text})), hull(a.range, b.range)};
    }
    case Op::Cast:
      return convert(e);
    case Op::Likely:
      return value(e->args[0]);
    case Op::Call:
      return is_reinterpret(*e) ? reinterpreted(e) : function(e);
    case Op::Load:
    case HEXPROOF_CASES(Uninterpreted):
      return function(e);
    case Op::Fits:
      return {define(kBool, fits(e->args[0]))};
    case Op::SameBits: {
      Encoded a = value(e->args[0]), b = value(e->args[1]);
      return {define(kBool, app({"=", a.text, b.text}))};
    }
    case Op::StringImm:
    case Op::Undef:
    case Op::Let:
    case HEXPROOF_CASES(Vector):
      break;
  }
  throw NotEncodable(string(info(e->op).name) + " in a formula");
}

Script Encoder::run(const std::vector<Expr>& given, const Expr& goal) {
  std::vector<Expr> facts;
  for (const Expr& e : given) split_conjunction(e, &facts);
  for (const Expr& fact : facts) learn_bounds(fact);
  for (const Expr& fact : facts) assert_that(value(fact).text);
  if (HEXPROOF_MUTANT("encode/given-was-evaluated", false, true)) {
    for (const Expr& fact : facts) assert_that(fits(fact));
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
