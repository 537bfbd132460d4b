// Is a program free of errors for all inputs that satisfy its assumes?
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "hexproof/read.h"

namespace hexproof {
struct CheckReport;
}

namespace hexproof::api {

/// What a T.reads or T.writes is that does not cover what its block accesses. It changes no value; a schedule asks for
/// true ones all the same.
enum class Claims : uint8_t { Warning, Error };

struct Checked {
  std::string function;
  Verdict verdict = Verdict::Undecided;
  std::string obligations;                         // "8 obligations: 8 proved (8 interval)"
  std::string counterexample;                      // Refuted: the error as the interpreter met it
  std::string reason;                              // Undecided, Vacuous, Unsupported: which and why
  std::shared_ptr<const CheckReport> detail = {};  // for hexproof's own commands
  std::vector<std::string> warnings = {};          // with Claims::Warning: the claims that are false, or not proved
};

/// Proves a function (with what it calls) free of errors: accesses in bounds, reads of cells that hold a value, no
/// overflow of index arithmetic, no division by zero, no race, true claims of blocks, assumes that neither contradict
/// each other nor are false. `Proved` means that the interpreter, and any code made from the program, meets none of
/// these for any input that satisfies its assumes. Past the time of the session: Undecided.
/// Failure (Input): no such function, or calls that do not fit.
Checked check(const Program& program, const std::string& function, Session& session, Claims claims = Claims::Warning);

}  // namespace hexproof::api
