#include "ir/base/diagnostic.h"

#include <algorithm>
#include <string_view>

#include "ir/base/utf8.h"

namespace hexproof {

std::string Span::str() const {
  if (!*this) return "<built>";
  return (file ? visible_path(file->path) : std::string("<input>")) + ":" + std::to_string(line) + ":" +
         std::to_string(column);
}

namespace {
std::string_view line_of(const std::string& text, int line) {
  size_t start = text.starts_with("\xef\xbb\xbf") ? 3 : 0;  // a mark of the byte order is no part of the line
  for (int at = 1; at < line; ++at) {
    size_t end = text.find('\n', start);
    if (end == std::string::npos) return {};
    start = end + 1;
  }
  return std::string_view(text).substr(start, text.find('\n', start) - start);
}

char printable(char c) {
  return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f ? ' ' : c;
}
}  // namespace

std::string render(const Span& span, const std::string& kind, const std::string& message, const std::string& hint) {
  std::string out = span ? span.str() + ": " + kind + ": " + message : kind + ": " + message;
  if (span && span.file) {
    constexpr int kWindow = 100;
    std::string_view line = line_of(span.file->text, span.line);
    int first = span.column > kWindow ? span.column - kWindow / 2 : 1;
    std::string shown;
    for (size_t i = first - 1; i < line.size() && shown.size() < kWindow; ++i) {
      shown.push_back(printable(line[i]));
    }
    int caret = span.column - first;
    int width = std::clamp(span.length, 1, std::max(1, static_cast<int>(shown.size()) - caret));
    out += "\n  " + shown + "\n  " + std::string(caret, ' ') + "^" + std::string(width - 1, '~');
  }
  if (!hint.empty()) out += "\n  hint: " + hint;
  return out;
}

void internal_error(const char* file, int line, const std::string& message) {
  std::string_view name = file;
  if (size_t slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  throw InternalError(std::string(name) + ":" + std::to_string(line) + ": " + message);
}

}  // namespace hexproof
