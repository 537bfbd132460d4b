// Functions, their parameters, modules, and the entry points of ir/text/text.h.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "ir/link/link.h"
#include "ir/notes/double_buffers.h"
#include "ir/notes/notes.h"
#include "ir/own_lets.h"
#include "ir/text/parse/parser.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "ir/wellformed.h"

namespace hexproof {
namespace text {

std::vector<Expr> Parser::shape_of(const Value& value, const std::string& what) {
  std::vector<Value> items;
  if (const List* list = value.as<List>()) {
    items = list->items;
  } else {
    items.push_back(value);
  }
  std::vector<Expr> out;
  for (const Value& item : items) {
    if (const std::string* name = item.as<std::string>()) {  // a shape variable by its name
      const Binding* known = find(*name);
      Var var = known && known->value.as<Expr>() && (*known->value.as<Expr>())->op == Op::Var
                    ? (*known->value.as<Expr>())->var()
                    : Var::fresh(scalar_name(*name), kInt32);
      if (!known) function_->declared.insert(var), bind(*name, Value{Expr(var), item.span}, item.span);
      out.push_back(var);
      continue;
    }
    Expr e = to_index(item, what);
    if (e->op == Op::IntImm && int_value(e) < 0)
      throw Error(item.span, what + " is negative: " + to_string(int_value(e)));
    out.push_back(std::move(e));
  }
  return out;
}

BufferSpec Parser::buffer_spec(const Call& call, const Span& at, bool has_handle, const std::string& name) {
  std::vector<const char*> names = {"shape", "dtype", "data",          "strides",     "elem_offset",
                                    "scope", "align", "offset_factor", "buffer_type", "axis_separators"};
  if (has_handle) names.insert(names.begin(), "param");
  Arguments a = arguments(call, at, names, has_handle ? 2 : 1);
  if (has_handle) a.erase(a.begin());
  BufferSpec spec;
  spec.shape = shape_of(*a[0], "an extent of a shape");
  if (a[1]) spec.dtype = to_dtype_name(*a[1]);
  if (spec.dtype.is_handle()) throw Unsupported(at, "a buffer of pointers");
  if (a[2]) {
    const Expr* data = a[2]->as<Expr>();
    if (!data || (*data)->op != Op::Var || !(*data)->dtype.is_handle()) {
      throw Error(a[2]->span,
                  "'data' must be a pointer (from T.allocate, or the .data of a buffer), not " + describe(*a[2]));
    }
    spec.options.data = (*data)->var();
    auto memory = function_->memories.find(spec.options.data);
    if (memory == function_->memories.end()) throw Unsupported(a[2]->span, "a view of a pointer parameter");
    spec.options.scope = memory->second.scope;
  }
  if (a[3]) spec.options.strides = shape_of(*a[3], "a stride");
  if (!spec.options.strides.empty() && spec.options.strides.size() != spec.shape.size()) {
    throw Error(a[3]->span, "there are " + std::to_string(spec.options.strides.size()) + " strides for " +
                                std::to_string(spec.shape.size()) + " dimensions");
  }
  if (a[4]) {
    if (a[4]->as<List>()) throw Error(a[4]->span, "an offset is one integer");
    spec.options.elem_offset = shape_of(*a[4], "an offset")[0];
  }
  if (a[5]) {
    std::string scope = scope_name(a[5]);
    if (spec.options.data && scope != spec.options.scope) {
      throw Error(a[5]->span, "the scope is \"" + scope + "\", the memory is in \"" + spec.options.scope + "\"");
    }
    spec.options.scope = scope;
  }
  if (a[6]) to_constant(*a[6], "an alignment");
  if (a[7] && to_constant(*a[7], "an offset factor") != 0 && !a[4] && has_handle) {
    Var offset = Var::fresh(scalar_name(name + "_elem_offset", false), kInt32);
    function_->declared.insert(offset);
    spec.options.elem_offset = offset;
  }
  if (a[8]) {
    const std::string* type = a[8]->as<std::string>();
    if (!type || (!type->empty() && *type != "default"))
      throw Unsupported(a[8]->span, "the buffer type " + describe(*a[8]));
  }
  if (a[9]) {
    const List* list = a[9]->as<List>();
    if (!list) throw Error(a[9]->span, "axis_separators is a list of integers");
    int64_t last = 0;
    for (const Value& item : list->items) {
      int64_t v = to_constant(item, "an axis separator");
      if (v < last || v > static_cast<int64_t>(spec.shape.size())) {
        throw Error(item.span, "axis separators rise, from 0 to the number of dimensions");
      }
      spec.options.axis_separators.push_back(static_cast<int>(last = v));
    }
  }
  return spec;
}

void Parser::match_buffer(const Call& call, const std::string& name, const Span& at) {
  if (call.args->empty() || (*call.args)[0].as<List>() || (*call.args)[0].is_literal()) {
    throw Error(at, "T.match_buffer needs the parameter that it matches", "write T.match_buffer(a, shape, dtype)");
  }
  const Value& source = (*call.args)[0];
  const Expr* e = source.as<Expr>();
  if (source.as<Region>() || cell_of(source)) throw Unsupported(at, "T.match_buffer of a region");
  if (!e || (*e)->op != Op::Var || !function_->open_handles.count((*e)->var())) {
    throw Error(source.span, "T.match_buffer matches a parameter of type T.handle, once");
  }
  BufferSpec spec = buffer_spec(call, at, true, name);
  if (spec.options.data) throw Unsupported(at, "T.match_buffer with data=");
  Var handle = (*e)->var();
  function_->open_handles.erase(handle);
  Buffer buffer = make_buffer(name, spec.dtype, spec.shape, spec.options);
  function_->memories[buffer->data] = {buffer->scope, buffer->dtype.element()};
  for (Param& param : function_->func.params) {
    if (param.var == handle) param.buffer = buffer;
  }
  scopes_[0][name] = Binding{Value{buffer, at}, at};
  bind(name, Value{buffer, at}, at);
}

Annotation Parser::annotation(const Value& value) {
  std::function<Expr(const Value&)> to_node = [&](const Value& v) -> Expr {
    if (const List* list = v.as<List>()) {
      std::vector<Expr> items;
      for (const Value& item : list->items) items.push_back(to_node(item));
      return hexproof::call(kHandle, "list", std::move(items));
    }
    if (const Dict* dict = v.as<Dict>()) {
      std::vector<Expr> items;
      for (size_t i = 0; i < dict->keys.size(); ++i) {
        items.push_back(to_node(dict->keys[i])), items.push_back(to_node(dict->values[i]));
      }
      return hexproof::call(kHandle, "dict", std::move(items));
    }
    if (v.as<None>()) return hexproof::call(kHandle, "None", {});
    if (const hexproof::text::Call* call = v.as<hexproof::text::Call>()) {
      if (call->name != "T.target" || !call->keywords->empty())
        throw Unsupported(v.span, "'" + call->name + "' in an attribute");
      std::vector<Expr> items;
      for (const Value& item : *call->args) items.push_back(to_node(item));
      return hexproof::call(kHandle, "T.target", std::move(items));
    }
    return to_expr(v);
  };
  if (const std::string* text = value.as<std::string>()) return *text;
  return to_node(value);
}

void Parser::demand_note(const std::string& key, const Span& at) {
  if (note_kind(key) != NoteKind::Changes) return;
  throw Unsupported(
      at, "\"" + key + "\", which changes what the program does",
      "a note may be left out and nothing changes; copies are made where they stand, and loops run in order");
}

Annotations Parser::annotations(const Value& value) {
  const Dict* dict = value.as<Dict>();
  if (!dict) throw Error(value.span, "annotations are a dict, not " + describe(value));
  Annotations out;
  for (size_t i = 0; i < dict->keys.size(); ++i) {
    const std::string* key = dict->keys[i].as<std::string>();
    if (!key) throw Error(dict->keys[i].span, "the key of an annotation is a string");
    if (*key != kDoubleBuffer) demand_note(*key, dict->keys[i].span);
    Annotation note = annotation(dict->values[i]);
    if (const Expr* e = std::get_if<Expr>(&note); e && *e && !free_vars(*e).empty()) {
      throw Unsupported(dict->values[i].span, "a note that speaks of a variable",
                        "steps move what it stands on, out of the scope of the variable");
    }
    if (!out.emplace(*key, std::move(note)).second) {
      throw Error(dict->keys[i].span, "the annotation \"" + *key + "\" is given twice");
    }
  }
  return out;
}

void Parser::parameter(FunctionState& state) {
  Span place = span();
  std::string name = identifier("a parameter");
  if (scopes_.back().count(name)) throw Error(place, "two parameters are named '" + name + "'");
  if (!at(":"))
    throw Error(place, "the parameter '" + name + "' has no type", "write " + name + ": T.Buffer((16,), \"float32\")");
  next();
  Value type = expression();
  if (const hexproof::text::Call* call = type.as<hexproof::text::Call>()) {
    if (call->name == "T.Buffer") {
      BufferSpec spec = buffer_spec(*call, type.span, false, name);
      if (spec.options.data) throw Error(type.span, "a parameter's memory is its own");
      Buffer buffer = make_buffer(name, spec.dtype, spec.shape, spec.options);
      state.memories[buffer->data] = {buffer->scope, buffer->dtype.element()};
      state.func.params.push_back({Var::fresh(name + "_handle", kHandle), buffer});
      return bind(name, Value{buffer, place}, place);
    }
    bool scalar = call->name.starts_with("T.") && parse_dtype(call->name.substr(2)) && call->args->empty();
    if (call->name == "T.handle" || call->name == "T.ptr") {
      type = Value{TypeName{kHandle}, type.span};
    } else if (scalar) {
      type = Value{TypeName{*parse_dtype(call->name.substr(2))}, type.span};
    }
  }
  if (!type.as<TypeName>() && !type.as<std::string>()) {
    throw Error(type.span, describe(type) + " is no type of a parameter",
                "a parameter is a T.Buffer(...), a T.handle or a scalar such as T.int32");
  }
  DType dtype = to_dtype_name(type);
  if (!dtype.is_scalar()) throw Unsupported(type.span, "a parameter of type " + dtype.str());
  Var var = Var::fresh(scalar_name(name), dtype);
  if (dtype.is_handle()) state.open_handles.emplace(var, name);
  state.func.params.push_back({var, {}});
  bind(name, Value{Expr(var), place}, place);
}

std::string Parser::scalar_name(const std::string& name, bool written) {
  // Its own name if it may, else one that stands nowhere in the text, strings included: an attribute may name the
  // others.
  const std::string base = text::identifier(name);
  auto is_free = [&](const std::string& other) {
    return std::none_of(list_.tokens.begin(), list_.tokens.end(),
                        [&](const Token& t) { return t.text.find(other) != std::string::npos; });
  };
  std::string out = base;
  for (int k = 1; !((out == name && written) || is_free(out)) || !function_->names.insert(out).second; ++k)
    out = base + "_" + std::to_string(k);
  return out;
}

namespace {

/// An expression that names its parts again and again (T.meta_var) is as large as its text would be, and so is the work
/// of whoever reads it.
void demand_written_size(const PrimFunc& func) {
  constexpr uint64_t kMost = 200'000;  // operations of one expression
  std::unordered_map<const ExprNode*, uint64_t> sizes;
  std::function<uint64_t(const Expr&)> size = [&](const Expr& e) {
    if (!e) return uint64_t{0};
    if (auto it = sizes.find(e.get()); it != sizes.end()) return it->second;
    uint64_t out = 1;
    for (const Expr& arg : e->args) out = std::min(kMost + 1, out + size(arg));
    return sizes[e.get()] = out;
  };
  auto demand = [&](const std::vector<Expr>& list, const Span& span) {
    for (const Expr& e : list) {
      if (size(e) > kMost) throw Error(span, "this expression has more than " + std::to_string(kMost) + " operations");
    }
  };
  for (const Buffer& b : func.buffer_params()) demand(layout_exprs(b), func.span);
  visit_stmt(func.body, [&](const Stmt& s) {
    demand(expressions(s), s->span);
    const Buffer declared = s.as<AllocBuffer>()  ? s.as<AllocBuffer>()->buffer
                            : s.as<DeclBuffer>() ? s.as<DeclBuffer>()->buffer
                                                 : Buffer{};
    if (declared) demand(layout_exprs(declared), s->span);
    return true;
  });
}

}  // namespace

PrimFunc Parser::function() {
  expect("def", "to start a function");
  FunctionState state;
  function_ = &state;
  state.func.span = span();
  state.func.name = identifier("the name of the function");
  scopes_.clear();
  unsure_.clear();
  const size_t errors = errors_.size();
  Scope scope(*this);
  expect("(", "after the name of the function");
  while (!at(")")) {
    parameter(state);
    if (!accept(",") && !at(")")) unexpected("',' or ')'");
  }
  next();
  if (accept("->")) {
    Value result = expression();
    if (!result.as<None>()) throw Unsupported(result.span, "a function that returns a value");
  }
  state.func.body = suite(nullptr);
  if (errors_.size() > errors) throw Follows();
  if (!state.open_handles.empty()) {
    throw Unsupported(state.func.span,
                      "the pointer '" + state.open_handles.begin()->second + "', which no T.match_buffer takes");
  }
  function_ = nullptr;
  demand_written_size(state.func);
  // (The reader copies: extents into domains, the start of a slice into its extent, an index that is added to.)
  state.func.body = with_lets_of_their_own(state.func.body);
  if (auto defect = find_defect(state.func)) {
    throw CodedError(Code::IllFormed, defect->span ? defect->span : state.func.span, defect->message);
  }
  demand_modelled_notes(state.func);
  return std::move(state.func);
}

void Parser::skip_imports_and_docstrings() {
  while (true) {
    if (at("import") || at("from")) {
      while (peek().kind != TokenKind::Newline && peek().kind != TokenKind::End) next();
    } else if (peek().kind == TokenKind::String) {
      next();
    } else if (peek().kind != TokenKind::Newline) {
      return;
    }
    if (peek().kind == TokenKind::Newline) next();
  }
}

/// Reads decorators; true when the last one says ir_module.
bool Parser::decorators() {
  bool is_module = false;
  while (accept("@")) {
    Span place = span();
    std::string last = identifier("a decorator"), path = last;
    while (accept(".")) path += "." + (last = identifier("a decorator"));
    if (last != "prim_func" && last != "ir_module") throw Unsupported(place, "the decorator '@" + path + "'");
    is_module = last == "ir_module";
    if (at("(")) call(path, place);
    if (peek().kind != TokenKind::Newline) unexpected("the end of the line");
    next();
    skip_imports_and_docstrings();
  }
  return is_module;
}

IRModule Parser::read_module() {
  IRModule out;
  std::set<std::string> names;
  auto take = [&] {
    told([&] {
      PrimFunc func = function();
      if (!names.insert(func.name).second) throw Error(func.span, "there is a function '" + func.name + "' already");
      out.functions.push_back(std::move(func));
    });
  };
  bool classes = false;
  while (true) {
    skip_imports_and_docstrings();
    if (peek().kind == TokenKind::End) break;
    if (peek().kind == TokenKind::Indent) throw Error(span(), "this line is indented and belongs to nothing");
    bool is_module = decorators();
    if (!is_module && !at("class")) {
      if (!at("def")) unexpected("a function or a module");
      take();
      continue;
    }
    Span place = span();
    expect("class", "after the decorator of a module");
    if (classes) throw Unsupported(place, "two modules in one file");
    classes = true;
    out.name = module_name_ = identifier("the name of the module");
    if (accept("(")) expect(")", "after the name of the module");
    expect(":", "after the name of the module");
    if (peek().kind != TokenKind::Newline) unexpected("the end of the line");
    next();
    if (peek().kind != TokenKind::Indent) unexpected("an indented function");
    next();
    while (peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) {
      skip_imports_and_docstrings();
      if (peek().kind == TokenKind::Dedent || peek().kind == TokenKind::End) break;
      if (accept("pass")) {
        end_of_statement();
        continue;
      }
      if (decorators()) throw Error(span(), "a module inside of a module");
      if (!at("def")) unexpected("a function");
      take();
    }
    if (peek().kind == TokenKind::Dedent) next();
    module_name_.clear();
  }
  if (out.functions.empty() && errors_.empty()) throw Error(span(), "there is no function in this file");
  return out;
}

}  // namespace text

IRModule parse_module(std::shared_ptr<const SourceFile> file) {
  require_text(file);
  return text::Parser(tokenize(std::move(file))).module();
}

IRModule parse_module(const std::string& source, const std::string& path) {
  return parse_module(std::make_shared<const SourceFile>(SourceFile{path, source}));
}

IRModule parse_file(const std::string& path) { return parse_module(read_source(path)); }

const PrimFunc& pick_function(const IRModule& module, const std::string& name) {
  if (name.empty()) return *find_function(module, entry_of(module));
  std::vector<std::string> names;
  for (const PrimFunc& func : module.functions) {
    if (func.name == name) return func;
    names.push_back(func.name);
  }
  std::string near = nearest_name(name, names);
  throw Error("the module has no function '" + name + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace hexproof
