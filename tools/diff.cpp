#include "tools/diff.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "ir/text/text.h"

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

/// The lines of one side in a hunk: "3,7"; "3" of one; of none the line in front of them.
std::string range(size_t first, size_t count) {
  const std::string start = std::to_string(count == 0 ? first : first + 1);
  return count == 1 ? start : start + "," + std::to_string(count);
}

void add_steps(const std::string& function, const std::deque<FunctionChain>& chains, std::string* out) {
  size_t number = 0;
  std::string name = function + ", source", last;
  for (const FunctionChain& chain : chains) {
    if (&chain != &chains.front()) {
      const std::string now = function + ", behind a joint step";
      *out += unified_diff(name, last, now, print(chain.derivation.source()));
      name = now;
    }
    for (const Step& step : chain.derivation.steps()) {
      const std::string now = function + ", step " + std::to_string(++number) + " (" + step.rule + ")";
      *out += unified_diff(name, print(step.before), now, print(step.after));
      name = now;
    }
    last = print(chain.derivation.current());
  }
}

}  // namespace

LineDiff::LineDiff(const std::string& before_text, const std::string& after_text)
    : before(lines_of(before_text)), after(lines_of(after_text)) {
  size_t first = 0, a1 = before.size(), b1 = after.size();
  while (first < a1 && first < b1 && before[first] == after[first]) ++first;
  while (a1 > first && b1 > first && before[a1 - 1] == after[b1 - 1]) --a1, --b1;
  for (size_t k = 0; k < first; ++k) rows.emplace_back(static_cast<int>(k), static_cast<int>(k));
  align(before, first, a1, after, first, b1, &rows);
  for (size_t k = 0; a1 + k < before.size(); ++k) rows.emplace_back(static_cast<int>(a1 + k), static_cast<int>(b1 + k));
}

std::vector<bool> LineDiff::shown() const {
  constexpr size_t kAround = 3;
  std::vector<bool> out(rows.size(), false);
  for (size_t k = 0; k < rows.size(); ++k) {
    if (!changed(k)) continue;
    for (size_t near = k > kAround ? k - kAround : 0; near < std::min(rows.size(), k + kAround + 1); ++near)
      out[near] = true;
  }
  return out;
}

std::string unified_diff(const std::string& before_name, const std::string& before, const std::string& after_name,
                         const std::string& after) {
  const LineDiff diff(before, after);
  const std::vector<bool> shown = diff.shown();
  std::string out;
  size_t left = 0, right = 0;  // lines in front of the row
  for (size_t k = 0; k < diff.rows.size();) {
    if (!shown[k]) {
      ++k, ++left, ++right;
      continue;
    }
    const size_t first_left = left, first_right = right;
    // What goes stands in front of what comes in its place.
    std::string lines, added;
    for (; k < diff.rows.size() && shown[k]; ++k) {
      const auto [a, b] = diff.rows[k];
      if (!diff.changed(k)) lines += std::exchange(added, "") + " " + diff.before[static_cast<size_t>(a)] + "\n";
      if (diff.changed(k) && a >= 0) lines += "-" + diff.before[static_cast<size_t>(a)] + "\n";
      if (diff.changed(k) && b >= 0) added += "+" + diff.after[static_cast<size_t>(b)] + "\n";
      left += a >= 0 ? 1 : 0, right += b >= 0 ? 1 : 0;
    }
    out += "@@ -" + range(first_left, left - first_left) + " +" + range(first_right, right - first_right) + " @@\n" +
           lines + added;
  }
  return out.empty() ? "" : "--- " + before_name + "\n+++ " + after_name + "\n" + out;
}

std::string unified_diff(const ModuleDerivation& module) {
  std::string out;
  for (const std::string& name : module.names()) add_steps(name, module.chains(name), &out);
  return out;
}

void add_diff(CLI::App& command, bool& diff, const std::string& of) {
  command.add_flag("--diff", diff, "print a unified diff of " + of);
}

}  // namespace hexproof::tools
