// Module.function(A.data, n): the calls between the functions of a module. Whether the function is there and takes
// these arguments is seen when the whole module is read (resolve_calls in ir/link/link.h).
#include "ir/link/link.h"
#include "ir/text/parse/parser.h"

namespace hexproof::text {
namespace {
/// In front of the callee's name: no call of a builtin begins so.
constexpr char kMark = '@';
}  // namespace

bool Parser::names_module(const std::string& name) const {
  return !module_name_.empty() && (name == module_name_ || name == "cls") && at(".");
}

Value Parser::module_call(const Span& start) {
  expect(".", "after the name of the module");
  std::string callee = identifier("the name of a function of the module");
  if (!at("(")) unexpected("'(' after the name of the function");
  return call(kMark + callee, start);
}

std::optional<std::string> Parser::callee_of(const Call& call) {
  if (call.name.empty() || call.name[0] != kMark) return std::nullopt;
  return call.name.substr(1);
}

void Parser::call_statement(const Call& call, const std::string& callee, const Span& at) {
  if (!call.keywords->empty()) {
    throw Unsupported(call.keywords->front().value.span, "a keyword argument of a call of '" + callee + "'");
  }
  FunctionCall out{callee, {}};
  for (const Value& value : *call.args) {
    if (const Buffer* buffer = value.as<Buffer>()) {
      if (function_->views.count(*buffer)) {
        throw Unsupported(value.span, "the view '" + (*buffer)->name + "' as an argument of '" + callee + "'",
                          "pass the buffer that has the memory, and declare the view in '" + callee + "'");
      }
      out.args.push_back((*buffer)->data);
      continue;
    }
    if (value.as<std::string>() || value.as<WeakUndef>()) {
      throw Error(value.span, "an argument of '" + callee + "' is a buffer or a scalar, not " + describe(value));
    }
    Expr e = to_expr(value);
    if (!e->dtype.is_scalar()) throw Unsupported(value.span, "a vector as an argument of '" + callee + "'");
    out.args.push_back(std::move(e));
  }
  add(make_function_call(out, at));
}

}  // namespace hexproof::text
