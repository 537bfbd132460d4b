#include "ir/dtype.h"

#include <algorithm>
#include <charconv>

namespace hexproof {

std::string DType::str() const {
  std::string text;
  switch (code) {
    case TypeCode::Bool:
      text = "bool";
      break;
    case TypeCode::Handle:
      text = "handle";
      break;
    case TypeCode::Int:
      text = "int" + std::to_string(bits);
      break;
    case TypeCode::UInt:
      text = "uint" + std::to_string(bits);
      break;
    case TypeCode::Float:
      text = "float" + std::to_string(bits);
      break;
  }
  return lanes == 1 ? text : text + "x" + std::to_string(lanes);
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
  if (text == "bool") return kBool.with_lanes(lanes);
  if (text == "handle") return lanes == 1 ? std::optional(kHandle) : std::nullopt;
  auto with = [&](std::string_view prefix, TypeCode code, int least) -> std::optional<DType> {
    if (!text.starts_with(prefix)) return std::nullopt;
    auto bits = parse_number(text.substr(prefix.size()));
    if (!bits || (*bits != 8 && *bits != 16 && *bits != 32 && *bits != 64) || *bits < least) {
      return std::nullopt;
    }
    return DType{code, static_cast<uint8_t>(*bits), static_cast<uint16_t>(lanes)};
  };
  if (auto type = with("uint", TypeCode::UInt, 8)) return type;
  if (auto type = with("int", TypeCode::Int, 8)) return type;
  return with("float", TypeCode::Float, 16);
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
