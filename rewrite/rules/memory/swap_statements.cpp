// swap-statements {at: first of two statements that follow one another in a Seq}
//
//   S1                            ->      S2
//   S2                                    S1
//
// This is how loops become neighbours that others stand between, and how padding is written before what does not touch
// it instead of after.
//
// Side conditions
//  1. No access of S1 and access of S2 touch one cell with one of them writing. What an assume speaks of counts as
//     read: it does not move over a store that may hit its cells.
//  2. Accumulations T[c] = T[c] op e on one buffer may change places in a ring of integers, or on floats when `reassoc`
//     is granted; all other pairs of 1 stay owed.
//  3. Where S1 holds an assume, S2 is free of errors without it.
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite swap_statements(const PrimFunc& func, const SwapStatementsArgs& args) {
  const Path& at = args.at;
  const Path around = above(at);
  const Seq& list = record_at<Seq>(func, around, "a sequence around the statement");
  const Stmt first = checked_at(func, at);
  size_t k = static_cast<size_t>(at.back());
  if (k + 1 >= list.stmts.size()) throw NotApplicable("no statement follows");
  const Path next = below(around, at.back() + 1);
  const Stmt second = checked_at(func, next);
  std::vector<Stmt> stmts = list.stmts;
  std::swap(stmts[k], stmts[k + 1]);
  Rewrite result{.after = replace_at(func, around, seq(std::move(stmts))), .needs = {}};

  const Period period(func, at, next);
  std::vector<Access> one = period.accesses(at), two = renamed(period.accesses(next), {});
  owe_no_conflict("swap-statements", "the statements touch no cell of each other's", func, first, period.given(), one,
                  two, Sums::Exchange, &result.needs);
  owe_no_error_before_assumes(first, result.after, at, &result.needs);
  return result;
}

}  // namespace

extern const Rule k_swap_statements{rule<swap_statements>("S1; S2  ->  S2; S1")};

}  // namespace hexproof
