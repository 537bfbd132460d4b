// UTF-8, and texts that a terminal, or a runner of workflows, shows and does not obey.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace hexproof {

/// How many bytes the character at `at` has; 0 where none is well formed: cut short, longer than it need be, half of a
/// pair of UTF-16, or behind U+10FFFF.
size_t utf8_length(std::string_view text, size_t at);

/// The text with control characters, bytes that are no UTF-8, and the first character of what a runner of workflows
/// takes for a command, spelled out as in \x1b; line ends and tabs stay.
std::string visible(std::string_view text);

/// One line: line ends and tabs are spelled out, too.
std::string visible_line(std::string_view text);

/// The name of a file as messages show it: one line, and still its name where that begins as a command to a runner
/// does: `./::error::x.py`.
std::string visible_path(std::string_view path);

/// A message that holds what others chose (the parts of a certificate, say): its further lines stand behind `  | `, so
/// that nothing in it begins one.
std::string visible_message(std::string_view text);

}  // namespace hexproof
