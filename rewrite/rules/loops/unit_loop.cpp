// unit-loop {at: loop}
//
//   for i in [m, m + n): S(i)     ->      S(m)
//
// Side conditions
//  1. n == 1.
//  2. m depends on no buffer's content (checked here): it is evaluated at each use.
#include "ir/visit.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite unit_loop(const PrimFunc& func, const UnitLoopArgs& args) {
  const Path& at = args.at;
  const For& loop = record_at<For>(func, at, "a loop");
  const Stmt stmt = checked_at(func, at);
  require_index(func, loop.min, "the start of the loop");
  Facts facts = facts_at(func, at);
  Expr one = eq(facts.resolve(loop.extent), imm(loop.extent->dtype, 1));
  return {.after = replace_at(func, at, substitute(loop.body, VarMap{{loop.var, loop.min}})),
          .needs = {need("unit-loop", "the loop runs exactly once", func, stmt, facts.given(), one)}};
}

}  // namespace

extern const Rule k_unit_loop{rule<unit_loop>("for i in [m, m + 1): S(i)  ->  S(m)")};

}  // namespace hexproof
