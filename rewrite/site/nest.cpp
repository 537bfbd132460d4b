#include "rewrite/site/nest.h"

#include "ir/visit.h"
#include "verify/facts/memory_size.h"

namespace hexproof {

Nest nest_at(const PrimFunc& func, const Path& at, size_t count) {
  Nest nest;
  nest.body = checked_at(func, at);
  nest.body_path = at;
  while (nest.loops.size() < count) {
    if (const For* loop = nest.body.as<For>()) {
      nest.loops.push_back(*loop);
      nest.body = Stmt(loop->body);
    } else if (const If* branch = nest.body.as<If>(); branch && !branch->else_case && !nest.loops.empty()) {
      require_index(func, branch->condition, "a condition between the loops");
      nest.guards.push_back(branch->condition);
      nest.guard_depth.push_back(nest.loops.size());
      nest.body = Stmt(branch->then_case);
    } else {
      throw NotApplicable("there are no " + std::to_string(count) + " perfectly nested loops here");
    }
    nest.body_path.push_back(0);
  }
  return nest;
}

Stmt guarded(const std::vector<Expr>& guards, Stmt body, const Span& span) {
  for (size_t k = guards.size(); k-- > 0;) body = make_stmt(If{guards[k], std::move(body), {}}, span);
  return body;
}

void require_independent_bounds(const PrimFunc& func, const Nest& nest) {
  for (const For& loop : nest.loops) {
    require_index(func, loop.min, "the start of a loop");
    require_index(func, loop.extent, "the extent of a loop");
    for (const For& other : nest.loops) {
      if (uses_var(loop.min, other.var) || uses_var(loop.extent, other.var)) {
        throw NotApplicable("the bounds of loop '" + loop.var.name() + "' depend on loop '" + other.var.name() + "'");
      }
    }
  }
}

Expr bound_is_no_error(const Expr& e) {
  const bool leaf = e->op == Op::IntImm || e->op == Op::Var;
  if (e->dtype != kUInt64) return leaf ? boolean(true) : fits(e);
  return leaf ? counted_in_int64(e) : land(fits(e), counted_in_int64(e));
}

void owe_bounds(const std::string& rule, const PrimFunc& func, const Stmt& stmt, const Facts& facts,
                const std::vector<For>& loops, std::vector<Obligation>* needs) {
  for (const For& loop : loops) {
    auto owe = [&](const Expr& goal) {
      if (is_int(goal, 1)) return;
      needs->push_back(need(rule,
                            "the bounds of loop '" + loop.var.name() + "' are no error where they are now evaluated",
                            func, stmt, facts.given(), goal));
    };
    const Expr min = facts.resolve(loop.min), extent = facts.resolve(loop.extent);
    owe(bound_is_no_error(min));
    owe(bound_is_no_error(extent));
    if (is_int(min, 0)) continue;
    // The end is not evaluated: the last value is the greatest that the variable has.
    const Expr one = imm(extent->dtype, 1), last = fold(min + fold(extent - one));
    if (last->op != Op::IntImm && last->op != Op::Var) owe(lor(lt(extent, one), fits(last)));
  }
}

std::vector<Expr> ranges_of(const Facts& facts, const std::vector<For>& loops) {
  std::vector<Expr> ranges;
  for (const For& loop : loops) {
    for (const Expr& e : range_of(Expr(loop.var), facts.resolve(loop.min), facts.resolve(loop.extent))) {
      ranges.push_back(e);
    }
  }
  return ranges;
}

}  // namespace hexproof
