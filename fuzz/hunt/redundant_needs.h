// Needs that hold whatever the program, or that others imply: read off the rules' code, one by one.
#pragma once
#include <vector>

namespace hexproof {

struct RedundantNeed {
  const char *fault, *reason;
};
/// Nothing stands here that was merely not found. On no seed and no near miss of one is such a need refuted
/// where all others are proved (a test).
const std::vector<RedundantNeed>& redundant_needs();

}  // namespace hexproof
