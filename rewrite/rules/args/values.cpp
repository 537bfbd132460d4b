#include "rewrite/rules/args/values.h"

#include <charconv>

namespace hexproof {
namespace {

std::string dotted(const Path& path) {
  std::string out;
  for (int step : path) out += (out.empty() ? "" : ".") + std::to_string(step);
  return out;
}

std::optional<Path> parse_dotted(std::string_view text) {
  Path out;
  while (!text.empty()) {
    int value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value < 0) return std::nullopt;
    out.push_back(value);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (!text.empty() && (text[0] != '.' || text.size() == 1)) return std::nullopt;
    if (!text.empty()) text.remove_prefix(1);
  }
  return out;
}

std::optional<Application> parse_one(std::string_view text) {
  size_t hash = text.find('#'), at = text.find('@'), slash = text.find('/');
  if (hash == text.npos || at == text.npos || slash == text.npos || !(hash < at && at < slash)) return std::nullopt;
  const std::optional<Path> ordinal = parse_dotted(text.substr(hash + 1, at - hash - 1));
  const std::optional<Path> statement = parse_dotted(text.substr(at + 1, slash - at - 1));
  const std::optional<Path> expr = parse_dotted(text.substr(slash + 1));
  if (!ordinal || ordinal->size() != 1 || !statement || !expr || expr->empty()) return std::nullopt;
  Application out;
  out.rule = text.substr(0, hash);
  out.ordinal = ordinal->front();
  out.statement = *statement;
  out.expr = *expr;
  return out;
}

}  // namespace

Arg ArgField<std::vector<Application>>::write(const std::vector<Application>& applications) {
  std::string out;
  for (const Application& a : applications) {
    out += (out.empty() ? "" : "; ") + a.rule + "#" + std::to_string(a.ordinal) + "@" + dotted(a.statement) + "/" +
           dotted(a.expr);
  }
  return out;
}

std::optional<std::vector<Application>> ArgField<std::vector<Application>>::read(const Arg& arg) {
  const std::string* text = std::get_if<std::string>(&arg);
  if (!text) return std::nullopt;
  std::vector<Application> out;
  for (std::string_view rest = *text; !rest.empty();) {
    size_t end = rest.find(';');
    std::string_view one = rest.substr(0, end);
    rest = end == rest.npos ? "" : rest.substr(end + 1);
    while (!one.empty() && one[0] == ' ') one.remove_prefix(1);
    std::optional<Application> application = parse_one(one);
    if (!application) return std::nullopt;
    out.push_back(*std::move(application));
  }
  return out;
}

}  // namespace hexproof
