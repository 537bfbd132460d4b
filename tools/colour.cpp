#include "tools/colour.h"

#include <unistd.h>

#include <cstdlib>
#include <regex>
#include <string_view>

#include "tools/command.h"

namespace hexproof::tools {
namespace {

bool takes_colours(std::FILE* stream) {
  const char *none = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  if ((none && *none) || !terminal || !*terminal || std::string_view(terminal) == "dumb") return false;
  return ::isatty(::fileno(stream)) != 0;
}

const char* colour_of(int exit_code) {
  if (exit_code == kProved) return "\033[1;32m";
  return exit_code == kUndecided || exit_code == kVacuous || exit_code == kUnsupported ? "\033[1;33m" : "\033[1;31m";
}

}  // namespace

std::string coloured(std::FILE* stream, int exit_code, const std::string& text) {
  if (!takes_colours(stream)) return text;
  static const std::regex word(
      "(^|: )(proved|refuted|refused|undecided|vacuous|rejected|unsupported|unsound|sound|warning|error)(?=:)");
  const std::string line = text.substr(0, text.find('\n'));
  std::smatch found;
  if (!std::regex_search(line, found, word)) return text;
  const auto at = static_cast<size_t>(found.position(2)), size = static_cast<size_t>(found.length(2));
  return text.substr(0, at) + colour_of(exit_code) + text.substr(at, size) + "\033[0m" + text.substr(at + size);
}

}  // namespace hexproof::tools
