// An SMT-LIB solver of the user's choice, as a child process.
#pragma once
#include <string>
#include <vector>

namespace hexproof::checker {

/// What the solver says of each script: "unsat", "sat", "unknown"; "time" when it took longer than `seconds` for one;
/// "none" when it cannot be started. `command` is split at blanks. One process is asked many scripts, with `(reset)`
/// in between; what it does not answer so is asked again of a process of its own. Each script must be a plain one.
std::vector<std::string> ask(const std::string& command, const std::vector<std::string>& scripts, int seconds);

/// Nothing when the script only declares, defines and asserts, and ends with its one `(check-sat)`; else the command
/// that does not belong there: a script that prints could answer for the solver.
std::string not_plain(const std::string& script);

}  // namespace hexproof::checker
