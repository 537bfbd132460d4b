#include "ir/text/lexer.h"
#include "rewrite/schedule/python.h"
#include "rewrite/schedule/reader.h"

namespace hexproof {

void run_schedule(Derivation& derivation, Prover& prover, std::shared_ptr<const SourceFile> file) {
  require_text(file);
  Schedule schedule(derivation, prover);
  python::Evaluator(schedule, tokenize(file)).run();
}

void run_schedule(ModuleDerivation& module, Prover& prover, std::shared_ptr<const SourceFile> file) {
  require_text(file);
  ModuleSchedule schedule(module, prover);
  python::Evaluator(schedule, tokenize(file)).run();
}

IndexMap read_index_map(std::shared_ptr<const SourceFile> file) {
  require_text(file);
  Derivation derivation{PrimFunc{}};
  Prover prover;
  Schedule schedule(derivation, prover);
  return python::Evaluator(schedule, tokenize(file)).single_index_map();
}

namespace python {

namespace {
constexpr int kMostSteps = 100000, kMostDepth = 200;
}

Evaluator::Depth::Depth(Evaluator& e, const Token& token) : evaluator(e) {
  if (++e.depth_ > kMostDepth) {
    --e.depth_;
    e.fail(token, "this nests too deeply");
  }
}

Evaluator::Evaluator(ModuleSchedule& module, TokenList list) : module_(&module), list_(std::move(list)) {
  define_names();
}

Evaluator::Evaluator(Schedule& schedule, TokenList list) : schedule_(&schedule), list_(std::move(list)) {
  define_names();
}

void Evaluator::define_names() {
  for (const char* name : {"tvm", "tir", "te", "topi", "T", "IndexMap"}) scopes_[0][name] = {Name{name}};
  scopes_[0]["sch"] = {ScheduleObject{}};
}

void Evaluator::fail(const Token& token, const std::string& message, const std::string& hint) const {
  throw Error(span(token), message, hint);
}

void Evaluator::unsupported(const Token& token, const std::string& what) const {
  throw Unsupported(span(token), what + " is not read in schedules");
}

void Evaluator::count_step(const Token& token) {
  if (++steps_ > kMostSteps) fail(token, "the schedule takes more than " + std::to_string(kMostSteps) + " steps");
}

bool Evaluator::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

void Evaluator::expect(std::string_view text) {
  if (!accept(text)) fail(peek(), "expected '" + std::string(text) + "'");
}

void Evaluator::run() {
  while (peek().kind != TokenKind::End) {
    statement();
    if (returned_) fail(peek(), "'return' outside of a function");
  }
}

IndexMap Evaluator::single_index_map() {
  Span place = span(peek());
  IndexMap map = index_map(expression(), place);
  while (peek().kind == TokenKind::Newline) take();
  if (peek().kind != TokenKind::End) fail(peek(), "expected the end of the index map");
  return map;
}

void Evaluator::statement() {
  const Token start = peek();
  count_step(start);
  Depth depth(*this, start);
  if (start.kind == TokenKind::Newline) {
    take();
  } else if (start.kind == TokenKind::Indent) {
    fail(start, "unexpected indentation");
  } else if (at("import") || at("from")) {
    import();
  } else if (at("for")) {
    for_loop();
  } else if (at("def")) {
    define();
  } else if (at("return")) {
    if (scopes_.size() == 1) fail(start, "'return' outside of a function");
    take();
    returned_ = peek().kind == TokenKind::Newline ? Value{None{}} : expression_list();
    if (peek().kind != TokenKind::Newline) fail(peek(), "expected the end of the line");
    take();
  } else if (at("pass")) {
    take();
    skip_line();
  } else if (start.kind == TokenKind::Name && is_keyword(start.text) && !at("lambda") && !at("True") && !at("False") &&
             !at("None") && !at("not")) {
    unsupported(start, "'" + std::string(start.text) + "'");
  } else if (at("@")) {
    unsupported(start, "a decorator");
  } else {
    assignment_or_expression();
  }
}

void Evaluator::skip_line() {
  while (peek().kind != TokenKind::Newline && peek().kind != TokenKind::End) take();
  if (peek().kind == TokenKind::Newline) take();
}

void Evaluator::import() {
  // import a.b [as c], ...   from a.b import c [as d], ...: the names are bound to what they say.
  bool from = at("from");
  take();
  std::string prefix, path;
  auto dotted = [&] {
    std::string out;
    while (peek().kind == TokenKind::Name && !at("as") && !at("import")) {
      out += std::string(take().text);
      if (!accept(".")) break;
      out += ".";
    }
    return out;
  };
  if (from) {
    prefix = dotted() + ".";
    expect("import");
  }
  bool parenthesis = accept("(");
  do {
    if (parenthesis && at(")")) break;
    const Token name = peek();
    if (name.kind != TokenKind::Name) fail(name, "expected a name to import");
    path = dotted();
    std::string bound = from ? path : path.substr(0, path.find('.'));
    std::string meaning = from ? prefix + path : bound;
    if (accept("as")) {
      bound = std::string(take().text);
      meaning = prefix + path;
    }
    scopes_.back()[bound] = {Name{meaning}};
  } while (accept(","));
  if (parenthesis) expect(")");
  if (peek().kind != TokenKind::Newline) fail(peek(), "expected the end of the line");
  take();
}

void Evaluator::suite() {
  if (peek().kind != TokenKind::Newline) return statement();
  take();
  if (peek().kind != TokenKind::Indent) fail(peek(), "expected an indented block");
  take();
  while (peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) {
    statement();
    if (returned_) return;
  }
  if (peek().kind == TokenKind::Dedent) take();
}

void Evaluator::skip_suite() {
  if (peek().kind != TokenKind::Newline) return skip_line();
  take();
  if (peek().kind != TokenKind::Indent) fail(peek(), "expected an indented block");
  take();
  for (int level = 1; level > 0 && peek().kind != TokenKind::End;) {
    TokenKind kind = take().kind;
    level += kind == TokenKind::Indent ? 1 : kind == TokenKind::Dedent ? -1 : 0;
  }
}

void Evaluator::for_loop() {
  take();
  std::vector<Token> target;
  while (!at("in")) {
    if (peek().kind == TokenKind::Newline || peek().kind == TokenKind::End) fail(peek(), "expected 'in'");
    target.push_back(take());
  }
  take();
  const Token over = peek();
  Value range = expression_list();
  const Sequence* items = range.as<Sequence>();
  if (!items) throw Unsupported(span(over), "a loop over " + describe(range) + " is not read in schedules");
  expect(":");
  const size_t body = at_;
  for (const Value& item : items->items) {
    at_ = body;
    count_step(over);
    assign(target, item);
    suite();
    if (returned_) return;
  }
  at_ = body;
  skip_suite();
  if (at("else")) unsupported(peek(), "'else' of a loop");
}

void Evaluator::define() {
  take();
  const Token name = take();
  if (name.kind != TokenKind::Name || is_keyword(name.text)) fail(name, "expected the name of a function");
  Function f{.name = std::string(name.text), .params = {}, .defaults = {}, .body = 0, .lambda = false, .around = {}};
  expect("(");
  while (!at(")")) {
    const Token param = take();
    if (param.is("*") || param.is("**")) unsupported(param, "a parameter with a star");
    if (param.kind != TokenKind::Name || is_keyword(param.text)) fail(param, "expected a parameter");
    f.params.emplace_back(param.text);
    if (accept(":")) expression();
    f.defaults.push_back(accept("=") ? std::make_shared<Value>(expression()) : nullptr);
    if (!accept(",")) break;
  }
  expect(")");
  if (accept("->")) expression();
  expect(":");
  f.body = at_;
  skip_suite();
  scopes_.back()[f.name] = {f};
}

void Evaluator::assignment_or_expression() {
  // target = target = value: how many `=` stand outside of brackets on this line?
  std::vector<size_t> equals;
  int level = 0;
  for (size_t k = at_; list_.tokens[k].kind != TokenKind::Newline && list_.tokens[k].kind != TokenKind::End; ++k) {
    const Token& t = list_.tokens[k];
    if (t.is("(") || t.is("[") || t.is("{")) ++level;
    if (t.is(")") || t.is("]") || t.is("}")) --level;
    if (level > 0) continue;
    if (t.is("lambda")) break;
    if (t.is("=")) equals.push_back(k);
    if (t.kind == TokenKind::Op && t.text.size() > 1 && t.text.back() == '=' && !t.is("==") && !t.is("!=") &&
        !t.is("<=") && !t.is(">=")) {
      unsupported(t, "'" + std::string(t.text) + "'");
    }
    if (t.is(";")) unsupported(t, "';'");
  }
  std::vector<std::vector<Token>> targets;
  for (size_t end : equals) {
    targets.emplace_back(list_.tokens.begin() + static_cast<std::ptrdiff_t>(at_),
                         list_.tokens.begin() + static_cast<std::ptrdiff_t>(end));
    at_ = end + 1;
  }
  Value value = expression_list();
  if (peek().kind != TokenKind::Newline && peek().kind != TokenKind::End) {
    if (at(":") && targets.empty()) unsupported(peek(), "an annotation");
    fail(peek(), "expected the end of the line");
  }
  take();
  for (const std::vector<Token>& target : targets) assign(target, value);
}

void Evaluator::assign(const std::vector<Token>& target, const Value& value) {
  if (target.empty()) fail(peek(), "expected a name to assign to");
  // Names separated by commas, perhaps in brackets; one of them may carry a star.
  size_t begin = 0, end = target.size();
  bool many = false;
  if ((target[0].is("(") || target[0].is("[")) && (target.back().is(")") || target.back().is("]"))) {
    ++begin, --end, many = true;
  }
  std::vector<std::pair<Token, bool>> names;
  for (size_t k = begin; k < end;) {
    bool star = target[k].is("*");
    k += star;
    if (k >= end || target[k].kind != TokenKind::Name || is_keyword(target[k].text)) {
      throw Unsupported(span(target[std::min(k, target.size() - 1)]), "only names are assigned to in schedules");
    }
    names.emplace_back(target[k++], star);
    if (k < end && !target[k].is(",")) throw Unsupported(span(target[k]), "only names are assigned to in schedules");
    many |= k < end || star;
    k += k < end;
  }
  if (names.empty()) fail(target[0], "expected a name to assign to");
  Scope& scope = scopes_.back();
  if (!many) {
    scope[std::string(names[0].first.text)] = value;
    return;
  }
  const Sequence* items = value.as<Sequence>();
  if (!items) fail(target[0], describe(value) + " cannot be unpacked");
  size_t stars = 0, have = items->items.size();
  for (const auto& [name, star] : names) stars += star;
  if (stars > 1) fail(target[0], "two stars in one assignment");
  if (stars ? have + 1 < names.size() : have != names.size()) {
    fail(target[0], "there are " + std::to_string(have) + " values for " + std::to_string(names.size()) + " names");
  }
  size_t next = 0;
  for (const auto& [name, star] : names) {
    if (star) {
      Sequence rest;
      for (size_t k = have + 1 - names.size(); k > 0; --k) rest.items.push_back(items->items[next++]);
      scope[std::string(name.text)] = {rest};
    } else {
      scope[std::string(name.text)] = items->items[next++];
    }
  }
}

}  // namespace python
}  // namespace hexproof
