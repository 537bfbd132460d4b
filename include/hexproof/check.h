// Is a program free of errors for all inputs that satisfy its assumes?
#pragma once
#include <memory>
#include <string>

#include "hexproof/read.h"

namespace hexproof {
struct CheckReport;
}

namespace hexproof::api {

struct Checked {
  std::string function;
  Verdict verdict = Verdict::Undecided;
  std::string obligations;                         // "8 obligations: 8 proved (8 interval)"
  std::string counterexample;                      // Refuted: the error as the interpreter met it
  std::string reason;                              // Undecided, Vacuous, Unsupported: which and why
  std::shared_ptr<const CheckReport> detail = {};  // for hexproof's own commands
};

/// Proves a function (with what it calls) free of errors: accesses in bounds, reads of cells that hold a value, no
/// overflow of index arithmetic, no division by zero, no race, true claims of blocks, assumes that neither contradict
/// each other nor are false. `Proved` means that the interpreter, and any code made from the program, meets none of
/// these for any input that satisfies its assumes. Past the time of the session: Undecided.
/// Failure (Input): no such function, or calls that do not fit.
Checked check(const Program& program, const std::string& function, Session& session);

}  // namespace hexproof::api
