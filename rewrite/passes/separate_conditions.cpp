// Conditions on one loop each: what hoists out of the loops that they do not speak of.
#include "ir/visit.h"
#include "rewrite/expr_rules/site.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/values.h"
#include "verify/prove/prove_step.h"

namespace hexproof {
namespace {

/// The comparisons below the condition of the `if` at `at`, as conditions by digit wherever a form is proved.
std::vector<Application> by_digit(Strategy& s, const Path& at) {
  std::vector<Application> found;
  ExprSite site(s.func(), at);
  std::function<void(const Path&)> look = [&](const Path& where) {
    const Expr& e = site.expr(where);
    if (e->op == Op::And || e->op == Op::Or || e->op == Op::Not) {
      for (size_t k = 0; k < e->args.size(); ++k) look(below(where, static_cast<int>(k)));
      return;
    }
    for (const Candidate& c : site.candidates(where, kSeparateDigits)) {
      if (!all_hold(s.prover, c.needs)) continue;
      found.push_back({kSeparateDigits, c.ordinal, at, where});
      return;
    }
  };
  look({0});
  return found;
}

bool joins(const Stmt& x) {
  const If* outer = x.as<If>();
  const If* inner = outer && !outer->else_case ? outer->then_case.as<If>() : nullptr;
  return inner && !inner->else_case;
}

}  // namespace

int separate_conditions(Strategy& s) {
  int count = 0;
  while (int joined = s.everywhere(JoinConditionsArgs{}, joins)) count += joined;
  for (const Path& at : s.all<If>()) {
    std::vector<Application> found = by_digit(s, at);
    if (!found.empty()) count += s.apply(SimplifyArgs{.at = at, .applications = found});
  }
  return count;
}

}  // namespace hexproof
