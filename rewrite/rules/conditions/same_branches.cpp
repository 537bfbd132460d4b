// same-branches {at: if}
//
//   if c: S  else: S              ->      T.evaluate(c); S
//
// Side conditions
//  1. The branches are one program up to the names of what they bind (checked here).
//  2. What c evaluates may be an error, which S alone would not be: it stays as an evaluate, which `remove-empty`
//     takes away once it is proved to be none.
//  3. What the blocks in S claim holds of the instances of both branches together (claims.h).
#include "ir/visit.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite same_branches(const PrimFunc& func, const SameBranchesArgs& args) {
  const Path& at = args.at;
  const If& branch = record_at<If>(func, at, "an if");
  const Stmt stmt = checked_at(func, at);
  if (!branch.else_case) throw NotApplicable("the if has no else");
  if (!same_program(replace_at(func, at, branch.then_case), replace_at(func, at, branch.else_case))) {
    throw NotApplicable("the branches differ");
  }
  Stmt evaluated = make_stmt(Evaluate{branch.condition}, stmt->span);
  return {.after = replace_at(func, at, seq({evaluated, branch.then_case})), .needs = {}};
}

}  // namespace

extern const Rule k_same_branches{rule<same_branches>("if c: S else: S  ->  T.evaluate(c); S")};

}  // namespace hexproof
