// An SMT-LIB solver of the user's choice, as a child process.
#pragma once
#include <string>

namespace hexproof::checker {

/// The first word that the solver prints for the script: "unsat", "sat", "unknown"; "time" when it took longer than
/// `seconds`; "none" when it cannot be started. `command` is split at blanks.
std::string ask(const std::string& command, const std::string& script, int seconds);

}  // namespace hexproof::checker
