// Statements that no longer have an assume in front of them.
#pragma once
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// A statement that moves in front of an assume may have relied on it: where the assume is false, the program before
/// ends there, and the one after is through with the statement. Both meet an error, which is all that refinement asks;
/// but what is known of the statement must not come from behind it. So it is owed that `at` in `after` is free of
/// errors, and the claims of its blocks hold, when `passed` holds an assume.
void owe_no_error_before_assumes(const Stmt& passed, const PrimFunc& after, const Path& at,
                                 std::vector<Obligation>* needs);

}  // namespace hexproof
