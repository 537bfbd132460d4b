// Is a program free of errors for all inputs that satisfy its assumes?
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "verify/facts/facts.h"
#include "verify/prove/prover.h"

namespace hexproof {

enum class Finding : uint8_t { Proved, Refuted, Undecided, Vacuous, Unsupported };

struct CheckedObligation {
  Obligation obligation;
  Answer answer;
};

struct ErrorMet;  // verify/check/error_met.h

struct CheckReport {
  PrimFunc program = {};  // what was checked
  Finding finding = Finding::Undecided;
  std::vector<CheckedObligation> obligations;
  /// Refuted: the error as the interpreter met it on replay (statement, loop values, indices, size).
  std::string counterexample;
  /// The same as data, with the input that shows it.
  std::shared_ptr<const ErrorMet> met = nullptr;
  /// Vacuous: assumes of which none can be left out, if what stands around them is to be contradictory.
  std::vector<Place> clashing = {};
  /// Vacuous: does every execution meet them? (Else those do that get to the place.)
  bool always_clashing = false;
  /// Undecided, Unsupported, Vacuous: which and why. Proved: that no input was found which satisfies the assumes.
  std::string reason;
};

/// Bounds in every dimension, initialised reads, index overflow, division, shifts, casts, races of parallel and
/// vectorized loops, block claims (spatial instances independent, bindings in their domain, regions cover the
/// accesses), assumes neither contradictory nor false. A refutation is reported only after the interpreter
/// has met the error on the values of the model.
CheckReport check(const PrimFunc& func, Prover& prover);

/// What `check` would ask of the statement at `path` and of all below it: no error of an operation, every read finds a
/// cell that was written, no race of a loop in it or around it. Each is one question; where check has several ways to
/// an answer, these have fewer. Whether an undef can reach a cell is asked of a prover of its own. A statement for
/// which all of them hold, at a place where the program met no error before, meets none.
std::vector<Obligation> free_of_errors(const PrimFunc& func, const Path& path);
/// The claims of the blocks at `path` and below it, as `check` asks them.
std::vector<Obligation> claims_hold(const PrimFunc& func, const Path& path);
/// Every group of asynchronous copies is through before a cell of it is touched otherwise, and before its memory goes
/// away, as `check` asks it; and no wait is for a negative number. Nothing where the function has neither.
std::vector<Obligation> copies_are_waited_for(const PrimFunc& func);
/// Of what free_of_errors asks, that every read of memory which the function allocates finds a cell that was written.
std::vector<Obligation> reads_find_values(const PrimFunc& func);

}  // namespace hexproof
