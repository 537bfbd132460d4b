#include "ir/base/utf8.h"

namespace hexproof {
namespace {

void spell_out(std::string& out, unsigned value) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += {'\\', 'x', kDigits[value >> 4 & 15], kDigits[value & 15]};
}

/// Does a runner of workflows take what begins here for a command to it? GitHub's obeys `::name::` in front of which
/// nothing but blanks stands in its line; it and others obey `##[name]` and `##vso[name]` anywhere.
bool begins_command(std::string_view text, bool blank_before) {
  if (text.starts_with("::")) return blank_before;
  if (!text.starts_with("##")) return false;
  const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", 2);
  return end != text.npos && text[end] == '[';
}

std::string spelled(std::string_view text, bool one_line) {
  std::string out;
  bool blank = true;  // so far in its line (all that is not ASCII may be a blank)
  for (size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    const size_t length = utf8_length(text, at);
    // U+0080 to U+009F are control characters, too.
    const bool second_set = c == 0xc2 && length == 2 && static_cast<unsigned char>(text[at + 1]) < 0xa0;
    if (c == '\n' || c == '\t') {
      out += !one_line ? std::string(1, text[at]) : c == '\n' ? "\\n" : "\\t";
    } else if (c < 0x20 || c == 0x7f || length == 0 || begins_command(text.substr(at), blank)) {
      spell_out(out, c);
    } else if (second_set) {
      spell_out(out, static_cast<unsigned char>(text[at + 1]));
    } else {
      out += text.substr(at, length);
    }
    blank = c == '\n' ? !one_line : blank && (c <= ' ' || c >= 0x80);
    at += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace

size_t utf8_length(std::string_view text, size_t at) {
  auto byte = [&](size_t k) { return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u; };
  const unsigned first = byte(0), second = byte(1);
  auto continues = [&](size_t k) { return (byte(k) & 0xc0) == 0x80; };
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    const unsigned least = first == 0xe0 ? 0xa0 : 0x80, most = first == 0xed ? 0x9f : 0xbf;
    return second >= least && second <= most && continues(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    const unsigned least = first == 0xf0 ? 0x90 : 0x80, most = first == 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

std::string visible(std::string_view text) { return spelled(text, false); }

std::string visible_line(std::string_view text) { return spelled(text, true); }

std::string visible_path(std::string_view path) {
  return visible_line((path.starts_with("::") ? "./" : "") + std::string(path));
}

std::string visible_message(std::string_view text) {
  std::string out;
  for (char c : text) {
    out += c;
    if (c == '\n') out += "  | ";
  }
  return visible(out);
}

}  // namespace hexproof
