// hoist-condition {at: statement, statement: one at or below it, expr: path to a bool in it (position among its
//                  expressions, then operands), block_vars: 1 to put in the bindings of blocks between (default 0)}
//
//   for i: S(c, i)                ->      if c: for i: S(True, i)
//                                         else: for i: S(False, i)
//
// Every occurrence of c that is executed becomes a constant on either side, and what that decides is folded; a
// side that does nothing any more is left out. So `for j: if c and d(j): S` becomes `if c: for j: if d(j): S`.
// Operations stay data arithmetic that were: `T.if_then_else(c, A[i], 3) + x` is `T.wrap(3 + x)` on the other side.
//
// Side conditions
//  1. c speaks of no variable and no memory that is bound in the statement (checked here): with 2 its value is the same
//     at each occurrence. A condition on a let-bound variable waits for `hoist-let`.
//  2. The statement writes no cell that c reads.
//  3. Evaluating c in front is no error, also where it was never evaluated: c is no error by what is known there;
//     or, when c reads memory, it was evaluated in any case (only loops that surely run stand between), and is free of
//     errors without the assumes of the statement.
//  4. c is neither a constant nor holds an undef (checked here); where it is but an operand, as in T.Select, it reads
//     no memory that may hold one: a value may depend on an undef, and a decision may not.
//  5. No thread-bound loop and no allocation of raw memory is copied (checked here).
#include "ir/visit.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"
#include "verify/memory/undef_flow.h"

namespace hexproof {
namespace {

/// The bindings of the blocks from `at` down to `place`, put in for their variables.
Expr with_bindings(const PrimFunc& func, const Path& at, const Path& place, Expr e) {
  std::vector<const Block*> blocks;
  Stmt here = stmt_at(func, at);
  for (size_t k = at.size(); k < place.size(); ++k) {
    if (here.as<Block>()) blocks.push_back(here.as<Block>());
    here = Stmt(children(here)[static_cast<size_t>(place[k])]);
  }
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    VarMap bindings;
    for (const IterVar& iter : (*block)->iters) {
      if (uses_var(e, iter.var)) {
        require_index(func, iter.binding, "a binding of the block");
        bindings.emplace(iter.var, iter.binding);
      }
    }
    e = substitute(e, bindings);
  }
  return e;
}

/// Does the whole of what decides of a statement stand there?
bool decides(const PrimFunc& func, const ExprPlace& place) {
  const Stmt stmt = stmt_at(func, place.statement);
  return place.expr.size() == 1 && (stmt.as<If>() || stmt.as<Block>());
}

bool is_nothing(const Stmt& s) { return !s || (s.as<Seq>() && s.as<Seq>()->stmts.empty()); }

/// A second copy: what it binds is fresh, and its blocks have names of their own.
Stmt second_copy(const Stmt& stmt) {
  return rewrite_stmt(refresh(stmt), {}, [](const Stmt& s) {
    const Block* block = s.as<Block>();
    if (!block) return s;
    Block copy = *block;
    copy.name += "_else";
    return make_stmt(std::move(copy), s->span);
  });
}

Rewrite hoist_condition(const PrimFunc& func, const HoistConditionArgs& args) {
  const Path& at = args.at;
  ExprPlace place{args.statement, args.expr};
  const Stmt stmt = checked_at(func, at);
  if (!is_within(place.statement, at)) throw NotApplicable("the condition does not stand in the statement");
  Expr inner = checked_expr(func, place);
  if (inner->dtype != kBool) throw NotApplicable("the expression is no condition");
  if (as_int(inner)) throw NotApplicable("the condition is a constant");
  bool block_vars = args.block_vars.value_or(false);
  Expr condition = block_vars ? with_bindings(func, at, place.statement, inner) : inner;
  if (as_int(condition)) throw NotApplicable("the condition is a constant");
  if (is_data(condition) && !decides(func, place) && carries_undef(condition, undef_flow(func))) {
    throw NotApplicable("the condition may depend on an undef, and would decide");
  }
  Rewrite result{.after = func, .needs = evaluated_in_front("hoist-condition", func, at, place, condition)};

  Stmt yes = with_condition(stmt, inner, true), no = with_condition(stmt, inner, false);
  if (!(condition == inner)) yes = with_condition(yes, condition, true), no = with_condition(no, condition, false);
  If hoisted{condition, yes, {}};
  if (is_nothing(yes)) {
    hoisted = {lnot(condition), no, {}};
  } else if (!is_nothing(no)) {
    visit_stmt(no, [&](const Stmt& s) {
      if (s.as<For>() && s.as<For>()->kind == ForKind::ThreadBinding) {
        throw NotApplicable("a thread-bound loop would be copied");
      }
      if (s.as<Allocate>()) throw NotApplicable("an allocation of raw memory would be copied");
      return true;
    });
    hoisted.else_case = second_copy(no);
  }
  Stmt after = is_nothing(hoisted.then_case) ? empty_stmt() : make_stmt(std::move(hoisted), stmt->span);
  result.after = replace_at(func, at, after);
  return result;
}

}  // namespace

extern const Rule k_hoist_condition{rule<hoist_condition>("for i: S(c, i)  ->  if c: for i: S(True, i)  else: ...")};

}  // namespace hexproof
