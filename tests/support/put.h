// Texts of programs with holes.
#pragma once
#include <string>

namespace hexproof {

/// The text with `value` wherever `word` stands.
inline std::string put(std::string text, const std::string& word, const std::string& value) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size()) {
    text.replace(at, word.size(), value);
  }
  return text;
}

}  // namespace hexproof
