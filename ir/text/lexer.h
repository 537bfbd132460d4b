// Tokens of the Python subset that programs and schedules are written in.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/base/diagnostic.h"
#include "ir/dtype.h"

namespace hexproof {

/// Name covers identifiers and keywords (`def`, `for`, `lambda`, `and`, `True`, ...). Newline ends a logical line;
/// Indent and Dedent stand before the first token of a line that is indented more, or less, than the last.
enum class TokenKind : uint8_t { Name, Int, Float, String, Op, Newline, Indent, Dedent, End };

/// A piece of the source text. Operators are the longest match: "//=", "**", "->", ":=", "...", "==", ...
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // points into the source; a string with its quotes and prefix
  int line = 0, column = 0;

  bool is(std::string_view what) const { return (kind == TokenKind::Op || kind == TokenKind::Name) && text == what; }
};

/// The tokens of a file; the last one is End. Keeps the source alive.
struct TokenList {
  std::shared_ptr<const SourceFile> file;
  std::vector<Token> tokens;

  Span span(const Token& token) const;
};

/// Splits a text: comments and blank lines vanish, lines join inside brackets and after a backslash. Error on
/// an unknown character, an open string, unbalanced brackets, an indentation that matches no outer one, more
/// than 100 levels of indentation.
TokenList tokenize(std::shared_ptr<const SourceFile> file);

/// The value of an Int token (decimal, 0x, 0o, 0b, with underscores). Error when it exceeds 64 bits.
Wide int_literal(const TokenList& list, const Token& token);
/// The value of a Float token, rounded to nearest even; infinity when it is too large, as in Python.
double float_literal(const TokenList& list, const Token& token);
/// The text of a String token, with its escapes resolved. Unsupported for f-strings and bytes.
std::string string_literal(const TokenList& list, const Token& token);

/// Is it a keyword of Python?
bool is_keyword(std::string_view text);

/// Checks that a file holds text: valid UTF-8 and no NUL. Error with the place of the first bad byte.
void require_text(const std::shared_ptr<const SourceFile>& file);
/// Reads a whole file of text. Error when it cannot be read, is a directory, is larger than 16 MB, or is not text.
std::shared_ptr<const SourceFile> read_source(const std::string& path);
/// The same of a text that was read; `name` stands in messages.
std::shared_ptr<const SourceFile> source_of(const std::string& name, std::string text);

/// The candidate that is nearest to `name` by edits, when it is near enough to be what was meant; else empty.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace hexproof
