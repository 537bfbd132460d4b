#include <algorithm>

#include "ir/reinterpret.h"
#include "ir/text/parse/parser.h"

namespace hexproof::text {

namespace {
constexpr int kMaxNesting = 250;

/// Binary operators with Python's precedence, weakest first. Comparisons are a level of their own (4).
struct Infix {
  std::string_view text;
  int level;
  Op op;
};
constexpr Infix kInfix[] = {{"or", 1, Op::Or},   {"and", 2, Op::And},      {"==", 4, Op::EQ},      {"!=", 4, Op::NE},
                            {"<", 4, Op::LT},    {"<=", 4, Op::LE},        {">", 4, Op::GT},       {">=", 4, Op::GE},
                            {"|", 5, Op::BitOr}, {"^", 6, Op::BitXor},     {"&", 7, Op::BitAnd},   {"<<", 8, Op::Shl},
                            {">>", 8, Op::Shr},  {"+", 9, Op::Add},        {"-", 9, Op::Sub},      {"*", 10, Op::Mul},
                            {"/", 10, Op::Div},  {"//", 10, Op::FloorDiv}, {"%", 10, Op::FloorMod}};
constexpr int kNot = 3, kComparison = 4;

const Infix* infix(const Token& token) {
  if (token.kind != TokenKind::Op && token.kind != TokenKind::Name) return nullptr;
  for (const Infix& entry : kInfix) {
    if (entry.text == token.text) return &entry;
  }
  return nullptr;
}
}  // namespace

Parser::Nest::Nest(Parser& p) : parser(p) {
  if (++p.nesting_ > kMaxNesting) {
    --p.nesting_;
    throw Error(p.span(), "more than " + std::to_string(kMaxNesting) + " levels of nesting");
  }
}

Value Parser::expression() {
  Nest nest(*this);
  if (at("lambda")) throw Unsupported(span(), "a lambda in a program");
  Value value = binary(1);
  if (at("if"))
    throw Unsupported(span(), "a conditional expression of Python", "write T.if_then_else(condition, a, b)");
  if (at(":=")) throw Unsupported(span(), "an assignment inside an expression");
  if (at("in") || at("is") || at("not")) throw Unsupported(span(), "the operator '" + std::string(peek().text) + "'");
  if (at("**") || at("@")) throw Unsupported(span(), "the operator '" + std::string(peek().text) + "'");
  return value;
}

/// An expression of operators that bind at `level` or tighter.
Value Parser::binary(int level) {
  Value left;
  if (at("not") && level <= kNot) {
    Nest nest(*this);
    Span start = span();
    next();
    left = apply_unary("not", binary(kNot), start);
  } else {
    left = unary();
  }
  while (const Infix* entry = infix(peek())) {
    if (entry->level < level) break;
    Span start = span();
    next();
    if (entry->level != kComparison) {
      left = apply_binary(entry->op, left, binary(entry->level + 1), start);
      continue;
    }
    Value middle = binary(kComparison + 1);
    left = apply_binary(entry->op, left, middle, start);
    while (const Infix* more = infix(peek())) {
      if (more->level != kComparison) break;
      Span again = span();
      next();
      Value right = binary(kComparison + 1);
      left = apply_binary(Op::And, left, apply_binary(more->op, middle, right, again), again);
      middle = std::move(right);
    }
  }
  return left;
}

Value Parser::unary() {
  if (at("-") || at("+") || at("~")) {
    Nest nest(*this);
    Span start = span();
    std::string op(next().text);
    return apply_unary(op, unary(), start);
  }
  if (at("not")) unexpected("an operand");
  return postfix();
}

Value Parser::postfix() {
  Value value = primary();
  while (true) {
    if (at("[")) {
      value = subscript(std::move(value));
    } else if (at(".")) {
      Span start = value.span;
      next();
      Span place = span();
      std::string name = identifier("an attribute");
      value = attribute(value, name, place);
    } else if (at("(")) {
      throw Error(span(), describe(value) + " cannot be called");
    } else {
      return value;
    }
  }
}

Value Parser::primary() {
  const Token& token = peek();
  Span start = span();
  switch (token.kind) {
    case TokenKind::Int:
      return Value{int_literal(list_, next()), start};
    case TokenKind::Float:
      return Value{float_literal(list_, next()), start};
    case TokenKind::String: {
      std::string text = string_literal(list_, next());
      while (peek().kind == TokenKind::String) text += string_literal(list_, next());
      return Value{std::move(text), start};
    }
    case TokenKind::Op:
      if (accept("(")) return list_until(")", true, start);
      if (accept("[")) return list_until("]", false, start);
      if (accept("{")) return dict();
      break;
    case TokenKind::Name:
      if (accept("True")) return Value{true, start};
      if (accept("False")) return Value{false, start};
      if (accept("None")) return Value{None{}, start};
      if (is_keyword(token.text)) break;
      return dotted(start);
    case TokenKind::Newline:
    case TokenKind::Indent:
    case TokenKind::Dedent:
    case TokenKind::End:
      break;
  }
  unexpected("an expression");
}

/// The rest of (...) or [...]; a parenthesis with one item and no comma is the item itself.
Value Parser::list_until(std::string_view close, bool tuple, const Span& open) {
  List list;
  list.tuple = tuple;
  bool comma = false;
  while (!at(close)) {
    list.items.push_back(expression());
    if (at("for")) throw Unsupported(span(), "a comprehension");
    comma = accept(",");
    if (!comma && !at(close)) unexpected("',' or '" + std::string(close) + "'");
  }
  next();
  if (tuple && list.items.size() == 1 && !comma) return list.items[0];
  return Value{std::move(list), open};
}

Value Parser::dict() {
  Dict dict;
  Span start = span();
  while (!at("}")) {
    dict.keys.push_back(expression());
    expect(":", "after the key of a dict");
    dict.values.push_back(expression());
    if (!accept(",") && !at("}")) unexpected("',' or '}'");
  }
  next();
  return Value{std::move(dict), start};
}

Value Parser::index_or_slice() {
  Span start = span();
  auto part = [&]() -> ValuePtr {
    if (at(":") || at(",") || at("]")) return nullptr;
    return std::make_shared<Value>(expression());
  };
  ValuePtr first = part();
  if (!at(":")) {
    if (!first) unexpected("an index");
    return *first;
  }
  Slice slice{first, nullptr, nullptr};
  next();
  slice.stop = part();
  if (accept(":")) slice.step = part();
  return Value{std::move(slice), start};
}

Value Parser::subscript(Value base) {
  Span open = span();
  next();
  std::vector<Value> indices;
  bool slices = false;
  while (!at("]")) {
    indices.push_back(index_or_slice());
    slices |= indices.back().as<Slice>() != nullptr;
    if (!accept(",") && !at("]")) unexpected("',' or ']'");
  }
  next();
  if (indices.size() == 1 && indices[0].as<List>() && indices[0].as<List>()->tuple)
    indices = indices[0].as<List>()->items;
  if (const List* list = base.as<List>()) {
    if (indices.size() != 1) throw Error(open, "a list takes one index");
    int64_t at = to_constant(indices[0], "the index of a list");
    if (at < 0) at += static_cast<int64_t>(list->items.size());
    if (at < 0 || at >= static_cast<int64_t>(list->items.size()))
      throw Error(indices[0].span, "the list has no such item");
    return list->items[static_cast<size_t>(at)];
  }
  const Buffer* buffer = base.as<Buffer>();
  if (!buffer) {
    bool pointer = base.as<Expr>() && (*base.as<Expr>())->dtype.is_handle();
    throw Error(open, describe(base) + " has no index",
                pointer ? "declare a buffer over this memory: T.decl_buffer(shape, dtype, data=...)" : "");
  }
  if (indices.size() != (*buffer)->ndim()) {
    auto count = [](size_t n, const char* one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); };
    throw Error(open,
                "'" + (*buffer)->name + "' has " + count((*buffer)->ndim(), "dimension") + ", not " +
                    std::to_string(indices.size()),
                (*buffer)->ndim() == 0 ? "write " + (*buffer)->name + "[()]" : "");
  }
  const DType type = dtype_of(*buffer);
  if (slices) return Value{Region{*buffer, std::move(indices), type}, base.span};
  std::vector<Expr> exprs;
  for (const Value& index : indices) {
    if (index.as<WeakUndef>()) throw Error(index.span, "undef may not stand in an index");
    Expr e = index.as<double>() ? Expr() : to_expr(index);
    if (!e || !e->dtype.is_integer()) {
      throw Error(index.span, "an index must be an integer, not " + (e ? e->dtype.str() : describe(index)));
    }
    exprs.push_back(std::move(e));
  }
  Expr cell = load_at(*buffer, std::move(exprs), open);
  if (type == (*buffer)->dtype) return make_value(std::move(cell), base.span);
  Value out = make_value(reinterpret(type.with_lanes(cell->dtype.lanes), cell), base.span);
  out.cell = std::move(cell);
  return out;
}

