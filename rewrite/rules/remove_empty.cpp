// remove-empty {at: statement}
// remove-empty {at: loop, kind: "no-iteration"}
//
//   for i in [m, m + n): { }      ->      (nothing)       and so for if, let, allocation, view, note, block
//   T.evaluate(e)                 ->      (nothing)
//   for i in [m, m + n): S(i)     ->      (nothing)       where n <= 0
//
// What is left out is only evaluated: no store, no assume and no other evaluate stands in it (checked here). An error
// that goes with it is no loss; an evaluate, which somebody put there for the sake of its error, waits for a proof.
//
// Side conditions
//  1. T.evaluate(e): e is no error.
//  2. no-iteration: n <= 0.
#include "ir/visit.h"
#include "rewrite/find.h"
#include "verify/check.h"

namespace hexproof {
namespace {

bool does_nothing(const Stmt& stmt) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    found |= s.as<Store>() || s.as<Assume>() || s.as<Evaluate>();
    return !found;
  });
  return !found;
}

Rewrite remove_empty(const PrimFunc& func, const Args& args) {
  const Path& at = arg<Path>(args, "at");
  const Stmt stmt = checked_at(func, at);
  Rewrite result{.after = without(func, at), .needs = {}};
  if (args.count("kind")) {
    if (arg<std::string>(args, "kind") != "no-iteration") throw NotApplicable("the kind is not no-iteration");
    const For& loop = record_at<For>(func, at, "a loop");
    Facts facts = facts_at(func, at);
    Expr none = le(facts.resolve(loop.extent), zero(loop.extent->dtype));
    result.needs.push_back(need("remove-empty", "the loop never runs", func, stmt, facts.given(), none));
    return result;
  }
  if (stmt.as<Evaluate>()) {
    try {
      result.needs = free_of_errors(func, at);
    } catch (const Unsupported& error) {
      throw NotApplicable(error.what());
    }
    for (Obligation& o : result.needs) o.rule = "remove-empty";
    return result;
  }
  if (stmt.as<Seq>()) throw NotApplicable("a sequence is taken away part by part");
  if (!does_nothing(stmt)) throw NotApplicable("the statement does something");
  return result;
}

}  // namespace

extern const Rule k_remove_empty{"remove-empty", "a statement without effect  ->  nothing", &remove_empty};

}  // namespace hexproof
