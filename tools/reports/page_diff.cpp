#include "tools/reports/page_diff.h"

#include <nlohmann/json.hpp>
#include <sstream>

namespace hexproof::tools {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Of the middle parts: pairs (left, right) of lines, -1 where there is none on that side. By the longest common
/// subsequence, where that is not too dear.
void align(const Lines& a, size_t a0, size_t a1, const Lines& b, size_t b0, size_t b1,
           std::vector<std::pair<int, int>>* out) {
  const size_t n = a1 - a0, m = b1 - b0;
  if (n * m > 4'000'000) {
    for (size_t i = a0; i < a1; ++i) out->emplace_back(static_cast<int>(i), -1);
    for (size_t j = b0; j < b1; ++j) out->emplace_back(-1, static_cast<int>(j));
    return;
  }
  std::vector<std::vector<uint32_t>> common(n + 1, std::vector<uint32_t>(m + 1, 0));
  for (size_t i = n; i-- > 0;) {
    for (size_t j = m; j-- > 0;) {
      common[i][j] = a[a0 + i] == b[b0 + j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && a[a0 + i] == b[b0 + j]) {
      out->emplace_back(static_cast<int>(a0 + i++), static_cast<int>(b0 + j++));
    } else if (j == m || (i < n && common[i + 1][j] >= common[i][j + 1])) {
      out->emplace_back(static_cast<int>(a0 + i++), -1);
    } else {
      out->emplace_back(-1, static_cast<int>(b0 + j++));
    }
  }
}

}  // namespace

Json side_by_side(const std::string& before, const std::string& after) {
  constexpr size_t kAround = 3;
  const Lines a = lines_of(before), b = lines_of(after);
  size_t first = 0, a1 = a.size(), b1 = b.size();
  while (first < a1 && first < b1 && a[first] == b[first]) ++first;
  while (a1 > first && b1 > first && a[a1 - 1] == b[b1 - 1]) --a1, --b1;
  std::vector<std::pair<int, int>> rows;
  for (size_t k = 0; k < first; ++k) rows.emplace_back(static_cast<int>(k), static_cast<int>(k));
  align(a, first, a1, b, first, b1, &rows);
  for (size_t k = 0; a1 + k < a.size(); ++k) rows.emplace_back(static_cast<int>(a1 + k), static_cast<int>(b1 + k));
  std::vector<bool> shown(rows.size(), false);
  for (size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].first >= 0 && rows[k].second >= 0) continue;
    for (size_t near = k > kAround ? k - kAround : 0; near < std::min(rows.size(), k + kAround + 1); ++near)
      shown[near] = true;
  }
  Json out = Json::array();
  for (size_t k = 0; k < rows.size();) {
    if (!shown[k]) {
      const size_t from = k;
      while (k < rows.size() && !shown[k]) ++k;
      out.push_back(Json::array({"gap", std::to_string(k - from) + " equal lines", nullptr}));
      continue;
    }
    const auto [left, right] = rows[k++];
    Json l = left < 0 ? Json(nullptr) : Json(a[static_cast<size_t>(left)]);
    Json r = right < 0 ? Json(nullptr) : Json(b[static_cast<size_t>(right)]);
    out.push_back(Json::array({left >= 0 && right >= 0 ? "same" : "changed", l, r}));
  }
  return out;
}

}  // namespace hexproof::tools
