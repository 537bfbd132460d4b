// Is a program free of errors for all inputs that satisfy its assumes?
#pragma once
#include <string>
#include <vector>

#include "ir/function.h"
#include "verify/prover.h"

namespace hexproof {

enum class Finding : uint8_t { Proved, Refuted, Undecided, Vacuous, Unsupported };

struct CheckedObligation {
  Obligation obligation;
  Answer answer;
};

struct CheckReport {
  PrimFunc program = {};  // what was checked
  Finding finding = Finding::Undecided;
  std::vector<CheckedObligation> obligations;
  /// Refuted: the error as the interpreter met it on replay (statement, loop values, indices, size).
  std::string counterexample;
  /// Undecided, Unsupported, Vacuous: which and why.
  std::string reason;
};

/// Bounds in every dimension, initialised reads, index overflow, division, shifts, casts, races of parallel and
/// vectorized loops, block claims (spatial instances independent, bindings in their domain, regions cover the
/// accesses), assumes neither contradictory nor false. A refutation is reported only after the interpreter
/// has met the error on the values of the model.
CheckReport check(const PrimFunc& func, Prover& prover);

}  // namespace hexproof
