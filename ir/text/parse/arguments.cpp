// Calls as they are written, and their arguments by the names that the callee knows.
#include <algorithm>

#include "ir/text/parse/parser.h"

namespace hexproof::text {

Value Parser::call(const std::string& name, const Span& start) {
  expect("(", "before the arguments");
  std::vector<Value> args;
  std::vector<Keyword> keywords;
  while (!at(")")) {
    if (at("*") || at("**")) throw Unsupported(span(), "an unpacked argument");
    if (peek().kind == TokenKind::Name && peek(1).is("=")) {
      std::string key = identifier("a keyword");
      Span place = span();
      next();
      for (const Keyword& other : keywords) {
        if (other.name == key) throw Error(place, "the argument '" + key + "' is given twice");
      }
      keywords.push_back({key, expression()});
    } else {
      if (!keywords.empty()) throw Error(span(), "a positional argument follows a keyword argument");
      args.push_back(expression());
      if (at("for")) throw Unsupported(span(), "a comprehension");
    }
    if (!accept(",") && !at(")")) unexpected("',' or ')'");
  }
  next();
  return Value{Call{name, std::make_shared<const std::vector<Value>>(std::move(args)),
                    std::make_shared<const std::vector<Keyword>>(std::move(keywords))},
               start};
}

Arguments arguments(const Call& call, const Span& span, const std::vector<const char*>& names, size_t required) {
  Arguments out(names.size(), nullptr);
  if (call.args->size() > names.size()) {
    throw CodedError(Code::Arguments, span,
                     call.name + " takes at most " + std::to_string(names.size()) + " arguments, not " +
                         std::to_string(call.args->size()));
  }
  for (size_t i = 0; i < call.args->size(); ++i) out[i] = &(*call.args)[i];
  for (const Keyword& keyword : *call.keywords) {
    auto it = std::find(names.begin(), names.end(), keyword.name);
    if (it == names.end()) {
      std::vector<std::string> known(names.begin(), names.end());
      std::string near = nearest_name(keyword.name, known);
      throw CodedError(Code::Arguments, keyword.value.span, call.name + " has no argument '" + keyword.name + "'",
                       near.empty() ? "" : "did you mean '" + near + "'?");
    }
    const Value*& slot = out[static_cast<size_t>(it - names.begin())];
    if (slot)
      throw CodedError(Code::Arguments, keyword.value.span, "the argument '" + keyword.name + "' is given twice");
    slot = &keyword.value;
  }
  for (size_t i = 0; i < required; ++i) {
    if (!out[i]) throw CodedError(Code::Arguments, span, call.name + " needs the argument '" + names[i] + "'");
  }
  for (const Value*& value : out) {
    if (value && value->as<None>()) value = nullptr;
  }
  return out;
}

}  // namespace hexproof::text
