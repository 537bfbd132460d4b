// hoist-let {at: statement, statement: a let below it}
// hoist-let {at: statement, statement: one at or below it, expr: path to a T.Let in it (position among its
//            expressions, then operands)}
//
//   for i:                                x = e
//     x = e                       ->      for i:
//     S(x, i)                               S(x, i)
//
// Side conditions
//  1. e speaks of no variable and no memory that is bound in the statement (checked here).
//  2. The statement writes no cell that e reads: e has one value throughout.
//  3. Evaluating e in front is no error, also where it was never evaluated: as `hoist-condition`, condition 3.
//  4. e holds no undef (checked here): each binding chose anew.
//  5. A variable of T.Let is bound to nothing else in the statement (checked here).
#include "ir/visit.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite of_statement(const PrimFunc& func, const Path& at, const Path& place) {
  const LetStmt& let = record_at<LetStmt>(func, place, "a let");
  const Stmt stmt = checked_at(func, at);
  if (place == at) throw NotApplicable("the let stands there already");
  Rewrite result{.after = func, .needs = evaluated_in_front("hoist-let", func, at, {place, {0}}, let.value)};
  PrimFunc inside = replace_at(func, place, let.body);
  result.after = replace_at(func, at, make_stmt(LetStmt{let.var, let.value, stmt_at(inside, at)}, stmt->span));
  return result;
}

Rewrite of_expression(const PrimFunc& func, const Path& at, const ExprPlace& place) {
  const Stmt stmt = checked_at(func, at);
  Expr let = checked_expr(func, place);
  if (let->op != Op::Let) throw NotApplicable("the expression is no T.Let");
  Var var = let->args[0]->var();
  Expr value = let->args[1];
  visit_all_exprs(stmt, [&](const Expr& e) {
    if (e->op == Op::Let && e->args[0]->var() == var && !(e->args[1] == value)) {
      throw NotApplicable("the variable is bound to something else, too");
    }
  });
  // The T.Let itself counts as bound inside: look at the statement without it.
  Stmt without = rewrite_stmt(stmt, [&](const Expr& whole) {
    return rewrite_expr(
        whole, [&](const Expr& e) { return e->op == Op::Let && e->args[0]->var() == var ? Expr(e->args[2]) : e; });
  });
  Rewrite result{.after = func, .needs = evaluated_in_front("hoist-let", func, at, place, value)};
  result.after = replace_at(func, at, make_stmt(LetStmt{var, value, without}, stmt->span));
  return result;
}

Rewrite hoist_let(const PrimFunc& func, const HoistLetArgs& args) {
  const Path &at = args.at, &place = args.statement;
  if (!is_within(place, at)) throw NotApplicable("the let does not stand in the statement");
  if (args.expr) return of_expression(func, at, {place, *args.expr});
  return of_statement(func, at, place);
}

}  // namespace

extern const Rule k_hoist_let{rule<hoist_let>("for i: { x = e; S(x, i) }  ->  x = e; for i: S(x, i)")};

}  // namespace hexproof