/// The type as which the text sees the buffer: that of its declaration.
DType Parser::dtype_of(const Buffer& buffer) const {
  auto view = function_->views.find(buffer);
  return view == function_->views.end() ? buffer->dtype : view->second;
}

Value Parser::attribute(const Value& base, const std::string& name, const Span& place) {
  auto list = [&](const std::vector<Expr>& exprs) {
    List out;
    for (const Expr& e : exprs) {
      const int64_t* v = as_int(e);
      out.items.push_back(v && e->dtype == kInt32 ? Value{Wide{*v}, place} : Value{e, place});
    }
    return Value{std::move(out), place};
  };
  if (const Buffer* buffer = base.as<Buffer>()) {
    if (name == "data") return Value{Expr((*buffer)->data), place};
    if (name == "dtype") return Value{dtype_of(*buffer).str(), place};
    if (name == "shape") return list((*buffer)->shape);
    if (name == "strides") return list((*buffer)->strides);
    if (name == "elem_offset") return Value{(*buffer)->elem_offset ? (*buffer)->elem_offset : i32(0), place};
    if (name == "scope" && at("(")) {
      next(), expect(")", "after .scope(");
      return Value{(*buffer)->scope, place};
    }
    static const std::set<std::string> kKnown = {"access_ptr", "vload", "vstore", "offset_of", "get_flattened_buffer"};
    if (kKnown.count(name)) throw Unsupported(place, "the buffer method '" + name + "'");
    throw Error(place, "a buffer has no attribute '" + name + "'");
  }
  if (const Expr* e = base.as<Expr>()) {
    if (name == "dtype") return Value{(*e)->dtype.str(), place};
    if (name == "astype" && at("(")) {
      Value args = call("astype", place);
      const Call* c = args.as<Call>();
      DType type = to_dtype_name(*arguments(*c, place, {"dtype"}, 1)[0]);
      if (type.lanes != (*e)->dtype.lanes || type.is_handle() || (*e)->dtype.is_handle()) {
        throw Error(place, "no conversion from " + (*e)->dtype.str() + " to " + type.str());
      }
      return (*e)->dtype == type ? base : make_value(cast(type, *e), place);
    }
  }
  throw Error(place, describe(base) + " has no attribute '" + name + "'");
}

