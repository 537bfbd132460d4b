// Calls as statements, and what is wrong with them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/link/link.h"
#include "ir/text/lexer.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {

std::optional<FunctionCall> function_call(const Stmt& stmt) {
  const Evaluate* e = stmt.as<Evaluate>();
  bool is_call = e && e->value->op == Op::Call && e->value->dtype.is_handle() && e->value->text().starts_with('@');
  if (!is_call) return std::nullopt;
  return FunctionCall{e->value->text().substr(1), e->value->args};
}

Stmt make_function_call(const FunctionCall& call, Span span) {
  return make_stmt(Evaluate{hexproof::call(kHandle, "@" + call.callee, call.args)}, std::move(span));
}

namespace {

/// Every call with its place, in order.
std::vector<std::pair<FunctionCall, Span>> calls_of(const PrimFunc& func) {
  std::vector<std::pair<FunctionCall, Span>> out;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (std::optional<FunctionCall> call = function_call(s)) out.emplace_back(*call, s->span);
    return true;
  });
  return out;
}

/// Of calls inside of calls: what is put in for them nests as deep, and is walked by functions that call themselves.
constexpr size_t kMaxNestedCalls = 64;

/// How deep calls nest from `name` on. Throws when one leads back to it, or they nest too deep. `done`: what is known.
size_t demand_no_recursion(const IRModule& module, const std::string& name, std::vector<std::string>* way,
                           std::map<std::string, size_t>* done) {
  if (auto known = done->find(name); known != done->end()) return known->second;
  size_t deepest = 0;
  way->push_back(name);
  for (const auto& [call, at] : calls_of(*find_function(module, name))) {
    auto back = std::find(way->begin(), way->end(), call.callee);
    if (back != way->end()) {
      std::string chain;
      for (auto it = back; it != way->end(); ++it) chain += *it + " -> ";
      throw Error(at, "a function may not call itself: " + chain + call.callee);
    }
    if (way->size() <= kMaxNestedCalls)
      deepest = std::max(deepest, 1 + demand_no_recursion(module, call.callee, way, done));
    if (way->size() > kMaxNestedCalls || deepest > kMaxNestedCalls)
      throw Unsupported(at, fmt::format("more than {} calls inside of each other", kMaxNestedCalls));
  }
  way->pop_back();
  return done->emplace(name, deepest).first->second;
}

/// The argument as the parameter takes it.
Expr argument(const PrimFunc& caller, const PrimFunc& callee, size_t k, const Expr& given, const Span& at) {
  const Param& param = callee.params[k];
  const std::string& name = param.buffer ? param.buffer->name : param.var.name();
  std::string which = fmt::format("argument {} of '{}', '{}',", k + 1, callee.name, name);
  if (param.buffer) {
    if (!given->dtype.is_handle()) {
      throw Error(at, which + " is a buffer, not an expression of type " + given->dtype.str(), "pass its .data");
    }
    if (given->op != Op::Var || !owned_buffer(caller, given->var())) {
      throw Unsupported(at, which + " must be a buffer that '" + caller.name + "' has as parameter or allocates");
    }
    return given;
  }
  DType want = param.var.dtype();
  if (given->dtype.is_handle()) throw Error(at, which + " is a scalar of type " + want.str() + ", not a buffer");
  if (given->dtype == want) return given;
  if (given->op == Op::IntImm && want.is_integer() && fits_type(want, int_value(given))) {
    return imm(want, int_value(given));
  }
  if (given->op == Op::IntImm && want.is_float()) return fimm(want, static_cast<double>(int_value(given)));
  if (given->op == Op::FloatImm && want.is_float()) return fimm(want, given->float_value());
  throw Error(at, which + " is of type " + want.str() + ", not " + given->dtype.str());
}

FunctionCall resolved(const IRModule& module, const PrimFunc& caller, const FunctionCall& call, const Span& at) {
  const PrimFunc* callee = find_function(module, call.callee);
  if (!callee) {
    std::vector<std::string> names;
    for (const PrimFunc& f : module.functions) names.push_back(f.name);
    std::string near = nearest_name(call.callee, names);
    throw Error(at, "the module has no function '" + call.callee + "'",
                near.empty() ? "" : "did you mean '" + near + "'?");
  }
  if (call.args.size() != callee->params.size()) {
    throw Error(at, fmt::format("'{}' takes {} argument{}, not {}", callee->name, callee->params.size(),
                                callee->params.size() == 1 ? "" : "s", call.args.size()));
  }
  FunctionCall out{call.callee, {}};
  for (size_t k = 0; k < call.args.size(); ++k) out.args.push_back(argument(caller, *callee, k, call.args[k], at));
  return out;
}

}  // namespace

bool has_calls(const PrimFunc& func) { return !calls_of(func).empty(); }

bool has_calls(const IRModule& module) {
  return std::any_of(module.functions.begin(), module.functions.end(),
                     [](const PrimFunc& func) { return has_calls(func); });
}

void demand_no_calls(const PrimFunc& func) {
  for (const auto& [call, at] : calls_of(func)) {
    throw Unsupported(at, "the call of '" + call.callee + "' in a function that is looked at alone",
                      "the module must be linked first");
  }
}

const PrimFunc* find_function(const IRModule& module, const std::string& name) {
  for (const PrimFunc& func : module.functions) {
    if (func.name == name) return &func;
  }
  return nullptr;
}

Buffer owned_buffer(const PrimFunc& func, const Var& data) {
  for (const Buffer& b : func.buffer_params()) {
    if (b->data == data) return b;
  }
  Buffer found;
  visit_stmt(func.body, [&](const Stmt& s) {
    const AllocBuffer* alloc = s.as<AllocBuffer>();
    if (alloc && alloc->buffer->data == data) found = alloc->buffer;
    return !found;
  });
  return found;
}

std::vector<std::string> entries(const IRModule& module) {
  std::set<std::string> called;
  for (const PrimFunc& func : module.functions) {
    for (const auto& [call, at] : calls_of(func)) called.insert(call.callee);
  }
  std::vector<std::string> out;
  for (const PrimFunc& func : module.functions) {
    if (!called.count(func.name)) out.push_back(func.name);
  }
  return out;
}

std::string entry_of(const IRModule& module) {
  if (module.functions.size() == 1) return module.functions[0].name;
  std::vector<std::string> roots = entries(module);
  if (has_calls(module)) {
    if (find_function(module, "main")) return "main";
    if (roots.size() == 1) return roots[0];
  }
  std::string names;
  for (const PrimFunc& func : module.functions) names += (names.empty() ? "" : ", ") + func.name;
  throw Error("the module has several functions, name one of them: " + names);
}

void resolve_calls(IRModule* module) {
  if (!has_calls(*module)) return;
  for (PrimFunc& func : module->functions) {
    const PrimFunc caller = func;
    func.body = rewrite_stmt(func.body, {}, [&](const Stmt& s) {
      std::optional<FunctionCall> call = function_call(s);
      return call ? make_function_call(resolved(*module, caller, *call, s->span), s->span) : s;
    });
  }
  std::map<std::string, size_t> done;
  for (const PrimFunc& func : module->functions) {
    std::vector<std::string> way;
    demand_no_recursion(*module, func.name, &way, &done);
  }
}

}  // namespace hexproof
