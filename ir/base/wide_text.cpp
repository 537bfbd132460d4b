#include "ir/base/wide_text.h"

namespace hexproof {

std::optional<Wide> parse_wide(std::string_view text, int base) {
  const bool negative = base == 10 && text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  Wide value = 0;
  for (char c : text) {
    if (c < '0' || c >= '0' + base || __builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, c - '0', &value)) {
      return std::nullopt;
    }
  }
  return negative ? -value : value;
}

}  // namespace hexproof
