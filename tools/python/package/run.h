// Python programs of the user's that import hexproof, in our process.
#pragma once
#include <string>
#include <vector>

namespace hexproof::python {

/// Runs FILE (-: standard input), -c TEXT or -m MODULE with what follows as its arguments; the exit code as Python has
/// it.
int run_program(const std::vector<std::string>& words);

}  // namespace hexproof::python
