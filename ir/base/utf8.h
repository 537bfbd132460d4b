// UTF-8, and texts that a terminal shows and does not obey.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace hexproof {

/// How many bytes the character at `at` has; 0 where none is well formed: cut short, longer than it need be, half of a
/// pair of UTF-16, or behind U+10FFFF.
size_t utf8_length(std::string_view text, size_t at);

/// The text with control characters, and bytes that are no UTF-8, spelled out as in \x1b; line ends and tabs stay.
std::string visible(std::string_view text);

/// One line: line ends and tabs are spelled out, too.
std::string visible_line(std::string_view text);

/// The name of a file as messages show it: one line, and none that a runner takes for a command of the workflow, as it
/// would `::error::x.py`.
std::string visible_path(std::string_view path);

}  // namespace hexproof
