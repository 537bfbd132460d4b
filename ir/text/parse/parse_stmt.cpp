#include <algorithm>
#include <utility>

#include "ir/reinterpret.h"
#include "ir/text/parse/parser.h"

namespace hexproof::text {
namespace {
constexpr int kMaxScopes = 1000;

std::optional<Op> augmented(const Token& token) {
  static const std::map<std::string_view, Op> kOps = {{"+=", Op::Add},    {"-=", Op::Sub},       {"*=", Op::Mul},
                                                      {"/=", Op::Div},    {"//=", Op::FloorDiv}, {"%=", Op::FloorMod},
                                                      {"&=", Op::BitAnd}, {"|=", Op::BitOr},     {"^=", Op::BitXor},
                                                      {"<<=", Op::Shl},   {">>=", Op::Shr}};
  if (token.kind != TokenKind::Op) return std::nullopt;
  auto it = kOps.find(token.text);
  return it == kOps.end() ? std::nullopt : std::optional(it->second);
}

/// Folds the items of a suite: what opens a scope goes around all that follows it.
Stmt fold(std::vector<std::pair<Stmt, Wrap>> items) {
  std::vector<Stmt> tail;
  for (size_t i = items.size(); i-- > 0;) {
    auto& [stmt, wrap] = items[i];
    if (wrap) {
      std::reverse(tail.begin(), tail.end());
      stmt = wrap(seq(std::move(tail)));
      tail.clear();
    }
    tail.push_back(std::move(stmt));
  }
  std::reverse(tail.begin(), tail.end());
  return seq(std::move(tail));
}
}  // namespace

void Parser::add(Wrap wrap) {
  if (!wrap) return;
  if (++open_scopes_ > kMaxScopes) {
    throw Error(span(), "more than " + std::to_string(kMaxScopes) + " scopes inside one another");
  }
  items_->push_back({Stmt(), std::move(wrap)});
}

/// `:` and the statements under it, in a scope of their own.
Stmt Parser::suite(BlockState* block) {
  Nest nest(*this);
  expect(":", "at the end of the line");
  std::vector<Item> items;
  std::vector<Item>* outer_items = std::exchange(items_, &items);
  BlockState* outer_block = std::exchange(block_, block);
  int outer_scopes = open_scopes_++;
  {
    Scope scope(*this);
    if (peek().kind == TokenKind::Newline) {
      next();
      if (peek().kind != TokenKind::Indent) unexpected("an indented line");
      next();
      while (peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) told([&] { statement(); });
      if (peek().kind == TokenKind::Dedent) next();
    } else {
      do {
        simple_statement();
      } while (list_.tokens[pos_ - 1].is(";"));
    }
  }
  items_ = outer_items, block_ = outer_block, open_scopes_ = outer_scopes;
  std::vector<std::pair<Stmt, Wrap>> parts;
  for (Item& item : items) parts.emplace_back(std::move(item.stmt), std::move(item.wrap));
  return fold(std::move(parts));
}

void Parser::statement() {
  if (at("if")) return if_statement();
  if (at("for")) return for_statement();
  if (at("with")) return with_statement();
  if (peek().kind == TokenKind::Indent) {
    throw Error(span(), "this line is indented more than the one before",
                "only after a ':' may a line be indented more");
  }
  if (at("assert")) return assertion();
  for (const char* word : {"while", "return", "break", "continue", "try", "raise", "del", "global", "nonlocal", "async",
                           "await", "yield"}) {
    if (at(word)) throw Unsupported(span(), std::string("the statement '") + word + "'");
  }
  if (at("def") || at("class") || at("@")) throw Error(span(), "a definition inside of a function");
  if (at("elif") || at("else"))
    throw Error(span(), "'" + std::string(peek().text) + "' without an 'if' at this indentation");
  simple_statement();
}

/// `assert` of what is known while reading, such as a dtype. A condition at run time is not modelled.
void Parser::assertion() {
  Span start = span();
  next();
  Value condition = expression();
  if (accept(",")) expression();
  const bool* known = condition.as<bool>();
  if (!known) throw Unsupported(start, "an assertion that is checked when the program runs", "write T.assume(...)");
  if (!*known) throw Error(condition.span, "this assertion is false");
  end_of_statement();
}

void Parser::simple_statement() {
  Span start = span();
  if (at("import") || at("from")) throw Error(start, "an import inside of a function");
  if (accept("pass")) return end_of_statement();
  if (peek().kind == TokenKind::Name && !is_keyword(peek().text)) {
    const Token& after = peek(1);
    if (after.is("=") || after.is(":") || augmented(after)) {
      std::string name = identifier("a name");
      assignment(name, start);
      return end_of_statement();
    }
    if (after.is(",")) {
      tuple_assignment();
      return end_of_statement();
    }
  }
  Value value = expression();
  if (at("=") || augmented(peek())) {
    Span at_op = span();
    std::optional<Op> op = augmented(peek());
    next();
    Value right = expression();
    if (op) right = apply_binary(*op, value, right, at_op);
    store(value, right, start);
    if (at("=")) throw Unsupported(span(), "an assignment to several targets");
  } else {
    bare(value, start);
  }
  end_of_statement();
}

namespace {
/// What the cell holds when these bits are stored. A copy from memory of its own type stays one, through whichever
/// integers.
Expr as_cell(DType type, const Expr& value) {
  Expr bits = value;
  while (!(bits->dtype == type) && bits->op == Op::Cast && bits->dtype.is_integer() &&
         bits->args[0]->dtype.is_integer() && same_width(bits->dtype, bits->args[0]->dtype)) {
    bits = bits->args[0];
  }
  if (bits->dtype == type) return bits;
  if (type.is_float() && is_reinterpret(*bits) && bits->args[0]->dtype == type) return bits->args[0];
  return reinterpret(type, value);
}
}  // namespace

/// buffer[indices] = value; `target` is what reading the cell would give.
void Parser::store(const Value& target, const Value& value, const Span& at) {
  const Expr seen = target.as<Region>() || target.as<Expr>() ? to_expr(target) : Expr();
  const Expr cell = cell_of(target);
  if (!cell) {
    throw Error(at, "a value is stored to a cell of a buffer or bound to a name, not to " + describe(target));
  }
  Expr stored = to_dtype(value, seen->dtype, "'" + cell->buffer()->name + "'");
  stored = stored->op == Op::Undef ? undef(cell->dtype) : as_cell(cell->dtype, stored);
  add(make_stmt(Store{cell->buffer(), cell->args, std::move(stored)}, at));
}

/// Assigning a scalar again in a nested suite would change it in Python, and only shadow it in TVMScript.
void Parser::rebind_check(const std::string& name, const Span& at) {
  for (size_t i = 0; i + 1 < scopes_.size(); ++i) {
    auto it = scopes_[i].find(name);
    if (it != scopes_[i].end() && it->second.is_let && !scopes_.back().count(name)) {
      throw Error(at, "'" + name + "' is bound outside of this suite and cannot be assigned again in it",
                  "a variable has one value; keep a changing value in a buffer of one cell");
    }
  }
}

void Parser::assignment(const std::string& name, const Span& start) {
  if (std::optional<Op> op = augmented(peek())) {
    Span at_op = span();
    next();
    const Binding* old = find(name);
    if (!old) unknown_name(name, start);
    Value left = old->value;
    left.span = start;
    return bind_result(name, apply_binary(*op, left, expression(), at_op), start);
  }
  if (accept(":")) {
    Value type = expression();
    DType dtype = kHandle;
    if (const Call* call = type.as<Call>()) {
      if (call->name != "T.handle" && call->name != "T.ptr")
        dtype = dtype_named(call->name.substr(std::min<size_t>(2, call->name.size())), type.span);
    } else {
      dtype = type.as<Path>() && type.as<Path>()->name == "T.handle" ? kHandle : to_dtype_name(type);
    }
    if (!at("=")) throw Error(start, "'" + name + "' gets a type and no value");
    next();
    Value value = expression();
    if (value.as<Call>()) return bind_result(name, value, start);
    if (dtype.is_handle()) throw Unsupported(start, "a pointer that is bound to a name");
    return add(open_let(name, value, dtype, start));
  }
  expect("=", "after the name");
  Value value = expression();
  if (at("=")) throw Unsupported(span(), "an assignment to several targets");
  if (at(",")) throw Unsupported(span(), "a tuple as a value");
  bind_result(name, value, start);
}

void Parser::tuple_assignment() {
  std::vector<std::string> names;
  Span start = span();
  do {
    if (at("=")) break;
    names.push_back(identifier("a name"));
  } while (accept(","));
  expect("=", "after the names");
  Value value = expression();
  const Call* call = value.as<Call>();
  if (!call || call->name != "T.axis.remap")
    throw Unsupported(start, "an assignment to several names, but of T.axis.remap");
  std::vector<Var> vars = axes(*call, names, start);
  for (size_t i = 0; i < vars.size(); ++i) bind(names[i], Value{Expr(vars[i]), start}, start);
}

/// name = value, where the value may be a statement's call.
void Parser::bind_result(const std::string& name, const Value& value, const Span& start) {
  if (const Call* call = value.as<Call>()) {
    if (std::optional<std::string> callee = callee_of(*call)) {
      throw Error(value.span, "the call of '" + *callee + "' gives no value");
    }
    if (call->name.starts_with("T.axis.")) {
      bind(name, Value{Expr(axes(*call, {name}, value.span)[0]), start}, start);
    } else if (call->name == "T.match_buffer") {
      match_buffer(*call, name, value.span);
    } else if (call->name == "T.meta_var") {
      bind(name, *arguments(*call, value.span, {"value"}, 1)[0], start);
    } else if (call->name == "T.var" ||
               (call->name.starts_with("T.") && parse_dtype(call->name.substr(2)) && call->args->empty())) {
      DType type = call->name == "T.var" ? to_dtype_name(*arguments(*call, value.span, {"dtype", "name"}, 1)[0])
                                         : *parse_dtype(call->name.substr(2));
      if (type.is_handle()) throw Unsupported(start, "a pointer variable");
      // At the start of the function it may become a scalar of its own; inside it is a variable of T.Let.
      Var var = Var::fresh(scopes_.size() == 2 ? scalar_name(name) : name, type);
      function_->declared.insert(var);
      bind(name, Value{Expr(var), start}, start);
    } else {
      add(open(*call, name, start));
    }
    return;
  }
  if (value.as<ThreadTag>() || value.as<Buffer>()) return bind(name, value, start);
  if (value.as<List>() || value.as<Dict>() || value.as<TypeName>() || value.as<std::string>() || value.as<Path>() ||
      value.as<None>()) {
    throw Unsupported(start, describe(value) + " bound to a name");
  }
  add(open_let(name, value, std::nullopt, start));
}

/// An expression that stands alone.
void Parser::bare(const Value& value, const Span& start) {
  if (value.as<std::string>() || value.as<None>()) return;  // a docstring
  const Call* call = value.as<Call>();
  if (!call) {
    Expr e = to_expr(value);
    if (e->op != Op::IntImm && e->op != Op::FloatImm) add(make_stmt(Evaluate{std::move(e)}, start));
    return;
  }
  if (std::optional<std::string> callee = callee_of(*call)) return call_statement(*call, *callee, start);
  if (call->name == "T.evaluate") return bare(*arguments(*call, start, {"value"}, 1)[0], start);
  if (call->name == "T.assume") {
    Expr condition = to_condition(*arguments(*call, start, {"cond"}, 1)[0], "what is assumed");
    return add(make_stmt(Assume{std::move(condition)}, start));
  }
  if (call->name == "T.buffer_store") {
    Arguments a = arguments(*call, start, {"buffer", "value", "indices"}, 3);
    throw Unsupported(start, "T.buffer_store", "write buffer[indices] = value");
  }
  if (is_block_part(call->name)) return block_part(*call, start);
  if (call->name == "T.func_attr") {
    if (scopes_.size() != 2) throw Error(start, "T.func_attr stands at the start of the function");
    for (auto& [key, entry] : annotations(*arguments(*call, start, {"attrs"}, 1)[0]))
      function_->func.attrs[key] = entry;
    return;
  }
  for (const char* name :
       {"range", "T.grid", "T.serial", "T.parallel", "T.vectorized", "T.unroll", "T.thread_binding"}) {
    if (call->name == name) throw Error(start, "'" + call->name + "' stands in the head of a for loop");
  }
  if (call->name == "T.block" || call->name == "T.sblock" || call->name == "T.init") {
    throw Error(start, "'" + call->name + "' needs a with statement", "write: with " + call->name + "(...):");
  }
  if (call->name != "T.attr" && call->name != "T.launch_thread") {
    throw Error(start, "the result of '" + call->name + "' needs a name", "write: name = " + call->name + "(...)");
  }
  add(open(*call, "", start));
}

void Parser::if_statement() {
  struct Branch {
    Expr condition;
    Stmt body;
    Span at;
  };
  std::vector<Branch> branches;
  Stmt otherwise;
  int outer_scopes = open_scopes_;
  do {
    Span start = span();
    next();
    Value test = expression();
    if (at("=")) unexpected("':' at the end of the line");
    Expr condition = to_condition(test, "a condition");
    branches.push_back({std::move(condition), suite(nullptr), start});
    if (++open_scopes_ > kMaxScopes) throw Error(start, "too many branches in one if statement");
  } while (at("elif"));
  if (accept("else")) otherwise = suite(nullptr);
  open_scopes_ = outer_scopes;
  for (size_t i = branches.size(); i-- > 0;) {
    otherwise = make_stmt(If{branches[i].condition, branches[i].body, otherwise}, branches[i].at);
  }
  add(otherwise);
}

void Parser::for_statement() {
  Span start = span();
  next();
  std::vector<std::pair<std::string, Span>> targets;
  bool parenthesis = accept("(");
  do {
    if (at("in") || at(")")) break;
    Span place = span();
    targets.emplace_back(identifier("the name of a loop variable"), place);
  } while (accept(","));
  if (parenthesis) expect(")", "after the loop variables");
  expect("in", "after the loop variables");
  Value iterable = expression();
  const Call* call = iterable.as<Call>();
  if (!call) {
    throw Error(iterable.span,
                "a loop runs over range, T.grid, T.serial, T.parallel, T.vectorized, T.unroll or T.thread_binding");
  }
  Scope scope(*this);
  int outer_scopes = open_scopes_;
  open_scopes_ += static_cast<int>(targets.size());
  Wrap wrap = loop(*call, targets, start);
  Stmt body = suite(nullptr);
  open_scopes_ = outer_scopes;
  add(wrap(std::move(body)));
}

void Parser::with_statement() {
  Span start = span();
  next();
  std::vector<Wrap> wraps;
  std::vector<std::unique_ptr<Scope>> scopes;
  int outer_scopes = open_scopes_;
  do {
    Value value = expression();
    const Call* call = value.as<Call>();
    if (!call) throw Error(value.span, describe(value) + " cannot stand in a with statement");
    std::string name;
    if (accept("as")) {
      if (at("[") || at("(")) throw Unsupported(span(), "block variables after 'as'", "write vi = T.axis.spatial(...)");
      name = identifier("a name");
    }
    bool is_block = call->name == "T.block" || call->name == "T.sblock";
    if (is_block || call->name == "T.init") {
      if (!name.empty()) throw Unsupported(start, "a name for a block");
      if (!wraps.empty()) throw Unsupported(start, "a block with other scopes in one with statement");
      return is_block ? block_statement(*call, start) : init_statement(start);
    }
    scopes.push_back(std::make_unique<Scope>(*this));
    Wrap wrap = open(*call, name, start);
    if (!wrap) throw Error(start, "'" + call->name + "' cannot stand in a with statement");
    wraps.push_back(std::move(wrap));
    ++open_scopes_;
  } while (accept(","));
  Stmt body = suite(nullptr);
  while (!scopes.empty()) scopes.pop_back();
  open_scopes_ = outer_scopes;
  for (size_t i = wraps.size(); i-- > 0;) body = wraps[i](std::move(body));
  add(std::move(body));
}

Wrap Parser::open_let(const std::string& name, const Value& value, std::optional<DType> type, const Span& start) {
  Expr e = type ? to_dtype(value, *type, "'" + name + "'") : to_expr(value);
  if (e->dtype.is_handle()) throw Unsupported(start, "a pointer or string that is bound to a name");
  rebind_check(name, start);
  Var var = Var::fresh(name, e->dtype, e->data);
  bind(name, Value{Expr(var), start}, start, true);
  return [=](Stmt body) { return make_stmt(LetStmt{var, e, std::move(body)}, start); };
}

}  // namespace hexproof::text
