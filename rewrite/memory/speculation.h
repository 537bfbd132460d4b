// Expressions that are evaluated sooner than they were: in front of a statement that used to evaluate them inside.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// An expression inside a statement: where the statement stands that holds it, and the way to it, as in `simplify`:
/// the position among expressions(stmt), then operands on the way down.
struct ExprPlace {
  Path statement;
  Path expr;
};
/// NotApplicable when the place leads nowhere, or to an expression that is not executed (a claim of a block, a
/// condition of an assume).
Expr checked_expr(const PrimFunc& func, const ExprPlace& place);
/// The positions among expressions(stmt) of what the statement evaluates when it runs.
std::set<size_t> executed_expressions(const Stmt& stmt);

/// What must hold for `value`, which stands at `place` inside the statement at `at`, to be evaluated once in front of
/// that statement instead, each time with the value it had:
///  - it speaks of nothing that is bound or allocated in the statement, and holds no undef (NotApplicable);
///  - the statement writes no cell that it reads;
///  - the evaluation in front is no error: it fits its type by what is known there; or, when it reads memory, it was
///    evaluated in any case: nothing but loops that surely run stands between, and no assume of the statement is what
///    keeps it from being an error.
std::vector<Obligation> evaluated_in_front(const std::string& rule, const PrimFunc& func, const Path& at,
                                           const ExprPlace& place, const Expr& value);

/// `stmt` with every executed expression mapped by `f`, which maps whole expressions. Claims of blocks, assumes and
/// shapes stay.
Stmt map_executed(const Stmt& stmt, const std::function<Expr(const Expr&)>& f);

/// `e` with each occurrence of `what` (top down) replaced by the constant, and and, or, not and choices that then have
/// a constant operand folded.
Expr with_condition(const Expr& e, const Expr& what, bool holds);
/// The same for a statement: ifs with a constant condition and statements that do nothing any more go.
Stmt with_condition(const Stmt& stmt, const Expr& what, bool holds);

}  // namespace hexproof
