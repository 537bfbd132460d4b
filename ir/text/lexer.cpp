#include "ir/text/lexer.h"

#include <algorithm>
#include <array>

#include "ir/base/codes.h"

namespace hexproof {

Span TokenList::span(const Token& token) const {
  size_t length = std::min<size_t>(token.text.size(), 200);
  if (size_t end = token.text.find('\n'); end != std::string_view::npos) length = std::min(length, end);
  return Span{file, token.line, token.column, std::max(1, static_cast<int>(length))};
}

bool is_keyword(std::string_view text) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
       "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
       "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
       "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"});
  static_assert(std::is_sorted(kWords.begin(), kWords.end()));
  return std::binary_search(kWords.begin(), kWords.end(), text);
}

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr size_t kMaxIndents = 100;

class Lexer {
 public:
  explicit Lexer(std::shared_ptr<const SourceFile> file) : text_(file->text) { list_.file = std::move(file); }

  TokenList run() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = line_start_ = 3;
    while (at_ < text_.size()) {
      if (at_line_start_ && brackets_.empty()) {
        if (!indentation()) continue;
      }
      token();
    }
    if (!brackets_.empty()) {
      const Token& open = brackets_.back();
      throw CodedError(Code::Text, list_.span(open), "'" + std::string(open.text) + "' is never closed");
    }
    if (!at_line_start_) push(TokenKind::Newline, at_, at_);
    while (indents_.size() > 1) indents_.pop_back(), push(TokenKind::Dedent, at_, at_);
    push(TokenKind::End, at_, at_);
    return std::move(list_);
  }

 private:
  Span here(size_t from, size_t length = 1) const {
    return Span{list_.file, line_, static_cast<int>(from - line_start_) + 1, static_cast<int>(length)};
  }

  void push(TokenKind kind, size_t from, size_t to) {
    list_.tokens.push_back({kind, text_.substr(from, to - from), line_, static_cast<int>(from - line_start_) + 1});
  }

  void end_line() {  // at_ stands on '\n'
    ++at_, ++line_, line_start_ = at_;
  }

  /// Measures the indentation of a line. False when the line is blank and was skipped.
  bool indentation() {
    size_t width = 0;
    size_t from = at_;
    for (; at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\f'); ++at_) {
      if (text_[at_] == '\t') {
        width = width / 8 * 8 + 8;
      } else {
        width = text_[at_] == '\f' ? 0 : width + 1;
      }
    }
    if (at_ < text_.size() && text_[at_] == '#') skip_comment();
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ >= text_.size()) return false;
    if (text_[at_] == '\n') {
      end_line();
      return false;
    }
    at_line_start_ = false;
    if (width > indents_.back()) {
      if (indents_.size() > kMaxIndents)
        throw CodedError(Code::Text, here(from), "more than 100 levels of indentation");
      indents_.push_back(width);
      push(TokenKind::Indent, at_, at_);
    }
    while (width < indents_.back()) indents_.pop_back(), push(TokenKind::Dedent, at_, at_);
    if (width != indents_.back()) {
      throw CodedError(Code::Text, here(from, std::max<size_t>(1, at_ - from)),
                       "this indentation matches no outer line",
                       "the enclosing lines are indented by " + std::to_string(indents_.back()) + " columns");
    }
    return true;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void token() {
    char c = text_[at_];
    if (c == '\n') {
      if (brackets_.empty()) push(TokenKind::Newline, at_, at_), at_line_start_ = true;
      return end_line();
    }
    if (c == ' ' || c == '\t' || c == '\f') return void(++at_);
    if (c == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n')) return void(++at_);
    if (c == '#') return skip_comment();
    if (c == '\\') return continuation();
    if (is_letter(c)) return word();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (c == '"' || c == '\'') return string(at_);
    op();
  }

  void continuation() {
    size_t next = at_ + 1;
    if (next < text_.size() && text_[next] == '\r') ++next;
    if (next >= text_.size() || text_[next] != '\n')
      throw CodedError(Code::Text, here(at_), "a backslash continues a line only at its end");
    at_ = next;
    end_line();
  }

  void word() {
    size_t from = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'') && at_ - from <= 2) {
      std::string_view prefix = text_.substr(from, at_ - from);
      if (prefix.find_first_not_of("rRbBuUfF") == std::string_view::npos) return string(from);
    }
    push(TokenKind::Name, from, at_);
  }

  void number() {
    size_t from = at_;
    auto digits = [&] {
      while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '_')) ++at_;
    };
    bool is_float = false;
    if (text_[at_] == '0' && at_ + 1 < text_.size() &&
        std::string_view("xXoObB").find(text_[at_ + 1]) != std::string_view::npos) {
      at_ += 2;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      return push(TokenKind::Int, from, at_);
    }
    digits();
    if (at_ < text_.size() && text_[at_] == '.') is_float = true, ++at_, digits();
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      size_t sign = at_ + 1 < text_.size() && (text_[at_ + 1] == '+' || text_[at_ + 1] == '-') ? 2 : 1;
      if (at_ + sign < text_.size() && is_digit(text_[at_ + sign])) is_float = true, at_ += sign, digits();
    }
    if (at_ < text_.size() && is_letter(text_[at_])) {
      throw CodedError(Code::Text, here(from, at_ - from + 1), "a number runs into a letter");
    }
    push(is_float ? TokenKind::Float : TokenKind::Int, from, at_);
  }

  void string(size_t from) {
    char quote = text_[at_];
    bool triple = text_.substr(at_, 3) == std::string(3, quote);
    int line = line_;
    size_t column = from - line_start_ + 1;
    at_ += triple ? 3 : 1;
    while (true) {
      if (at_ >= text_.size() || (text_[at_] == '\n' && !triple)) {
        throw CodedError(Code::Text, Span{list_.file, line, static_cast<int>(column), 1},
                         "this string is never closed");
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
        if (text_[at_] == '\n') {
          end_line();
        } else {
          ++at_;
        }
        continue;
      }
      if (text_[at_] == quote && (!triple || text_.substr(at_, 3) == std::string(3, quote))) break;
      if (text_[at_] == '\n') {
        end_line();
      } else {
        ++at_;
      }
    }
    at_ += triple ? 3 : 1;
    list_.tokens.push_back({TokenKind::String, text_.substr(from, at_ - from), line, static_cast<int>(column)});
  }

  void op() {
    static constexpr std::array<std::string_view, 22> kLong = {
        "...", "**=", "//=", "<<=", ">>=", "->", ":=", "==", "!=", "<=", ">=",
        "//",  "**",  "<<",  ">>",  "+=",  "-=", "*=", "/=", "%=", "&=", "|="};
    size_t from = at_;
    std::string_view rest = text_.substr(at_);
    size_t length = 1;
    for (std::string_view candidate : kLong) {
      if (rest.starts_with(candidate)) length = std::max(length, candidate.size());
    }
    if (rest.starts_with("^=")) length = 2;
    char c = text_[at_];
    if (length == 1 && std::string_view("+-*/%@&|^~<>()[]{},:.=;").find(c) == std::string_view::npos) {
      throw CodedError(Code::Text, here(at_),
                       c == '\t' || (c >= 0x20 && c < 0x7f) ? std::string("unexpected character '") + c + "'"
                                                            : "unexpected character");
    }
    at_ += length;
    push(TokenKind::Op, from, at_);
    if (c == '(' || c == '[' || c == '{') brackets_.push_back(list_.tokens.back());
    if (c == ')' || c == ']' || c == '}') {
      char open = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (brackets_.empty()) throw CodedError(Code::Text, here(from), std::string("'") + c + "' closes nothing");
      if (brackets_.back().text[0] != open) {
        const Token& other = brackets_.back();
        throw CodedError(Code::Text, here(from),
                         std::string("'") + c + "' does not close '" + std::string(other.text) + "' of line " +
                             std::to_string(other.line));
      }
      brackets_.pop_back();
    }
  }

  std::string_view text_;
  TokenList list_;
  size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
  bool at_line_start_ = true;
  std::vector<size_t> indents_ = {0};
  std::vector<Token> brackets_;
};

}  // namespace

TokenList tokenize(std::shared_ptr<const SourceFile> file) { return Lexer(std::move(file)).run(); }

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  size_t least = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string& other : candidates) {
    if (name.size() > 64 || other.size() > 64) continue;
    std::vector<size_t> row(other.size() + 1);
    for (size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= name.size(); ++i) {
      size_t diagonal = row[0];
      row[0] = i;
      for (size_t j = 1; j <= other.size(); ++j) {
        size_t change = diagonal + (name[i - 1] == other[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
      }
    }
    if (row.back() < least) least = row.back(), best = other;
  }
  return best;
}

}  // namespace hexproof
