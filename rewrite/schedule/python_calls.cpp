// Calls: primitives, range, and functions of the schedule itself.
#include <algorithm>
#include <functional>

#include "rewrite/schedule/python.h"

namespace hexproof::python {

namespace {

/// The arguments of range, len and functions, by their names.
std::map<std::string, const Arguments::One*> by_name(const std::string& callee, const Arguments& args, const Span& span,
                                                     const std::vector<std::string>& names, size_t required) {
  std::map<std::string, const Arguments::One*> given;
  size_t next = 0;
  for (const Arguments::One& one : args.list) {
    if (one.keyword.empty() && next == names.size()) {
      throw Error(one.span,
                  callee + " takes " + std::to_string(names.size()) + (names.size() == 1 ? " argument" : " arguments"));
    }
    const std::string& name = one.keyword.empty() ? names[next++] : one.keyword;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string hint = nearest_name(name, names);
      throw Error(one.span, callee + " has no argument '" + name + "'",
                  hint.empty() ? "" : "did you mean '" + hint + "'?");
    }
    if (!given.emplace(name, &one).second) throw Error(one.span, "the argument '" + name + "' is given twice");
  }
  for (size_t k = 0; k < required; ++k) {
    if (!given.count(names[k])) throw Error(span, callee + " lacks its argument '" + names[k] + "'");
  }
  return given;
}

template <class T>
const T& as(const Arguments::One& one, const char* what) {
  const T* value = one.value.as<T>();
  if (!value) throw Error(one.span, "expected " + std::string(what) + ", not " + describe(one.value));
  return *value;
}

Value from_call(const calls::Value& value) {
  struct From {
    Value operator()(const calls::None&) const { return {None{}}; }
    Value operator()(const calls::Sequence& s) const {
      Sequence out{.items = {}, .tuple = s.tuple};
      for (const calls::Value& item : s.items) out.items.push_back(from_call(item));
      return {out};
    }
    Value operator()(const calls::AxisSeparator&) const { return {AxisSeparator{}}; }
    Value operator()(const calls::Undefined& u) const { return {Undefined{u.dtype}}; }
    Value operator()(const calls::TransformedBuffer& b) const { return {TransformedBuffer{b.name, b.dtype, b.ndim}}; }
    Value operator()(const calls::Name& n) const { return {Name{n.path}}; }
    Value operator()(const calls::Foreign& f) const { return {Name{f.what}}; }
    Value operator()(const std::shared_ptr<const calls::Callable>&) const { return {None{}}; }
    Value operator()(bool b) const { return {b}; }
    Value operator()(int64_t k) const { return {k}; }
    Value operator()(double x) const { return {x}; }
    Value operator()(const std::string& s) const { return {s}; }
    Value operator()(const Expr& e) const { return {e}; }
    Value operator()(const BlockRef& b) const { return {b}; }
    Value operator()(const LoopRef& l) const { return {l}; }
  };
  return std::visit(From{}, value.v);
}

}  // namespace

calls::Value Evaluator::to_call(const Value& value, const Span& place) {
  if (value.as<None>()) return {calls::None{}};
  if (const bool* b = value.as<bool>()) return {*b};
  if (const int64_t* k = value.as<int64_t>()) return {*k};
  if (const double* x = value.as<double>()) return {*x};
  if (const std::string* s = value.as<std::string>()) return {*s};
  if (const Expr* e = value.as<Expr>()) return {*e};
  if (const BlockRef* b = value.as<BlockRef>()) return {*b};
  if (const LoopRef* l = value.as<LoopRef>()) return {*l};
  if (value.as<AxisSeparator>()) return {calls::AxisSeparator{}};
  if (const Undefined* u = value.as<Undefined>()) return {calls::Undefined{u->dtype}};
  if (const TransformedBuffer* b = value.as<TransformedBuffer>()) {
    return {calls::TransformedBuffer{b->name, b->dtype, b->ndim}};
  }
  if (const Name* n = value.as<Name>()) return {calls::Name{n->path}};
  if (const Sequence* s = value.as<Sequence>()) {
    calls::Sequence out{.items = {}, .tuple = s->tuple};
    for (const Value& item : s->items) out.items.push_back(to_call(item, place));
    return {out};
  }
  const Function* f = value.as<Function>();
  if (!f) return {calls::Foreign{describe(value)}};
  calls::Callable out{.name = f->name, .params = f->params, .call = {}};
  if (f->lambda) out.body = written_body(*f);
  out.call = [this, function = *f, place](const std::vector<calls::Value>& values,
                                          const std::map<std::string, calls::Value>& names) {
    Arguments args;
    for (const calls::Value& one : values) args.list.push_back({"", from_call(one), place});
    const Scope globals = scopes_.front();
    for (const auto& [name, meaning] : names) scopes_.front()[name] = from_call(meaning);
    Value result = call_function(function, args, place);
    for (const auto& [name, meaning] : names) {
      auto before = globals.find(name);
      before == globals.end() ? void(scopes_.front().erase(name)) : void(scopes_.front()[name] = before->second);
    }
    return to_call(result, place);
  };
  return {std::make_shared<const calls::Callable>(std::move(out))};
}

