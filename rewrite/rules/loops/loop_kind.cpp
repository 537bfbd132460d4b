#include "rewrite/rules/loops/loop_kind.h"

#include "rewrite/memory/assumed.h"
#include "rewrite/site/nest.h"

namespace hexproof {

Rewrite with_kind(const std::string& rule, const PrimFunc& func, const Path& at, ForKind kind) {
  For loop = record_at<For>(func, at, "a loop");
  const Stmt stmt = checked_at(func, at);
  if (loop.kind != ForKind::Serial) throw NotApplicable("the loop is not serial");
  loop.kind = kind;
  Rewrite result{.after = replace_at(func, at, make_stmt(loop, stmt->span)), .needs = {}};
  if (kind == ForKind::Unrolled) return result;

  Facts facts = facts_at(func, at);
  VarMap second = fresh_copies({loop});
  std::vector<Access> p = Period(func, at).accesses(below(at, 0));
  std::vector<Access> q = renamed(p, second);
  // Bounds are evaluated once, before the loop; one that the body changes says nothing of later iterations.
  std::vector<LoopRange> around = facts_at(func, below(at, 0)).loops;
  std::vector<Expr> given = facts_at(func, below(at, 0)).given();
  for (const Expr& e : range_of(around.back())) given.push_back(substitute(e, second));
  given.push_back(lt(Expr(loop.var), second.at(loop.var)));
  owe_no_conflict(rule, "no two iterations touch one cell", func, stmt, given, p, q, Sums::Fixed, &result.needs);
  owe_no_error_before_assumes(stmt, result.after, at, &result.needs);
  return result;
}

}  // namespace hexproof
