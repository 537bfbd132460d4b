// T.* that stand in expressions.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "ir/arith_class.h"
#include "ir/float_format.h"
#include "ir/names.h"
#include "ir/reinterpret.h"
#include "ir/text/parse/known_calls.h"
#include "ir/text/parse/parser.h"
#include "ir/text/print/printer.h"
#include "ir/visit.h"

namespace hexproof::text {
namespace {

double largest(DType type) { return largest_float(type); }

/// Extreme values of a dtype, as TVM has them: of a float, the largest finite one and its negation.
Value extreme(const Call& call, const Span& span, bool lowest) {
  DType type = to_dtype_name(*arguments(call, span, {"dtype", "span"}, 1)[0]);
  if (!type.is_scalar() || type.is_handle()) throw Error(span, "a scalar dtype is expected");
  if (type.is_float()) return Value{fimm(type, lowest ? -largest(type) : largest(type)), span};
  return Value{imm(type, lowest ? min_value(type) : max_value(type)), span};
}

Value choose(const Call& call, const Span& span) {
  bool lazy = call.name == "T.if_then_else";
  Arguments a = arguments(
      call, span, {lazy ? "cond" : "condition", lazy ? "t" : "true_value", lazy ? "f" : "false_value", "span"}, 3);
  Expr condition = to_expr(*a[0]);
  if (!condition->dtype.is_bool()) {
    throw Error(a[0]->span, "the condition of " + call.name + " must be a bool, not " + condition->dtype.str());
  }
  auto [yes, no] = match_types(*a[1], *a[2], span);
  if (condition->dtype.lanes != 1 && (lazy || condition->dtype.lanes != yes->dtype.lanes)) {
    throw Error(a[0]->span, "the condition has " + std::to_string(condition->dtype.lanes) + " lanes");
  }
  return make_value(lazy ? if_then_else(condition, yes, no) : select(condition, yes, no), span);
}

Value convert(const Value& value, const Value& type_value, const Span& span) {
  DType type = to_dtype_name(type_value);
  Expr e = to_expr(value);
  if (type.is_scalar()) type = type.with_lanes(e->dtype.lanes);
  if (type.lanes != e->dtype.lanes || type.is_handle() || e->dtype.is_handle()) {
    throw Error(span, "no conversion from " + e->dtype.str() + " to " + type.str());
  }
  return make_value(cast(type, e), span);
}

/// T.reinterpret(dtype, value), or T.reinterpret(value, dtype=...).
Value same_bits_as(const Call& call, const Span& span) {
  bool keyword = false;
  for (const Keyword& k : *call.keywords) keyword |= k.name == "dtype";
  Arguments a = keyword ? arguments(call, span, {"value", "dtype", "span"}, 2)
                        : arguments(call, span, {"dtype", "value", "span"}, 2);
  const Value &value = *a[keyword ? 0 : 1], &wanted = *a[keyword ? 1 : 0];
  DType type = to_dtype_name(wanted);
  std::optional<DType> literal;  // a Python integer is one of this width
  if (const Wide* v = value.as<Wide>()) {
    const DType with_sign{TypeCode::Int, type.bits};
    literal = fits_type(with_sign, *v) ? with_sign : DType{TypeCode::UInt, type.bits};
  }
  Expr e = to_expr(value, literal);
  if (type.is_scalar()) type = type.with_lanes(e->dtype.lanes);
  if (!same_width(type, e->dtype)) {
    throw Error(span, "the bits of " + e->dtype.str() + " are no " + type.str(),
                "T.reinterpret takes integers and floats, and keeps their width");
  }
  return make_value(reinterpret(type, std::move(e)), span);
}

int lanes_of(const Value& value) {
  int64_t lanes = to_constant(value, "the number of lanes");
  if (lanes < 2 || lanes > 4096) throw Error(value.span, "a vector has 2 to 4096 lanes, not " + std::to_string(lanes));
  return static_cast<int>(lanes);
}

}  // namespace

Value Parser::builtin(const Call& call, const Span& at) {
  const std::string& name = call.name;
  if (is_statement_call(name)) return Value{call, at};
  if (name == "I.GlobalVar" || is_unsupported_call(name)) throw Unsupported(at, "'" + name + "'");
  static const std::set<std::string> kOperators = {"T.likely", "T.if_then_else", "T.Select", "T.bitwise_not"};
  bool is_operator = kOperators.count(name) || binary_calls().count(name) ||
                     (name.starts_with("T.") && math_calls().count(name.substr(2)));
  if (is_operator && !call.keywords->empty()) {  // TVM's operators take dtype=, the type that they have anyway
    std::vector<Keyword> rest;
    const Value* dtype = nullptr;
    for (const Keyword& keyword : *call.keywords) {
      if (keyword.name == "dtype") {
        dtype = &keyword.value;
      } else {
        rest.push_back(keyword);
      }
    }
    if (dtype) {
      Value value = builtin({name, call.args, std::make_shared<const std::vector<Keyword>>(std::move(rest))}, at);
      DType given = to_dtype_name(*dtype), type = to_expr(value)->dtype;
      if (!(given == type)) throw Error(dtype->span, "the result is " + type.str() + ", not " + given.str());
      return value;
    }
  }
  if (auto it = binary_calls().find(name); it != binary_calls().end()) {
    Arguments a = arguments(call, at, {"a", "b", "span"}, 2);
    if (a[0]->is_literal() && a[1]->is_literal()) {  // a call is never folded
      return apply_binary(it->second, Value{to_expr(*a[0]), a[0]->span}, *a[1], at);
    }
    return apply_binary(it->second, *a[0], *a[1], at);
  }
  if (name == "T.Div" || name == "T.div") {
    Arguments a = arguments(call, at, {"a", "b", "span"}, 2);
    auto [x, y] = match_types(*a[0], *a[1], at);
    Op op = x->dtype.is_float() ? Op::Div : Op::TruncDiv;
    return apply_binary(op, Value{x, a[0]->span}, Value{y, a[1]->span}, at);
  }
  if (name == "T.ceildiv") {
    Arguments a = arguments(call, at, {"lhs", "rhs", "span"}, 2);
    auto [x, y] = match_types(*a[0], *a[1], at);
    Value sum = apply_binary(Op::Add, Value{x, at}, Value{y, at}, at);
    Value less = apply_binary(Op::Sub, sum, Value{Wide{1}, at}, at);
    return apply_binary(Op::FloorDiv, less, Value{y, at}, at);
  }
  if (name == "T.Not" || name == "T.bitwise_not") {
    return apply_unary(name == "T.Not" ? "not" : "~", *arguments(call, at, {"a", "span"}, 1)[0], at);
  }
  if (name == "T.if_then_else" || name == "T.Select") return choose(call, at);
  if (name == "T.cast") {
    Arguments a = arguments(call, at, {"value", "dtype", "span"}, 2);
    return convert(*a[0], *a[1], at);
  }
  if (name == "T.Cast") {
    Arguments a = arguments(call, at, {"dtype", "value", "span"}, 2);
    return convert(*a[1], *a[0], at);
  }
  if (name == "T.reinterpret") return same_bits_as(call, at);
  if (name == "T.ramp" || name == "T.Ramp") {
    Arguments a = arguments(call, at, {"base", "stride", "lanes", "span"}, 3);
    int lanes = lanes_of(*a[2]);
    auto [base, stride] = match_types(*a[0], *a[1], at);
    if (!base->dtype.is_integer() || !base->dtype.is_scalar()) throw Error(at, "a ramp of " + base->dtype.str());
    return make_value(ramp(base, stride, lanes), at);
  }
  if (name == "T.broadcast" || name == "T.Broadcast") {
    Arguments a = arguments(call, at, {"value", "lanes", "span"}, 2);
    Expr value = to_expr(*a[0]);
    if (!value->dtype.is_scalar()) throw Error(a[0]->span, "a broadcast of a vector");
    return make_value(broadcast(value, lanes_of(*a[1])), at);
  }
  if (name == "T.likely") {
    const Value& condition = *arguments(call, at, {"cond", "span"}, 1)[0];
    Expr e = to_expr(condition);
    if (!e->dtype.is_bool()) throw Error(condition.span, "T.likely takes a bool, not " + e->dtype.str());
    return make_value(likely(e), at);
  }
  if (name == "T.undef") {
    const Value* type = arguments(call, at, {"dtype"}, 0)[0];
    if (!type) return Value{WeakUndef{}, at};
    DType dtype = to_dtype_name(*type);
    if (dtype.is_handle()) throw Error(at, "undef of a pointer");
    return Value{undef(dtype), at};
  }
  if (name == "T.min_value" || name == "T.max_value") return extreme(call, at, name == "T.min_value");
  if (name == "T.infinity" || name == "T.inf" || name == "T.nan") {
    const Value* type = arguments(call, at, {"dtype", "span"}, 0)[0];
    DType dtype = type ? to_dtype_name(*type) : kFloat32;
    if (!dtype.is_float() || !dtype.is_scalar()) throw Error(at, name + " of " + dtype.str());
    return Value{fimm(dtype, name == "T.nan" ? std::nan("") : std::numeric_limits<double>::infinity()), at};
  }
  if (name == "float") {
    const Value& text = *arguments(call, at, {"x"}, 1)[0];
    const std::string* word = text.as<std::string>();
    if (word && (*word == "inf" || *word == "-inf" || *word == "nan")) {
      double value = *word == "nan" ? std::nan("") : std::numeric_limits<double>::infinity();
      return Value{*word == "-inf" ? -value : value, at};
    }
    throw Error(at, "float(...) takes \"inf\", \"-inf\" or \"nan\"");
  }
  if (name == "T.env_thread") {
    Arguments a = arguments(call, at, {"thread_tag", "dtype"}, 1);
    const std::string* tag = a[0]->as<std::string>();
    if (!tag) throw Error(at, "T.env_thread takes the name of a thread axis");
    return Value{ThreadTag{*tag}, at};
  }
  if (name == "T.Let" || name == "T.let") return let_expression(call, at);
  if (name == "T.wrap" || name == "T.nowrap") return told_class(call, at);
  if (name.starts_with("T.")) {
    std::string rest = name.substr(2);
    if (rest == "boolean") rest = "bool";
    if (auto type = parse_dtype(rest)) return constant_of(rest, call, at);
    if (rest.starts_with("float8")) throw Unsupported(at, "the dtype \"" + rest + "\"");
    return call_by_name(call, at, rest);
  }
  unknown_name(name, at);
}

/// T.float32(x): a constant, a conversion, or with nothing a variable to be declared.
Value Parser::constant_of(const std::string& type, const Call& call, const Span& at) {
  DType dtype = *parse_dtype(type);
  const Value* value = arguments(call, at, {"expr", "is_size_var"}, 0)[0];
  if (!value) return Value{call, at};
  if (const std::string* word = value->as<std::string>()) {
    if (!dtype.is_float() || (*word != "inf" && *word != "-inf" && *word != "nan")) {
      throw Error(value->span, "T." + type + " does not take the string \"" + *word + "\"");
    }
    double big = std::numeric_limits<double>::infinity();
    Expr e = fimm(dtype.element(), *word == "nan" ? std::nan("") : *word == "-inf" ? -big : big);
    return Value{dtype.is_scalar() ? e : broadcast(e, dtype.lanes), at};
  }
  if (value->is_literal()) return Value{to_expr(*value, dtype), at};
  Expr e = to_expr(*value, dtype);
  if (e->dtype == dtype) return make_value(e, at);
  if (e->dtype.lanes != dtype.lanes || e->dtype.is_handle() || dtype.is_handle()) {
    throw Error(at, "no conversion from " + e->dtype.str() + " to " + dtype.str());
  }
  return make_value(cast(dtype, e), at);
}

/// T.wrap(a + b): data arithmetic, whatever the operands are; T.nowrap(a + b): index arithmetic. Of the outermost
/// operation.
Value Parser::told_class(const Call& call, const Span& at) {
  const Value& operation = *arguments(call, at, {"value"}, 1)[0];
  const Expr* e = operation.as<Expr>();
  if (!e || !may_wrap((*e)->op, (*e)->dtype)) {
    throw Error(operation.span, call.name + " takes +, -, *, << or T.Ramp of integers, not " + describe(operation));
  }
  Expr out = with_class(*e, call.name == "T.wrap");
  told_.insert(out);
  return make_value(out, at);
}

/// The body of a let once its variable is known to be data: what it makes of the operations on it, unless told
/// otherwise.
Expr Parser::decided_again(const Expr& e, VarMap* renamed, std::map<Expr, Expr, SameNode>* done) {
  if (e->op == Op::Var) {
    auto it = renamed->find(e->var());
    return it == renamed->end() ? e : it->second;
  }
  if (auto it = done->find(e); it != done->end()) return it->second;
  std::vector<Expr> args;
  bool changed = false;
  for (size_t i = 0; i < e->args.size(); ++i) {
    if (e->op == Op::Let && i == 0) {
      args.push_back(e->args[0]);
      continue;
    }
    if (e->op == Op::Let && i == 2 && args[1]->data && !e->args[0]->var().is_data()) {
      const Var& old = e->args[0]->var();
      args[0] = Expr(Var::fresh(old.name(), old.dtype(), true));
      renamed->emplace(old, args[0]);
    }
    args.push_back(decided_again(e->args[i], renamed, done));
    changed |= args.back().get() != e->args[i].get();
  }
  if (!changed) return done->emplace(e, e).first->second;
  bool told = told_.count(e) != 0;
  Expr out = with_args(e, std::move(args));
  if (told) {
    told_.insert(out);
  } else if (may_wrap(out->op, out->dtype)) {
    bool data = std::any_of(out->args.begin(), out->args.end(), [](const Expr& arg) { return arg->data; });
    out = with_class(out, data);
  }
  return done->emplace(e, out).first->second;
}

/// T.Let(body, where={x: value}), or T.let(x, value, body): x was declared by x = T.int32().
Value Parser::let_expression(const Call& call, const Span& at) {
  std::vector<std::pair<const Value*, const Value*>> pairs;
  const Value* body;
  if (call.name == "T.let") {
    Arguments a = arguments(call, at, {"v", "value", "body"}, 3);
    pairs.emplace_back(a[0], a[1]);
    body = a[2];
  } else {
    Arguments a = arguments(call, at, {"expr", "where"}, 2);
    const Dict* where = a[1]->as<Dict>();
    if (!where || where->keys.empty()) throw Error(a[1]->span, "'where' must be a dict: {x: value}");
    for (size_t i = 0; i < where->keys.size(); ++i) pairs.emplace_back(&where->keys[i], &where->values[i]);
    body = a[0];
  }
  Expr result = to_expr(*body);
  for (size_t i = pairs.size(); i-- > 0;) {
    const Expr* e = pairs[i].first->as<Expr>();
    if (!e || (*e)->op != Op::Var || !function_ || !function_->declared.count((*e)->var())) {
      throw Error(pairs[i].first->span, call.name + " binds a variable that was declared by x = T.int32()");
    }
    Var old = (*e)->var();
    Expr value = to_dtype(*pairs[i].second, old.dtype(), "'" + old.name() + "'");
    Var fresh = Var::fresh(old.name(), old.dtype(), value->data);
    VarMap renamed{{old, Expr(fresh)}};
    std::map<Expr, Expr, SameNode> done;
    result = let(fresh, value, decided_again(result, &renamed, &done));
  }
  return make_value(result, at);
}

/// A function of numbers: T.exp(x), or T.call_pure_extern("float32", "name", ...).
Value Parser::call_by_name(const Call& call, const Span& at, const std::string& rest) {
  auto numbers = [&](size_t from) {
    std::vector<Expr> out;
    for (size_t i = from; i < call.args->size(); ++i) {
      Expr e = to_expr((*call.args)[i]);
      if (e->dtype.is_handle())
        throw Unsupported((*call.args)[i].span, "a pointer or string as an argument of a function");
      out.push_back(std::move(e));
    }
    return out;
  };
  if (rest == "call_pure_extern") {
    if (call.args->size() < 2 || !call.keywords->empty())
      throw Error(at, "T.call_pure_extern takes a dtype, a name, and operands");
    const std::string* callee = (*call.args)[1].as<std::string>();
    if (!callee) throw Error((*call.args)[1].span, "the name of the function must be a string");
    if (!is_function_name(*callee)) {
      throw Error((*call.args)[1].span, "\"" + *callee + "\" is no name of a function",
                  "letters, digits, '_' and '.', and no digit first; same_bits and T.... are reserved");
    }
    DType type = to_dtype_name((*call.args)[0]);
    if (type.is_handle()) throw Unsupported(at, "a function that returns a pointer");
    return make_value(hexproof::call(type, *callee, numbers(2)), at);
  }
  bool test = rest == "isnan" || rest == "isinf" || rest == "isfinite";
  auto it = math_calls().find(rest);
  if (it == math_calls().end() && !test) {
    std::string near = nearest_name(call.name, known_calls());
    throw Error(at, "'" + call.name + "' is unknown", near.empty() ? "" : "did you mean '" + near + "'?");
  }
  size_t arity = test ? 1 : it->second;
  if (call.args->size() != arity || !call.keywords->empty()) {
    throw Error(at, call.name + " takes " + std::to_string(arity) + " argument" + (arity == 1 ? "" : "s"));
  }
  std::vector<Expr> args;
  if (arity == 2 && rest != "ldexp") {
    auto [x, y] = match_types((*call.args)[0], (*call.args)[1], at);
    args = {x, y};
  } else {
    args = numbers(0);
  }
  DType type = test ? kBool.with_lanes(args[0]->dtype.lanes) : args[0]->dtype;
  return make_value(hexproof::call(type, rest, std::move(args)), at);
}

}  // namespace hexproof::text
