#include "fuzz/hunt/redundant_faults.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "fuzz/hunt/redundant_needs.h"
#include "ir/visit.h"
#include "rewrite/expr_rules/rule.h"
#include "rewrite/kernel/mutant_needs.h"

namespace hexproof {

namespace {

void conjuncts_of(const Expr& e, std::vector<Expr>* out) {
  if (!e) return;
  if (e->op != Op::And) return out->push_back(e);
  for (const Expr& arg : e->args) conjuncts_of(arg, out);
}

/// The K-th condition of the instance, and whether it is asked of index arithmetic alone.
struct Condition {
  Expr formula;
  bool of_index = false;
};
std::optional<Condition> condition_of(const RuleInstance& instance, size_t number) {
  std::vector<Expr> all;
  conjuncts_of(instance.rewrite.when, &all);
  const size_t of_both = all.size();
  conjuncts_of(instance.rewrite.when_index, &all);
  if (number > all.size()) return std::nullopt;
  return Condition{all[number - 1], number > of_both};
}

bool holds(const Expr& whole, const Expr& part) {
  bool found = false;
  visit_expr(whole, [&](const Expr& e) { return found = found || e == part, !found; });
  return found;
}

/// fits(c1 + c2), and c1 + c2 stands in the new expression.
bool is_of_new_constant(const RuleInstance& instance, const Condition& condition) {
  if (!condition.of_index || condition.formula->op != Op::Fits) return false;
  const Expr& made = condition.formula->args[0];
  for (const Var& v : free_vars(made)) {
    if (!is_literal_hole(Expr(v))) return false;
  }
  return holds(instance.rewrite.rhs, made);
}

std::string of_condition(const std::string& fault) {
  std::string reason;
  for (const RuleInstance& instance : rule_instances()) {
    for (size_t number = 1;; ++number) {
      std::optional<Condition> condition = condition_of(instance, number);
      if (!condition) break;
      if (mutant_without_condition(instance.rule->name, number) != fault) continue;
      if (instance.rule->arithmetic == ForArithmetic::IndexAtUse) {
        reason = "the rule is no theorem: each application owes that the new expression fits and equals the old one";
      } else if (is_of_new_constant(instance, *condition)) {
        reason = "a constant that does not fit is not made: the rule does not match then";
      } else {
        return "";
      }
    }
  }
  return reason;
}

/// A single place, read off the code.
std::string of_place(const std::string& fault) {
  if (fault != "kernel/errors-before-assumes") return "";
  return "where the assume is false, both programs meet an error: what is left out is what lets `check` prove the one "
         "after";
}

}  // namespace

std::string why_redundant(const std::string& fault) {
  for (const RedundantNeed& need : redundant_needs()) {
    if (fault == need.fault) return need.reason;
  }
  return fault.starts_with("expr/") ? of_condition(fault) : of_place(fault);
}

}  // namespace hexproof
