// The class of an arithmetic operation: index arithmetic, where an overflow is an error, or data arithmetic, which wraps.
// It is a property of the node (ExprNode::wraps), decided when the program is read.
#pragma once
#include "ir/stmt.h"

namespace hexproof {

/// The operation (one of which may_wrap says so, or a ramp of integers) in the class that is told.
Expr with_class(const Expr& e, bool wraps);
/// Does a load, a call or an undef stand in it? (A variable that is bound to data holds what was read before; is_data sees
/// that too.)
bool reads_memory(const Expr& e);
/// The statement with each let and block variable marked as data exactly where its value is, as the parser marks it: those
/// that other values were put in for are replaced by fresh ones. No operation changes its class.
Stmt with_marked_variables(const Stmt& stmt);

}  // namespace hexproof
