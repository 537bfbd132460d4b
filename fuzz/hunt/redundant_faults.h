// Planted faults that cannot change a result: what they leave out is owed elsewhere, too.
#pragma once
#include <string>

namespace hexproof {

/// Why no campaign can find it; empty: one can. Nothing stands here that was merely not found.
std::string why_redundant(const std::string& fault);

}  // namespace hexproof
