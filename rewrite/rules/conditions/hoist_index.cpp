// hoist-index {at: statement, statement: one at or below it, expr: path to an index expression in it, name: of the
//              variable}   (the path: position among the statement's expressions, then operands)
//
//   for i:                             x = e
//     S(e, i)                  ->      for i:
//                                        S(x, i)
//
// Each occurrence of e that is executed in the statement becomes x. Source: RFC 77, "Future possibilities":
// HoistExpression for portions of expressions that are no conditions.
//
// Side conditions
//  1. e is integer arithmetic on loop variables, scalars and lets of these, reads no memory, and is no constant and no
//     variable (checked here).
//  2. e speaks of nothing that is bound in the statement (checked here): it has one value throughout.
//  3. Evaluating e in front is no error, also where it was never evaluated, as when the loop runs zero times.
#include "ir/visit.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite hoist_index(const PrimFunc& func, const HoistIndexArgs& args) {
  const Path &at = args.at, &statement = args.statement;
  ExprPlace place{statement, args.expr};
  const Stmt stmt = checked_at(func, at);
  if (!is_within(statement, at)) throw NotApplicable("the expression does not stand in the statement");
  Expr value = checked_expr(func, place);
  if (!value->dtype.is_scalar() || !value->dtype.is_integer()) throw NotApplicable("the expression is no integer");
  if (value->args.empty()) throw NotApplicable("there is nothing to compute");
  if (is_data(value)) throw NotApplicable("the expression depends on memory");
  Rewrite result{.after = func, .needs = evaluated_in_front("hoist-index", func, at, place, value)};
  Var var = Var::fresh(args.name, value->dtype);
  Stmt inside = map_executed(stmt, [&](const Expr& whole) {
    return rewrite_expr(whole, [&](const Expr& e) { return e == value ? Expr(var) : e; });
  });
  result.after = replace_at(func, at, make_stmt(LetStmt{var, value, inside}, stmt->span));
  return result;
}

}  // namespace

extern const Rule k_hoist_index{rule<hoist_index>("for i: S(e, i)  ->  x = e; for i: S(x, i)")};

}  // namespace hexproof