Value Evaluator::call(const Value& callee, const Token& start, const Token& where) {
  Depth depth(*this, where);
  count_step(where);
  if (const Name* name = callee.as<Name>()) {
    if (name->path == "range" || name->path == "len") {
      Arguments args = call_arguments();
      if (name->path == "len") {
        auto given = by_name("len", args, span(start), {"value"}, 1);
        return {static_cast<int64_t>(as<Sequence>(*given.at("value"), "a list").items.size())};
      }
      std::vector<int64_t> ends;
      for (const Arguments::One& one : args.list) {
        if (!one.keyword.empty()) throw Error(one.span, "range takes no keywords");
        ends.push_back(as<int64_t>(one, "an integer"));
      }
      if (ends.empty() || ends.size() > 3) fail(start, "range takes one to three integers");
      int64_t first = ends.size() > 1 ? ends[0] : 0, last = ends.size() > 1 ? ends[1] : ends[0];
      int64_t step = ends.size() > 2 ? ends[2] : 1;
      if (step == 0) fail(start, "the step of a range is zero");
      Sequence out;
      for (Wide k = first; step > 0 ? k < last : k > last; k += step) {
        if (out.items.size() >= 10000) fail(start, "the range has more than 10000 items");
        out.items.push_back({static_cast<int64_t>(k)});
      }
      return {out};
    }
    bool makes_schedule = name->path == "Schedule" || (name->path.size() > 9 && name->path.ends_with(".Schedule"));
    if (makes_schedule || name->path.starts_with("sch.")) {
      skip_brackets();
      return makes_schedule ? Value{ScheduleObject{}} : callee;
    }
    if (makes_constant(name->path)) {
      Arguments args = call_arguments();
      if (std::optional<Value> value = constant_call(name->path, args, span(start))) return *value;
    }
    if (name->path.find("transform.") != std::string::npos) {
      std::string pass = name->path.substr(name->path.rfind('.') + 1);
      if (pass_by_name(pass)) {
        if (!call_arguments().list.empty()) throw Unsupported(span(start), "arguments of the pass '" + pass + "'");
        return {PassObject{pass}};
      }
    }
    throw Unsupported(span(start), "'" + name->path + "(...)' is not read in schedules");
  }
  Arguments args = call_arguments();
  if (const Function* f = callee.as<Function>()) return call_function(*f, args, span(start));
  const Method* method = callee.as<Method>();
  const PassObject* pass = callee.as<PassObject>();
  if (!method && !pass) fail(where, describe(callee) + " cannot be called");

  // The call as written, in one line.
  const Token& last = list_.tokens[at_ - 1];
  std::string text;
  for (const char* c = start.text.data(); c < last.text.data() + last.text.size(); ++c) {
    bool space = *c == ' ' || *c == '\n' || *c == '\t' || *c == '\r';
    if (!space || (!text.empty() && text.back() != ' ')) text += space ? ' ' : *c;
  }
  Span place = span(start);
  if (pass) {
    if (args.list.size() != 1) fail(where, "a pass is called with the module: sch.mod");
    calls::Value named{pass->name};
    calls::call_primitive({schedule_, module_}, "apply_pass", {{"", named, place}}, text, place);
    return {Name{"sch.mod"}};
  }
  std::vector<calls::Argument> given;
  for (const Arguments::One& one : args.list) given.push_back({one.keyword, to_call(one.value, one.span), one.span});
  return from_call(calls::call_primitive({schedule_, module_}, method->name, given, text, place));
}

Value Evaluator::call_function(const Function& f, const Arguments& args, const Span& place) {
  size_t required = 0;
  while (required < f.params.size() && !f.defaults[required]) ++required;
  auto given = by_name(f.lambda ? "the lambda" : f.name, args, place, f.params, required);
  Scope scope = f.around ? *f.around : Scope{};
  for (size_t k = 0; k < f.params.size(); ++k) {
    auto one = given.find(f.params[k]);
    scope[f.params[k]] = one != given.end() ? one->second->value : f.defaults[k] ? *f.defaults[k] : Value{None{}};
  }
  size_t back = at_;
  scopes_.push_back(std::move(scope));
  at_ = f.body;
  Value result{None{}};
  if (f.lambda) {
    result = expression();
  } else {
    suite();
    if (returned_) result = std::move(*returned_);
    returned_.reset();
  }
  scopes_.pop_back();
  at_ = back;
  return result;
}

IndexMap Evaluator::index_map(const Value& value, const Span& place) {
  return calls::index_map(to_call(value, place), place, std::nullopt);
}

std::string Evaluator::written_body(const Function& f) const {
  int level = 0;
  size_t end = f.body;
  for (; end < list_.tokens.size(); ++end) {
    const Token& t = list_.tokens[end];
    if (t.kind == TokenKind::End || t.kind == TokenKind::Newline) break;
    if (level == 0 && (t.is(",") || t.is(")") || t.is("]") || t.is("}"))) break;
    if (t.is("(") || t.is("[") || t.is("{")) ++level;
    if (t.is(")") || t.is("]") || t.is("}")) --level;
  }
  const Token &first = list_.tokens[f.body], &last = list_.tokens[end - 1];
  std::string text(first.text.data(), last.text.data() + last.text.size());
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace hexproof::python
