// Can a program run without an error at all? A proof about a program that no input satisfies shows nothing.
#pragma once
#include "verify/check/check.h"
#include "verify/check/module.h"

namespace hexproof {

/// `check`; and where all is proved of a program with assumes, and neither a random input nor one at scalars that a
/// solver finds satisfies them in the interpreter, the symbolic method looks at small sizes: where it shows at each of
/// them that every input is an error, a program of constant shapes is Vacuous and any other Undecided; where it finds
/// no input and does not show that there is none, the proof stands, and its reason says so. (`check` itself compares
/// what stands at one place at a time; assumes of two iterations, or of two branches, may clash, too.)
CheckReport check_program(const PrimFunc& func, Prover& prover);
CheckReport check_program(const Linked& linked, Prover& prover);

}  // namespace hexproof
