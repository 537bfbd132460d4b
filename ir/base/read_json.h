// JSON that somebody else may have written.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace hexproof {

/// The document; discarded (`is_discarded()`) where the text is none, or has more than 200 levels: what walks a
/// document is recursive.
inline nlohmann::ordered_json read_json(const std::string& text) {
  using Json = nlohmann::ordered_json;
  constexpr int kMaxLevels = 200;
  bool deep = false;
  auto look = [&](int level, Json::parse_event_t, Json&) {
    deep |= level > kMaxLevels;
    return !deep;
  };
  Json out = Json::parse(text, look, false);
  return deep ? Json(Json::value_t::discarded) : out;
}

}  // namespace hexproof
