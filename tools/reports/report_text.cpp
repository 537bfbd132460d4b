#include "tools/reports/report_text.h"

#include <cstdint>
#include <filesystem>
#include <sstream>

#include "ir/base/diagnostic.h"
#include "ir/base/file.h"

namespace hexproof::tools {
namespace {

/// The bytes of the character at `at` that XML may hold; 0: there is none.
size_t character(const std::string& text, size_t at) {
  auto byte = [&](size_t k) { return static_cast<unsigned char>(at + k < text.size() ? text[at + k] : '\0'); };
  const unsigned first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  uint32_t code = length <= 1 ? first : first & (0x7fu >> length);
  for (size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3f);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000, none = code == 0xfffe || code == 0xffff;
  return code < kLeast[length] || code > 0x10ffff || surrogate || none ? 0 : length;
}

}  // namespace

std::string xml(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = character(text, at);
    const char c = text[at];
    if (length > 1) {
      out += text.substr(at, length);
    } else if (length == 0) {
      out += "\xef\xbf\xbd";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\n' || c == '\t' || c == '\r') {
      out += "&#" + std::to_string(c) + ";";  // (in an attribute each would be read as a blank)
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::optional<int> Utf16Columns::at(const std::string& file, int line, int column) {
  if (column <= 1) return column;
  const std::vector<std::string>& all = lines(file);
  if (line < 1 || static_cast<size_t>(line) > all.size()) return std::nullopt;
  const std::string& text = all[static_cast<size_t>(line) - 1];
  // (A mark of the byte order is no part of the line.)
  size_t k = line == 1 && text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  int out = 1;
  for (const size_t end = k + static_cast<size_t>(column) - 1; k < end; ++k) {
    const auto c = static_cast<unsigned char>(k < text.size() ? text[k] : ' ');
    out += (c & 0xc0) == 0x80 ? 0 : c >= 0xf0 ? 2 : 1;
  }
  return out;
}

const std::vector<std::string>& Utf16Columns::lines(const std::string& file) {
  const auto [found, fresh] = files_.try_emplace(file);
  std::error_code error;
  if (!fresh || !std::filesystem::is_regular_file(file, error)) return found->second;
  try {
    std::istringstream text(read_file(file));
    for (std::string line; std::getline(text, line);) found->second.push_back(line);
    found->second.emplace_back();  // where the text ends
  } catch (const Error&) {         // it is gone
  }
  return found->second;
}

}  // namespace hexproof::tools
