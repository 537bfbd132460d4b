// The doors to the two solvers: a script goes in, an answer with values of its inputs comes out.
#pragma once
#include <map>
#include <string>

#include "verify/prove/solvers/smt/encode.h"

namespace hexproof {

enum class Satisfiable : uint8_t { Yes, No, Unknown };

struct SolverAnswer {
  Satisfiable satisfiable = Satisfiable::Unknown;
  std::string reason;                  // Unknown
  std::map<std::string, Wide> values;  // Yes: of the script's inputs; bools 0 and 1, floats their bits
  uint64_t rlimit = 0;                 // resource units used
  bool wall_clock = false;             // the answer came from a wall-clock limit: it may differ next time
};

enum class Z3Tactic : uint8_t { Simple, BitVectors, Floats };

/// A fresh Z3 context for this script, bounded by `rlimit` alone, so that the answer is the same on every run.
SolverAnswer ask_z3(const Script& script, Z3Tactic tactic, uint64_t rlimit);
/// "4.8.12.0"
std::string z3_version();

/// The `cvc5` program through a pipe, bounded by its resource limit; `milliseconds` of wall clock are a backstop.
/// Unknown when the program is missing.
SolverAnswer ask_cvc5(const Script& script, uint64_t rlimit, int milliseconds);
/// The first line of `cvc5 --version`, or "none".
const std::string& cvc5_version();

}  // namespace hexproof
