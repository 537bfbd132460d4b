#include "tools/shard.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace hexproof::tools {
namespace {

constexpr uint64_t kMost = 1'000'000'000;  // a step of so many fits every counter

std::optional<uint64_t> number(std::string_view digits) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

std::optional<Shard> read(const std::string& text, uint64_t first) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto which = number(std::string_view(text).substr(0, slash)),
             count = number(std::string_view(text).substr(slash + 1));
  if (!which || !count || *count > kMost || *which < first || *which - first >= *count) return std::nullopt;
  return Shard{*which - first, *count};
}

}  // namespace

CLI::Option* add_shard(CLI::App& command, std::string& text, uint64_t first, const std::string& about) {
  return command.add_option("--shard", text, about)->check([first](const std::string& given) {
    const char* range = first == 0 ? "i/n with 0 <= i < n" : "i/n with 1 <= i <= n";
    return read(given, first) ? std::string() : "'" + given + "' is not " + range;
  });
}

Shard shard_of(const std::string& text, uint64_t first) { return read(text, first).value(); }

}  // namespace hexproof::tools
