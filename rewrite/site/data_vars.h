// Undefs and variables in expressions and statements.
#pragma once
#include "ir/visit.h"

namespace hexproof {

bool holds_undef(const Expr& e);
/// May one execution of `stmt` evaluate the variable more than once? (It stands there twice, or inside of a loop.)
bool evaluates_often(const Stmt& stmt, const Var& var);

}  // namespace hexproof
