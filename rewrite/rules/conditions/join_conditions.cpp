// join-conditions {at: if around an if, back: 0 (default) or 1}
//
//   if a:                         ->      if a and b: S            and back
//     if b: S
//
// Neither if has an else; the if inside is all that stands in the outer one.
//
// Side conditions
//  1. `and` evaluates both sides: b is no error where a does not hold. (Back, b is evaluated less often.)
//  2. b holds no undef and reads no memory (checked here): its error would not be seen from its arithmetic alone.
#include "ir/visit.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite join_conditions(const PrimFunc& func, const JoinConditionsArgs& args) {
  const Path& at = args.at;
  bool back = args.back.value_or(false);
  const If& outer = record_at<If>(func, at, "an if");
  const Stmt stmt = checked_at(func, at);
  if (outer.else_case) throw NotApplicable("the if has an else");
  if (back) {
    if (outer.condition->op != Op::And) throw NotApplicable("the condition is no `and`");
    Stmt inner = make_stmt(If{outer.condition->args[1], outer.then_case, {}}, stmt->span);
    return {.after = replace_at(func, at, make_stmt(If{outer.condition->args[0], inner, {}}, stmt->span)), .needs = {}};
  }
  const If* inner = outer.then_case.as<If>();
  if (!inner || inner->else_case) throw NotApplicable("no if without an else stands alone in the if");
  if (is_data(inner->condition) || holds_undef(inner->condition)) {
    throw NotApplicable("the condition inside depends on a buffer's content");
  }
  Facts facts = facts_at(func, at);
  Stmt joined = make_stmt(If{land(outer.condition, inner->condition), inner->then_case, {}}, stmt->span);
  return {.after = replace_at(func, at, joined),
          .needs = {need("join-conditions", "the condition inside is no error where the one around it does not hold",
                         func, stmt, facts.given(), fits(facts.resolve(inner->condition)))}};
}

}  // namespace

extern const Rule k_join_conditions{rule<join_conditions>("if a: if b: S  ->  if a and b: S; and back")};

}  // namespace hexproof
