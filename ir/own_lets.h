// Copies of expressions bind variables of their own.
#pragma once
#include "ir/stmt.h"

namespace hexproof {

/// An expression that stands in a body twice binds the variables of its lets twice. Here each let but the first has a
/// variable of its own: in expressions, and in the layouts of what is allocated or declared. What has a new layout is
/// a new buffer.
Stmt with_lets_of_their_own(const Stmt& body);
/// Equal, whatever the variables of the lets inside are?
bool same_up_to_lets(const Expr& a, const Expr& b);

}  // namespace hexproof
