#include "ir/dtype.h"

#include <algorithm>
#include <charconv>

namespace hexproof {

namespace {
struct Row {
  std::string_view name;
  DType type;
};
constexpr Row kRows[] = {
#define DTYPE(constant, name, class_, bits_, exponent, significand) {name, constant},
#include "ir/dtypes.def"
#undef DTYPE
};
}  // namespace

std::string DType::str() const {
  std::string lanes_text = lanes == 1 ? "" : "x" + std::to_string(lanes);
  for (const Row& row : kRows) {
    if (row.type == element()) return std::string(row.name) + lanes_text;
  }
  return "no dtype of " + std::to_string(bits) + " bits" + lanes_text;
}

namespace {
std::optional<int> parse_number(std::string_view text) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}
}  // namespace

std::optional<DType> parse_dtype(std::string_view text) {
  int lanes = 1;
  if (size_t x = text.find('x'); x != std::string_view::npos) {
    auto n = parse_number(text.substr(x + 1));
    if (!n || *n < 1 || *n > 4096) return std::nullopt;
    lanes = *n;
    text = text.substr(0, x);
  }
  for (const Row& row : kRows) {
    if (row.name != text) continue;
    return row.type.is_handle() && lanes != 1 ? std::nullopt : std::optional(row.type.with_lanes(lanes));
  }
  return std::nullopt;
}

Wide min_value(DType type) { return type.is_int() ? -(Wide{1} << (type.bits - 1)) : Wide{0}; }

Wide max_value(DType type) { return type.is_int() ? (Wide{1} << (type.bits - 1)) - 1 : (Wide{1} << type.bits) - 1; }

Wide wrap_to(DType type, Wide value) {
  Wide modulus = Wide{1} << type.bits;
  Wide low = ((value % modulus) + modulus) % modulus;
  return type.is_int() && low > max_value(type) ? low - modulus : low;
}

std::string to_string(Wide value) {
  bool negative = value < 0;
  unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(value) : value;
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace hexproof
