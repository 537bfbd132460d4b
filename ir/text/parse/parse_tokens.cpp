// The tokens that a statement is read from, and the names that it may use.
#include <algorithm>

#include "ir/text/parse/parser.h"

namespace hexproof::text {

const Token& Parser::peek(size_t ahead) const { return list_.tokens[std::min(pos_ + ahead, list_.tokens.size() - 1)]; }

const Token& Parser::next() {
  const Token& token = peek();
  if (pos_ + 1 < list_.tokens.size()) ++pos_;
  return token;
}

bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  next();
  return true;
}

void Parser::unexpected(const std::string& wanted) {
  const Token& token = peek();
  std::string found;
  std::string hint;
  switch (token.kind) {
    case TokenKind::End:
      found = "the end of the file";
      break;
    case TokenKind::Newline:
      found = "the end of the line";
      break;
    case TokenKind::Indent:
      found = "an indented line";
      hint = "this line is indented more than the one before";
      break;
    case TokenKind::Dedent:
      found = "the end of the indented lines";
      break;
    case TokenKind::Name:
    case TokenKind::Int:
    case TokenKind::Float:
    case TokenKind::String:
    case TokenKind::Op:
      found = "'" + std::string(token.text.substr(0, 40)) + "'";
      if (token.text == "=") hint = "to compare, write ==";
      break;
  }
  throw CodedError(Code::Syntax, span(), wanted + " is expected here, not " + found, hint);
}

void Parser::expect(std::string_view text, const std::string& where) {
  if (!accept(text)) unexpected("'" + std::string(text) + "' " + where);
}

std::string Parser::identifier(const std::string& what) {
  if (peek().kind != TokenKind::Name || is_keyword(peek().text)) unexpected(what);
  return std::string(next().text);
}

void Parser::end_of_statement() {
  if (accept(";")) {
    if (peek().kind == TokenKind::Newline) next();
    return;
  }
  if (peek().kind == TokenKind::End) return;
  if (peek().kind != TokenKind::Newline) unexpected("the end of the statement");
  next();
}

const Parser::Binding* Parser::find(const std::string& name) const {
  for (size_t i = scopes_.size(); i-- > 0;) {
    if (auto it = scopes_[i].find(name); it != scopes_[i].end()) return &it->second;
  }
  return nullptr;
}

void Parser::bind(const std::string& name, Value value, const Span& at, bool is_let) {
  scopes_.back()[name] = Binding{std::move(value), at, is_let};
}

void Parser::unknown_name(const std::string& name, const Span& at) {
  if (unsure_.count(name)) throw Follows();
  std::vector<std::string> names;
  for (const auto& scope : scopes_) {
    for (const auto& entry : scope) names.push_back(entry.first);
  }
  std::string near = nearest_name(name, names);
  throw CodedError(Code::UnknownName, at, "the name '" + name + "' is not defined here",
                   near.empty() ? "" : "did you mean '" + near + "'?");
}

}  // namespace hexproof::text
