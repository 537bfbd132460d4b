// eliminate-branch {at: If or Block, takes: 1 (the condition holds, the default) or 0 (it does not)}
//
//   if c: S  else: T     ->     S  (takes 1)   or   T  (takes 0)
//   block, T.where(c): S ->     block: S       or   nothing
//
// Side conditions
//  1. Γ implies c (takes 1), or the negation of c (takes 0). Γ holds what the cells that c reads are known to hold.
//  2. c holds no undef (checked here): its value would differ from one evaluation to the next.
#include "ir/visit.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"
#include "verify/memory/content.h"

namespace hexproof {
namespace {

Rewrite eliminate_branch(const PrimFunc& func, const EliminateBranchArgs& args) {
  const Path& at = args.at;
  bool takes = args.takes.value_or(true);
  const Stmt stmt = checked_at(func, at);
  Facts facts = facts_at(func, at);
  Expr condition;
  Stmt after = empty_stmt();
  if (const If* branch = stmt.as<If>()) {
    condition = facts.resolve(branch->condition);
    if (takes) after = branch->then_case;
    if (!takes && branch->else_case) after = branch->else_case;
  } else if (const Block* block = stmt.as<Block>(); block && block->predicate) {
    VarMap bindings;
    for (const IterVar& iter : block->iters) bindings.emplace(iter.var, iter.binding);
    if (holds_undef(substitute(Expr(block->predicate), bindings))) throw NotApplicable("the condition holds an undef");
    condition = facts.resolve(substitute(block->predicate, bindings));
    if (takes) {
      Block open = *block;
      open.predicate = {};
      after = make_stmt(std::move(open), stmt->span);
    }
  } else {
    throw NotApplicable("the path leads neither to an if nor to a block with a predicate");
  }
  if (holds_undef(condition)) throw NotApplicable("the condition holds an undef");
  condition = inline_lets(condition, facts.loops);
  std::vector<Expr> given = with_content(func, at, facts.given(), {condition});
  std::string why = takes ? "the condition always holds here" : "the condition never holds here";
  return {.after = replace_at(func, at, after),
          .needs = {need("eliminate-branch", why, func, stmt, given, takes ? condition : lnot(condition))}};
}

}  // namespace

extern const Rule k_eliminate_branch{
    rule<eliminate_branch>("if c: S else: T  ->  S, where c holds; T, where it does not")};

}  // namespace hexproof
