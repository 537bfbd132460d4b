// merge-loops {at: first of two loops that follow one another in a Seq}
//
//   for i in [m, m + n): S1(i)            for i in [m, m + n):
//   for j in [m', m' + n'): S2(j)   ->      S1(i)
//                                           S2(i)
//
// Side conditions
//  1. The bounds depend on no buffer's content, the loops are of one kind and type, not vectorized (checked here).
//  2. m == m' and n == n'.
//  3. For all iterations i > j: W1(i) meets neither R2(j) nor W2(j), and R1(i) does not meet W2(j), where Wk(i) and
//     Rk(i) are the cells that Sk writes and reads in iteration i. S1(i) used to run before S2(j) and now runs after
//     it. (Both ranges count for both variables. The condition over i < j says nothing.)
//  4. Accumulations T[c] = T[c] op e on one buffer may change places in a ring of integers, or on floats when `reassoc`
//     is granted; all other pairs of 3 stay owed.
//  5. Parallel loops: 3 for all i != j and without the exception 4, because the merged iterations race.
//  6. Where S1 holds an assume, S2 is free of errors without those of later iterations.
#include "ir/visit.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/nest.h"

namespace hexproof {
namespace {

Rewrite merge_loops(const PrimFunc& func, const MergeLoopsArgs& args) {
  const Path& at = args.at;
  const Path around = above(at);
  const Seq& list = record_at<Seq>(func, around, "a sequence around the loop");
  size_t k = static_cast<size_t>(at.back());
  const For& first = record_at<For>(func, at, "a loop");
  if (k + 1 >= list.stmts.size()) throw NotApplicable("no statement follows the loop");
  const Path next = below(around, at.back() + 1);
  const For& second = record_at<For>(func, next, "a loop right behind the first one");
  const Stmt stmt = checked_at(func, at);
  for (const For* loop : {&first, &second}) {
    require_index(func, loop->min, "the start of a loop");
    require_index(func, loop->extent, "the extent of a loop");
  }
  if (first.kind != second.kind || first.kind == ForKind::Vectorized || first.thread_tag != second.thread_tag) {
    throw EngineLimit("only loops of one kind, not vectorized, are merged");
  }
  if (!(first.var.dtype() == second.var.dtype())) throw NotApplicable("the loop variables are of different types");

  Rewrite result;
  For merged = first;
  merged.body = seq({first.body, substitute(second.body, VarMap{{second.var, first.var}})});
  std::vector<Stmt> stmts = list.stmts;
  stmts[k] = make_stmt(merged, stmt->span);
  stmts.erase(stmts.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  result.after = replace_at(func, around, seq(stmts));
  owe_no_error_before_assumes(first.body, result.after, stmts.size() == 1 ? around : at, &result.needs);

  Facts facts = facts_at(func, at);
  std::vector<Expr> given = facts.given();
  auto owe = [&](const std::string& why, const Expr& goal) {
    result.needs.push_back(need("merge-loops", why, func, stmt, given, facts.resolve(goal)));
  };
  owe("the loops start at one value", eq(first.min, second.min));
  owe("the loops have one extent", eq(first.extent, second.extent));

  const Period period(func, at, next);
  std::vector<Access> one = period.accesses(below(at, 0)), two = renamed(period.accesses(below(next, 0)), {});
  Expr i(first.var), j(second.var);
  given = join(given, ranges_of(facts, {first, second}));
  bool parallel = first.kind == ForKind::Parallel || first.kind == ForKind::ThreadBinding;
  Sums sums = parallel ? Sums::Fixed : Sums::Exchange;
  owe_no_conflict("merge-loops", "what the first loop does later touches no cell of what the second did before", func,
                  stmt, join(given, {gt(i, j)}), one, two, sums, &result.needs);
  if (parallel) {
    owe_no_conflict("merge-loops", "two iterations of the merged parallel loop touch no cell", func, stmt,
                    join(given, {lt(i, j)}), one, two, sums, &result.needs);
  }
  return result;
}

}  // namespace

extern const Rule k_merge_loops{rule<merge_loops>("for i: S1(i); for j: S2(j)  ->  for i: { S1(i); S2(i) }")};

}  // namespace hexproof
