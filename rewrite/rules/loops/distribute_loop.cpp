// distribute-loop {at: loop, count: how many statements of its body stay in the first loop}
//
//   for i in [m, m + n):                  for i in [m, m + n): S1(i)
//     S1(i)                       ->      for j in [m, m + n): S2(j)
//     S2(i)
//
// Side conditions
//  1. The bounds depend on no buffer's content (checked here): they are evaluated again, after S1.
//  2. For all iterations i > j: W1(i) meets neither R2(j) nor W2(j), and R1(i) does not meet W2(j): S2(j) used to run
//     before S1(i) and now runs after it.
//  3. Accumulations T[c] = T[c] op e on one buffer may change places in a ring of integers, or on floats when `reassoc`
//     is granted; all other pairs of 2 stay owed.
//  4. Where S2 holds an assume, S1 is free of errors without those of earlier iterations.
//  5. The body is a sequence in which nothing is declared around both parts (checked here).
#include "ir/visit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/nest.h"

namespace hexproof {
namespace {

Rewrite distribute_loop(const PrimFunc& func, const DistributeLoopArgs& args) {
  const Path& at = args.at;
  const For& loop = record_at<For>(func, at, "a loop");
  const Stmt stmt = checked_at(func, at);
  const Seq* list = loop.body.as<Seq>();
  int64_t count = args.count;
  if (!list) throw NotApplicable("the body of the loop is no sequence");
  if (count < 1 || count >= static_cast<int64_t>(list->stmts.size())) {
    throw NotApplicable("both loops must get a statement");
  }
  require_index(func, loop.min, "the start of the loop");
  require_index(func, loop.extent, "the extent of the loop");

  Var var = Var::fresh(loop.var.name(), loop.var.dtype());
  auto cut = list->stmts.begin() + count;
  Stmt s1 = seq(std::vector<Stmt>(list->stmts.begin(), cut)), s2 = seq(std::vector<Stmt>(cut, list->stmts.end()));
  For first = loop, second = loop;
  first.body = s1;
  second.var = var;
  second.body = substitute(s2, VarMap{{loop.var, var}});
  Rewrite result{.after = replace_at(func, at, seq({make_stmt(first, stmt->span), make_stmt(second, stmt->span)})),
                 .needs = {}};

  const Period period(func, at);
  const Facts& facts = period.start();
  std::vector<Access> one = period.accesses(s1, below(at, 0));
  std::vector<Access> two = renamed(period.accesses(s2, below(at, 0)), {{loop.var, var}});
  std::vector<Expr> given = join(facts.given(), ranges_of(facts, {first, second}));
  given.push_back(gt(Expr(loop.var), Expr(var)));
  owe_no_conflict("distribute-loop", "what the first part does later touches no cell of what the second did before",
                  func, stmt, given, one, two, Sums::Exchange, &result.needs);
  owe_no_error_before_assumes(s2, result.after, below(at, 0), &result.needs);
  return result;
}

}  // namespace

extern const Rule k_distribute_loop{rule<distribute_loop>("for i: { S1(i); S2(i) }  ->  for i: S1(i); for j: S2(j)")};

}  // namespace hexproof
