// SMT-LIB that somebody else may have written.
#pragma once
#include <string>

namespace hexproof {

/// Nothing when the script only declares, defines and asserts, and ends with its one `(check-sat)`; else the command
/// that does not belong there: a script that prints could answer for the solver, and one that sets options can write
/// files.
std::string not_plain(const std::string& script);

}  // namespace hexproof
