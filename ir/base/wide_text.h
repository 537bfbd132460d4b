// 128-bit numbers as text.
#pragma once
#include <optional>
#include <string_view>

#include "ir/base/wide.h"

namespace hexproof {

/// Digits of a base up to ten, in base 10 with a sign if there is one; nothing for other texts and for numbers beyond
/// 128 bits.
std::optional<Wide> parse_wide(std::string_view text, int base = 10);

}  // namespace hexproof
