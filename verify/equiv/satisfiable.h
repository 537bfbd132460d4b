// Can a program run without an error at all? A proof about a program that no input satisfies shows nothing.
#pragma once
#include "verify/check/check.h"
#include "verify/check/module.h"

namespace hexproof {

/// `check`, and, where all is proved of a program with assumes, a look for an input that satisfies them: random ones,
/// in the interpreter, and then the solvers' at small sizes (verify/equiv/symbolic). Without one the program is Vacuous
/// where it has constant shapes and no input is proved to satisfy it, else Undecided. (`check` itself compares what
/// stands at one place at a time: assumes of two iterations, or of two branches, may clash, too.)
CheckReport check_program(const PrimFunc& func, Prover& prover);
CheckReport check_program(const Linked& linked, Prover& prover);

}  // namespace hexproof
