// Two texts side by side.
#pragma once
#include <string>

#include "rewrite/report/report.h"

namespace hexproof::tools {

/// Rows ["same" | "changed" | "gap", left, right]: lines that stand on one side alone have null on the other, and what
/// is equal is left out but for three lines around each change.
Json side_by_side(const std::string& before, const std::string& after);

}  // namespace hexproof::tools
