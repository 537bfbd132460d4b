// An SMT-LIB solver of the user's choice, as a child process.
#pragma once
#include <string>
#include <vector>

namespace hexproof::checker {

/// What the solver says of each script: "unsat", "sat", "unknown"; "time" when it took longer than `seconds` for one;
/// "none" when it cannot be started. `command` is split at blanks. One process is asked many scripts, with `(reset)`
/// in between; what it does not answer so is asked again of a process of its own. Each script must be a plain one
/// (ir/base/plain_script.h).
std::vector<std::string> ask(const std::string& command, const std::vector<std::string>& scripts, int seconds);

}  // namespace hexproof::checker
