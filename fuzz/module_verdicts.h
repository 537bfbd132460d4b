// What `check` says of a module whose functions call each other, and of what it refutes, against runs.
#pragma once
#include <cstdint>
#include <string>

#include "ir/function.h"
#include "verify/prove/prover.h"

namespace hexproof {

/// Says `check` that the module, entered by its first function, is free of errors, and a few runs of what it means meet
/// one? A false assume of a callee is one. Or does it refute it with an input on which it meets none? Empty: no.
std::string wrong_module_check(const IRModule& module, uint64_t seed, Prover& prover);

/// Says `check` that the module, entered by this function, is free of errors, though it is known that it is not? Empty:
/// no.
std::string proved_though_refuted(const IRModule& module, const std::string& entry, Prover& prover);

/// Does `check` refute the function with an input on which a run meets no error? Empty: no, or the input is not told
/// whole.
std::string false_refutation(const PrimFunc& func, Prover& prover);

}  // namespace hexproof
