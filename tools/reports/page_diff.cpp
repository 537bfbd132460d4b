#include "tools/reports/page_diff.h"

#include <nlohmann/json.hpp>

#include "tools/diff.h"

namespace hexproof::tools {

Json side_by_side(const std::string& before, const std::string& after) {
  const LineDiff diff(before, after);
  const std::vector<bool> shown = diff.shown();
  Json out = Json::array();
  for (size_t k = 0; k < diff.rows.size();) {
    if (!shown[k]) {
      const size_t from = k;
      while (k < diff.rows.size() && !shown[k]) ++k;
      out.push_back(Json::array({"gap", std::to_string(k - from) + " equal lines", nullptr}));
      continue;
    }
    const auto [left, right] = diff.rows[k++];
    Json l = left < 0 ? Json(nullptr) : Json(diff.before[static_cast<size_t>(left)]);
    Json r = right < 0 ? Json(nullptr) : Json(diff.after[static_cast<size_t>(right)]);
    out.push_back(Json::array({left >= 0 && right >= 0 ? "same" : "changed", l, r}));
  }
  return out;
}

}  // namespace hexproof::tools
