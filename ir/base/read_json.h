// JSON that somebody else may have written.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace hexproof {

/// Does it open more brackets, outside of texts, than `levels` at once?
inline bool nests_deeper(const std::string& json, int levels) {
  int open = 0;
  bool text = false;
  for (size_t k = 0; k < json.size(); ++k) {
    const char c = json[k];
    if (text && c == '\\') ++k;
    if (c == '"') text = !text;
    if (text) continue;
    open += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (open > levels) return true;
  }
  return false;
}

/// The document; discarded (`is_discarded()`) where the text is none, or has more than 200 levels: what walks a
/// document is recursive.
inline nlohmann::ordered_json read_json(const std::string& text) {
  using Json = nlohmann::ordered_json;
  return nests_deeper(text, 200) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

}  // namespace hexproof
