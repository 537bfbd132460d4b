#include <algorithm>

#include "rewrite/layout/pad_value.h"
#include "rewrite/schedule/python.h"

namespace hexproof::python {

std::string describe(const Value& value) {
  struct Describe {
    std::string operator()(const None&) const { return "None"; }
    std::string operator()(bool) const { return "a bool"; }
    std::string operator()(int64_t) const { return "an integer"; }
    std::string operator()(double) const { return "a float"; }
    std::string operator()(const std::string&) const { return "a string"; }
    std::string operator()(const Expr&) const { return "an index"; }
    std::string operator()(const Sequence& s) const { return s.tuple ? "a tuple" : "a list"; }
    std::string operator()(const BlockRef&) const { return "a block"; }
    std::string operator()(const LoopRef&) const { return "a loop"; }
    std::string operator()(const Name& n) const { return "'" + n.path + "'"; }
    std::string operator()(const ScheduleObject&) const { return "the schedule"; }
    std::string operator()(const AxisSeparator&) const { return "an axis separator"; }
    std::string operator()(const Undefined&) const { return "undef"; }
    std::string operator()(const TransformedBuffer& b) const { return "the buffer '" + b.name + "'"; }
    std::string operator()(const Function& f) const { return f.lambda ? "a lambda" : "the function '" + f.name + "'"; }
    std::string operator()(const PassObject& p) const { return "the pass '" + p.name + "'"; }
    std::string operator()(const Method& m) const { return "the primitive '" + m.name + "'"; }
  };
  return std::visit(Describe{}, value.v);
}

Value Evaluator::expression_list() {
  Value first = expression();
  if (!at(",")) return first;
  Sequence tuple{.items = {std::move(first)}, .tuple = true};
  while (accept(",")) {
    if (peek().kind == TokenKind::Newline || at(":") || at(")")) break;
    tuple.items.push_back(expression());
  }
  return {tuple};
}

Value Evaluator::expression() {
  Depth depth(*this, peek());
  if (at("lambda")) return lambda();
  if (at("not")) unsupported(peek(), "'not'");
  Value value = sum();
  for (const char* op :
       {"if", "and", "or", "==", "!=", "<", "<=", ">", ">=", "in", "is", "not", "&", "|", "^", "<<", ">>"}) {
    // `in` ends the target of a loop before an expression starts, so here it is an operator.
    if (at(op)) unsupported(peek(), "'" + std::string(op) + "' in an expression");
  }
  return value;
}

Value Evaluator::sum() {
  Value value = product();
  while (at("+") || at("-")) {
    const Token op = take();
    value = arithmetic(op, value, product());
  }
  return value;
}

Value Evaluator::product() {
  Value value = unary();
  while (at("*") || at("//") || at("%") || at("/") || at("@")) {
    const Token op = take();
    value = arithmetic(op, value, unary());
  }
  return value;
}

Value Evaluator::unary() {
  if (!at("-") && !at("+")) return power();
  Depth depth(*this, peek());
  const Token op = take();
  Value value = unary();
  // 0 - x would be +0.0 for x == 0.0.
  if (const double* x = value.as<double>()) return {op.is("-") ? -*x : *x};
  if (const Expr* e = value.as<Expr>(); e && (*e)->op == Op::FloatImm) {
    return {op.is("-") ? fimm((*e)->dtype, -(*e)->float_value()) : *e};
  }
  return arithmetic(op, {int64_t{0}}, value);
}

Value Evaluator::power() {
  Value value = postfix();
  if (!at("**")) return value;
  const Token op = take();
  return arithmetic(op, value, unary());
}

Value Evaluator::arithmetic(const Token& op, const Value& a, const Value& b) {
  const int64_t *x = a.as<int64_t>(), *y = b.as<int64_t>();
  if (x && y) {
    Wide value = 0;
    if ((op.is("//") || op.is("%")) && *y == 0) fail(op, "division by zero");
    if (op.is("+")) {
      value = Wide(*x) + *y;
    } else if (op.is("-")) {
      value = Wide(*x) - *y;
    } else if (op.is("*")) {
      value = Wide(*x) * *y;
    } else if (op.is("//") || op.is("%")) {
      Wide q = Wide(*x) / *y, r = Wide(*x) % *y;
      if (r != 0 && (r < 0) != (*y < 0)) --q, r += *y;
      value = op.is("//") ? q : r;
    } else if (op.is("**") && *y >= 0 && *y < 64) {
      value = 1;
      for (int64_t k = 0; k < *y && fits_type(kInt64, value); ++k) value *= *x;
    } else {
      unsupported(op, "'" + std::string(op.text) + "' on these integers");
    }
    if (!fits_type(kInt64, value)) fail(op, "the integer exceeds 64 bits");
    return {static_cast<int64_t>(value)};
  }
  const Sequence *s = a.as<Sequence>(), *t = b.as<Sequence>();
  if (s && t && op.is("+") && s->tuple == t->tuple && s->items.size() + t->items.size() < 10000) {
    Sequence both = *s;
    both.items.insert(both.items.end(), t->items.begin(), t->items.end());
    return {both};
  }
  const std::string *p = a.as<std::string>(), *q = b.as<std::string>();
  if (p && q && op.is("+") && p->size() + q->size() < 10000) return {*p + *q};
  auto real = [](const Value& v) -> std::optional<double> {
    if (const double* number = v.as<double>()) return *number;
    if (const int64_t* number = v.as<int64_t>()) return static_cast<double>(*number);
    return std::nullopt;
  };
  if ((a.as<double>() || b.as<double>()) && real(a) && real(b)) {
    double left = *real(a), right = *real(b);
    if (op.is("+")) return {left + right};
    if (op.is("-")) return {left - right};
    if (op.is("*")) return {left * right};
    if (op.is("/") && right != 0) return {left / right};
    unsupported(op, "'" + std::string(op.text) + "' on these floats");
  }
  if (a.as<Expr>() || b.as<Expr>()) {
    DType type = (a.as<Expr>() ? *a.as<Expr>() : *b.as<Expr>())->dtype;
    auto operand = [&](const Value& v) -> Expr {
      if (const Expr* e = v.as<Expr>()) return *e;
      const int64_t* number = v.as<int64_t>();
      if (type.is_float() && real(v)) return fimm(type, *real(v));
      if (!number || !type.is_integer()) return {};
      if (!fits_type(type, *number)) fail(op, "the integer exceeds " + std::to_string(type.bits) + " bits");
      return imm(type, *number);
    };
    Expr left = operand(a), right = operand(b);
    if (left && right && !(left->dtype == right->dtype)) {
      fail(op, "'" + std::string(op.text) + "' of " + left->dtype.str() + " and " + right->dtype.str());
    }
    if (left && right && !type.is_bool()) {
      if (std::max(left->depth, right->depth) > 500) fail(op, "this nests too deeply");
      if (op.is("+")) return {left + right};
      if (op.is("-")) return {left - right};
      if (op.is("*")) return {left * right};
      if (op.is("//") && type.is_integer()) return {floordiv(left, right)};
      if (op.is("%") && type.is_integer()) return {floormod(left, right)};
      if (op.is("/") && type.is_float()) return {binary(Op::Div, left, right)};
      unsupported(op, "'" + std::string(op.text) + "' on indices");
    }
  }
  fail(op, "'" + std::string(op.text) + "' of " + describe(a) + " and " + describe(b));
}

Value Evaluator::postfix() {
  const Token start = peek();
  Value value = atom();
  for (;;) {
    const Token here = peek();
    if (accept(".")) {
      const Token name = take();
      if (name.kind != TokenKind::Name) fail(name, "expected a name after '.'");
      value = attribute(value, name);
    } else if (at("(")) {
      value = call(value, start, here);
    } else if (at("[")) {
      value = subscript(value, here);
    } else {
      return value;
    }
  }
}

Value Evaluator::atom() {
  const Token token = peek();
  if (token.kind == TokenKind::Int) {
    take();
    Wide value = int_literal(list_, token);
    if (!fits_type(kInt64, value)) fail(token, "the integer exceeds 64 bits");
    return {static_cast<int64_t>(value)};
  }
  if (token.kind == TokenKind::String) {
    std::string text;
    while (peek().kind == TokenKind::String) {
      const Token part = take();
      text += string_literal(list_, part);
    }
    return {text};
  }
  if (token.kind == TokenKind::Float) {
    take();
    return {float_literal(list_, token)};
  }
  if (accept("(")) return bracketed(")", true);
  if (accept("[")) return bracketed("]", false);
  if (at("{")) unsupported(token, "a dictionary or set");
  if (token.kind != TokenKind::Name) fail(token, "expected an expression");
  take();
  if (token.is("None")) return {None{}};
  if (token.is("True") || token.is("False")) return {token.is("True")};
  if (is_keyword(token.text)) unsupported(token, "'" + std::string(token.text) + "' in an expression");
  return lookup(token);
}

void Evaluator::reject_comprehension() const {
  int level = 0;
  for (size_t k = at_; k < list_.tokens.size() && level >= 0; ++k) {
    const Token& t = list_.tokens[k];
    if (t.is("(") || t.is("[") || t.is("{")) ++level;
    if (t.is(")") || t.is("]") || t.is("}")) --level;
    if (level == 0 && t.is("for")) unsupported(t, "a comprehension");
  }
}

Value Evaluator::bracketed(std::string_view close, bool tuple) {
  reject_comprehension();
  Sequence out{.items = {}, .tuple = tuple};
  bool comma = false;
  while (!at(close)) {
    if (accept("*")) {
      const Token star = peek();
      Value more = expression();
      const Sequence* items = more.as<Sequence>();
      if (!items) fail(star, describe(more) + " cannot be unpacked");
      out.items.insert(out.items.end(), items->items.begin(), items->items.end());
      comma = true;
    } else {
      out.items.push_back(expression());
    }
    if (!accept(",")) break;
    comma = true;
  }
  expect(close);
  if (tuple && !comma && out.items.size() == 1) return out.items[0];
  return {out};
}

Value Evaluator::lambda() {
  const Token start = take();
  Function f{.name = "lambda", .params = {}, .defaults = {}, .body = 0, .lambda = true, .around = {}};
  while (!at(":")) {
    const Token param = take();
    if (param.kind != TokenKind::Name || is_keyword(param.text)) {
      throw Unsupported(span(param), "only plain parameters of a lambda are read in schedules");
    }
    if (std::find(f.params.begin(), f.params.end(), param.text) != f.params.end()) {
      fail(param, "the parameter '" + std::string(param.text) + "' stands twice");
    }
    f.params.emplace_back(param.text);
    f.defaults.push_back(nullptr);
    if (!accept(",")) break;
  }
  expect(":");
  f.body = at_;
  if (scopes_.size() > 1) f.around = std::make_shared<Scope>(scopes_.back());
  // Past the body: up to a comma or closing bracket on this level, or the end of the line.
  for (int level = 0;; take()) {
    const Token& t = peek();
    if (t.kind == TokenKind::End || t.kind == TokenKind::Newline) break;
    if (level == 0 && (t.is(",") || t.is(")") || t.is("]") || t.is("}"))) break;
    if (t.is("(") || t.is("[") || t.is("{")) ++level;
    if (t.is(")") || t.is("]") || t.is("}")) --level;
  }
  if (at_ == f.body) fail(start, "the lambda has no body");
  return {f};
}

Value Evaluator::subscript(const Value& of, const Token& where) {
  if (of.as<Name>()) {
    skip_brackets();
    return of;
  }
  take();
  if (const TransformedBuffer* buffer = of.as<TransformedBuffer>()) {
    Value inside = expression_list();
    expect("]");
    Sequence one{.items = {inside}, .tuple = true};
    const Sequence* list = inside.as<Sequence>();
    std::vector<Expr> indices;
    for (const Value& item : (list ? *list : one).items) {
      const int64_t* number = item.as<int64_t>();
      const Expr* e = item.as<Expr>();
      if (number && fits_type(kInt32, *number)) {
        indices.push_back(i32(*number));
      } else if (e && (*e)->dtype == kInt32) {
        indices.push_back(*e);
      } else {
        fail(where, "an index is an integer, not " + describe(item));
      }
    }
    if (indices.size() != buffer->ndim) {
      fail(where, "'" + buffer->name + "' has " + std::to_string(buffer->ndim) + " dimensions in the new layout");
    }
    return {hexproof::call(buffer->dtype, kTransformedCell, indices)};
  }
  const Sequence* items = of.as<Sequence>();
  if (!items) {
    if (of.as<ScheduleObject>()) {
      throw Unsupported(span(where), "stages s[...] of tensor-expression schedules are not read");
    }
    fail(where, describe(of) + " has no items");
  }
  auto size = static_cast<int64_t>(items->items.size());
  auto position = [&](int64_t otherwise) {
    if (at(":") || at("]")) return otherwise;
    const Token token = peek();
    Value value = expression();
    const int64_t* k = value.as<int64_t>();
    if (!k) fail(token, "an index is an integer, not " + describe(value));
    return *k < 0 ? *k + size : *k;
  };
  if (at("]")) fail(peek(), "expected an index");
  const Token at_index = peek();
  int64_t start = position(0);
  if (at(":")) {
    take();
    int64_t stop = position(size);
    if (at(":")) unsupported(peek(), "a slice with a step");
    expect("]");
    Sequence out{.items = {}, .tuple = items->tuple};
    for (int64_t k = std::max<int64_t>(start, 0); k < std::min(stop, size); ++k) {
      out.items.push_back(items->items[static_cast<size_t>(k)]);
    }
    return {out};
  }
  expect("]");
  if (start < 0 || start >= size) {
    fail(at_index, "the index is out of range: there are " + std::to_string(size) + " items");
  }
  return items->items[static_cast<size_t>(start)];
}

Value Evaluator::attribute(const Value& of, const Token& name) {
  std::string text(name.text);
  if (const Name* n = of.as<Name>()) {
    if (text == "AXIS_SEPARATOR") return {AxisSeparator{}};
    if (n->path == "te" || n->path == "tvm.te" || n->path == "topi" || n->path == "tvm.topi") {
      throw Unsupported(span(name), "tensor-expression schedules (" + n->path + "." + text + ") are not read");
    }
    return {Name{n->path + "." + text}};
  }
  if (of.as<ScheduleObject>()) {
    if (text == "mod" || text == "trace" || text == "state") return {Name{"sch." + text}};
    return {Method{text}};
  }
  fail(name, describe(of) + " has no attribute '" + text + "'");
}

Value Evaluator::lookup(const Token& name) {
  std::string text(name.text);
  for (const Scope* scope : {&scopes_.back(), &scopes_.front()}) {
    if (auto it = scope->find(text); it != scope->end()) return it->second;
  }
  if (text == "range") return {Name{"range"}};
  if (text == "len") return {Name{"len"}};
  if (text == "float") return {Name{"float"}};
  std::vector<std::string> known;
  for (const Scope* scope : {&scopes_.back(), &scopes_.front()}) {
    for (const auto& [other, value] : *scope) known.push_back(other);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::string hint = nearest_name(text, known);
  fail(name, "the name '" + text + "' is not defined", hint.empty() ? "" : "did you mean '" + hint + "'?");
}

void Evaluator::skip_brackets() {
  int level = 0;
  do {
    const Token t = take();
    if (t.is("(") || t.is("[") || t.is("{")) ++level;
    if (t.is(")") || t.is("]") || t.is("}")) --level;
  } while (level > 0 && peek().kind != TokenKind::End);
}

Arguments Evaluator::call_arguments() {
  Arguments args;
  expect("(");
  reject_comprehension();
  while (!at(")")) {
    const Token start = peek();
    if (accept("*")) {
      Value more = expression();
      const Sequence* items = more.as<Sequence>();
      if (!items) fail(start, describe(more) + " cannot be unpacked");
      for (const Value& item : items->items) args.list.push_back({"", item, span(start)});
    } else if (at("**")) {
      unsupported(start, "'**' in a call");
    } else if (start.kind == TokenKind::Name && list_.tokens[at_ + 1].is("=")) {
      take();
      take();
      for (const Arguments::One& other : args.list) {
        if (other.keyword == start.text) fail(start, "the argument '" + other.keyword + "' stands twice");
      }
      const Token value = peek();
      args.list.push_back({std::string(start.text), expression(), span(value)});
    } else {
      if (!args.list.empty() && !args.list.back().keyword.empty()) {
        fail(start, "an argument by position after one by name");
      }
      args.list.push_back({"", expression(), span(start)});
    }
    if (!accept(",")) break;
  }
  expect(")");
  return args;
}

}  // namespace hexproof::python
