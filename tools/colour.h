// Colours of what is said to people.
#pragma once
#include <cstdio>
#include <string>

namespace hexproof::tools {

/// The text for this stream: where that is a terminal, the first word that says how it ended (`proved:`, `error:`) is
/// green, yellow (what stayed open, is vacuous or not modelled) or red, by the exit code that the text belongs to.
/// Nothing is coloured where `NO_COLOR` is set and not empty (no-color.org), or `TERM` is `dumb` or not set.
std::string coloured(std::FILE* stream, int exit_code, const std::string& text);

}  // namespace hexproof::tools