/// A name, or a path that starts with T (or tir, I): its value, or the call of a builtin.
Value Parser::dotted(const Span& start) {
  std::string name = identifier("a name");
  if (const Binding* binding = find(name)) {
    Value value = binding->value;
    value.span = start;
    return value;
  }
  if (names_module(name)) return module_call(start);
  std::string path = name;
  if (name == "T" || name == "tir" || name == "I" || name == "tvm") {
    while (at(".")) {
      next();
      path += '.';
      path += identifier("a name after '.'");
    }
    for (std::string_view prefix : {"tvm.tir.", "tvm.script.tir.", "tir."}) {
      if (path.starts_with(prefix)) path.replace(0, prefix.size(), "T.");
    }
  } else if (name != "range" && name != "float" && name != "min" && name != "max") {
    unknown_name(name, start);
  }
  if (at("(")) {
    Value value = call(path, start);
    value.span = start;
    return builtin(*value.as<Call>(), start);
  }
  if (path == "T.Buffer" && at("[")) {
    next();
    std::vector<Value> items;
    while (!at("]")) {
      items.push_back(expression());
      if (!accept(",") && !at("]")) unexpected("',' or ']'");
    }
    next();
    return Value{Call{path, std::make_shared<const std::vector<Value>>(std::move(items)),
                      std::make_shared<const std::vector<Keyword>>()},
                 start};
  }
  if (path.starts_with("T.")) {
    if (path == "T.boolean") return Value{TypeName{kBool}, start};
    if (auto type = parse_dtype(path.substr(2))) return Value{TypeName{*type}, start};
  }
  return Value{Path{path}, start};
}

}  // namespace hexproof::text
