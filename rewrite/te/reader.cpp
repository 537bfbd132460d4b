#include "rewrite/te/reader.h"

#include <array>
#include <string_view>

namespace hexproof::te {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The text without comments and strings.
std::string code_of(const std::string& text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '#') {
      while (k < text.size() && text[k] != '\n') ++k;
      out += '\n';
    } else if (c == '"' || c == '\'') {
      const bool three = text.compare(k, 3, std::string(3, c)) == 0;
      const std::string end(three ? 3 : 1, c);
      for (k += end.size(); k < text.size() && text.compare(k, end.size(), end) != 0; ++k) {
        if (text[k] == '\\') ++k;
      }
      k += end.size() - 1;
      out += ' ';
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

bool is_script(const std::string& text) {
  const std::string code = code_of(text);
  for (const std::string_view name :
       std::to_array<std::string_view>({"te.placeholder", "te.compute", "te.create_schedule", "te.create_prim_func",
                                        "tvm.lower", "tvm.placeholder", "tvm.compute", "tvm.create_schedule"})) {
    for (size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
      const bool begins = at == 0 || !is_word(code[at - 1]);
      const size_t end = at + name.size();
      if (begins && end < code.size() && !is_word(code[end])) return true;
    }
  }
  return false;
}

}  // namespace hexproof::te
