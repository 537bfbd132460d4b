// Literals of the lexer, and reading files of text.
#include <cstdlib>

#include "ir/base/codes.h"
#include "ir/base/input_file.h"
#include "ir/base/utf8.h"
#include "ir/text/lexer.h"

namespace hexproof {

Wide int_literal(const TokenList& list, const Token& token) {
  std::string digits;
  for (char c : token.text) {
    if (c != '_') digits.push_back(c);
  }
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0' && !(digits[1] >= '0' && digits[1] <= '9')) {
    char kind = digits[1] | 0x20;
    base = kind == 'x' ? 16 : kind == 'o' ? 8 : 2;
    digits = digits.substr(2);
  }
  if (digits.empty()) throw CodedError(Code::Text, list.span(token), "this number has no digits");
  Wide value = 0;
  for (char c : digits) {
    int digit = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? (c | 0x20) - 'a' + 10 : 99;
    if (digit >= base)
      throw CodedError(Code::Text, list.span(token), std::string("'") + c + "' is no digit of this number");
    value = value * base + digit;
    if (value > max_value(kUInt64))
      throw CodedError(Code::Text, list.span(token), "this number needs more than 64 bits");
  }
  return value;
}

double float_literal(const TokenList&, const Token& token) {
  std::string digits;
  for (char c : token.text) {
    if (c != '_') digits.push_back(c);
  }
  return std::strtod(digits.c_str(), nullptr);
}

namespace {

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xc0 | code >> 6));
    out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  } else {
    out.push_back(static_cast<char>(0xe0 | code >> 12));
    out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  }
}

uint32_t hex_digits(const TokenList& list, const Token& token, std::string_view body, size_t at, size_t count) {
  if (at + count > body.size()) throw CodedError(Code::Text, list.span(token), "an escape of this string is cut short");
  uint32_t value = 0;
  for (size_t i = at; i < at + count; ++i) {
    char c = body[i];
    int digit = c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
    if (digit < 0) throw CodedError(Code::Text, list.span(token), "an escape of this string is not hexadecimal");
    value = value * 16 + static_cast<uint32_t>(digit);
  }
  if (value >= 0xd800 && value < 0xe000)
    throw CodedError(Code::Text, list.span(token), "an escape of this string is half of a character");
  return value;
}

}  // namespace

std::string string_literal(const TokenList& list, const Token& token) {
  std::string_view text = token.text;
  size_t start = text.find_first_of("\"'");
  bool raw = false;
  for (char c : text.substr(0, start)) {
    char kind = c | 0x20;
    if (kind == 'f') throw Unsupported(list.span(token), "an f-string");
    if (kind == 'b') throw Unsupported(list.span(token), "a bytes literal");
    raw |= kind == 'r';
  }
  size_t quotes = text.substr(start, 3) == std::string(3, text[start]) && text.size() >= start + 6 ? 3 : 1;
  std::string_view body = text.substr(start + quotes, text.size() - start - 2 * quotes);
  if (raw) return std::string(body);
  std::string out;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      out.push_back(body[i]);
      continue;
    }
    char c = body[++i];
    switch (c) {
      case 'n':
        out.push_back('\n');
        break;
      case 't':
        out.push_back('\t');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case '0':
        out.push_back('\0');
        break;
      case '\n':
      case '\r':
        break;
      case 'x':
        append_utf8(out, hex_digits(list, token, body, i + 1, 2)), i += 2;
        break;
      case 'u':
        append_utf8(out, hex_digits(list, token, body, i + 1, 4)), i += 4;
        break;
      case '\\':
      case '"':
      case '\'':
        out.push_back(c);
        break;
      default:
        out.push_back('\\'), out.push_back(c);
        break;
    }
  }
  return out;
}

void require_text(const std::shared_ptr<const SourceFile>& file) {
  const std::string& text = file->text;
  int line = 1;
  size_t line_start = 0;
  auto fail = [&](size_t at, const std::string& what) {
    throw CodedError(Code::CannotRead, Span{file, line, static_cast<int>(at - line_start) + 1, 1},
                     "not a text file: " + what);
  };
  for (size_t i = 0; i < text.size();) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') ++line, line_start = i + 1;
    if (c == 0) fail(i, "a NUL byte");
    const size_t length = utf8_length(text, i);
    if (length == 0) fail(i, "invalid UTF-8");
    i += length;
  }
}

std::shared_ptr<const SourceFile> read_source(const std::string& path) {
  return source_of(path == "-" ? "<stdin>" : path, read_bounded(path));
}

std::shared_ptr<const SourceFile> source_of(const std::string& name, std::string text) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // a mark of editors, which says nothing
  auto file = std::make_shared<const SourceFile>(SourceFile{name, std::move(text)});
  require_text(file);
  return file;
}

}  // namespace hexproof
