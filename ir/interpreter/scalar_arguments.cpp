#include "ir/interpreter/scalar_arguments.h"

#include <charconv>
#include <optional>

#include "ir/base/diagnostic.h"

namespace hexproof {
namespace {

template <class Number>
std::optional<Number> whole_text(const std::string& text) {
  Number out{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return out;
}

}  // namespace

ScalarArgument read_scalar_argument(const std::string& text) {
  if (text == "True" || text == "False") return int64_t{text == "True"};
  const std::string number = text.starts_with('+') ? text.substr(1) : text;
  // (A float has two zeros, and an integer one.)
  if (auto value = whole_text<int64_t>(number); value && (*value != 0 || !number.starts_with('-'))) return *value;
  if (auto value = whole_text<uint64_t>(number)) return *value;
  if (auto value = whole_text<double>(number)) return *value;
  throw Error("'" + text + "' is no value of a scalar parameter: a number, True or False");
}

}  // namespace hexproof
