// Modules with calls: the function that they mean is linked, and the preconditions of callees are proved.
#pragma once
#include <string>
#include <vector>

#include "ir/link/link.h"
#include "verify/check/check.h"

namespace hexproof {

/// `link`, with extents of a call that are not the same expression compared by the prover.
Linked link(const IRModule& module, const std::string& entry, Prover& prover);

/// The linked function for those that run it, or compare it with another one. What an assume of a callee permits to be
/// read (`P or A[i] == T.undef()`) is written there where P, what stands in front of the permission, is false, with
/// what it holds: it gives no cell a value, but asks the caller for one, and meets other accesses as the write that it
/// is. Unsupported at an undef in another form, as `check` is.
PrimFunc as_program(const Linked& linked);

/// `check` of a linked function. An assume of the entry is a precondition of its callers, as ever. An assume of a
/// callee is proved where it stands, from what the stores and the entry's own assumes left in the cells, with no other
/// assume of a callee given: what is permitted to be read (`P or A[i] == T.undef()`) must hold a value where P is
/// false, and conflicts with other accesses as the write that it is. Refuted: an input on which the interpreter meets
/// the false assume, or another error.
CheckReport check(const Linked& linked, Prover& prover);

}  // namespace hexproof
