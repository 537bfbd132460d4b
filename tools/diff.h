// Which lines of two texts differ: side by side on a page, or as a unified diff.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/module/derivation.h"

namespace hexproof::tools {

/// Two texts, line by line: rows (left, right) of positions in `before` and `after`, -1 where a line stands on one side
/// alone. Two positions: the lines are equal.
struct LineDiff {
  LineDiff(const std::string& before, const std::string& after);
  bool changed(size_t row) const { return rows[row].first < 0 || rows[row].second < 0; }
  /// A row of these is shown: it is changed, or at most three rows away from one that is.
  std::vector<bool> shown() const;

  std::vector<std::string> before, after;
  std::vector<std::pair<int, int>> rows;
};

/// A unified diff with three lines around each change; empty when the texts are equal.
std::string unified_diff(const std::string& before_name, const std::string& before, const std::string& after_name,
                         const std::string& after);

/// What each step changed in the text of its function, against the step before; steps that changed none of it are left
/// out.
std::string unified_diff(const ModuleDerivation& module);

void add_diff(CLI::App& command, bool& diff, const std::string& of);

}  // namespace hexproof::tools
