#include "rewrite/expr_rules/prove.h"

#include <algorithm>
#include <mutex>

#include "ir/base/parallel_for.h"
#include "ir/visit.h"

namespace hexproof {

namespace {

bool has_guard(const Expr& e) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) { return found |= node->op == Op::IfThenElse, !found; });
  return found;
}

/// The condition under which `e` evaluates the hole.
Expr evaluates(const Expr& e, const Var& hole) {
  if (e->op == Op::Var) return boolean(e->var() == hole);
  Expr any = boolean(false);
  for (size_t k = 0; k < e->args.size(); ++k) {
    Expr part = evaluates(e->args[k], hole);
    if (e->op == Op::IfThenElse && k > 0) part = land(k == 1 ? e->args[0] : lnot(e->args[0]), part);
    any = lor(any, part);
  }
  return any;
}

std::vector<Expr> guards_of(const ExprRewrite& r, bool index) {
  std::vector<Expr> when;
  if (r.when) when.push_back(r.when);
  if (index && r.when_index) when.push_back(r.when_index);
  return when;
}

bool has_float(const RuleInstance& instance) {
  return std::any_of(instance.types.begin(), instance.types.end(), [](DType t) { return t.is_float(); });
}

/// The claims of one instance.
std::vector<std::string> claims_of(const RuleInstance& instance) {
  std::vector<std::string> claims;
  if (instance.rule->arithmetic == ForArithmetic::IndexAtUse) return claims;
  if (instance.one_reading) {
    claims = {"any"};
  } else if (instance.rule->arithmetic == ForArithmetic::IndexOnly) {
    claims = {"index"};
  } else {
    claims = {"index", "data"};
  }
  if (has_guard(instance.rewrite.lhs) || has_guard(instance.rewrite.rhs)) claims.push_back("guards");
  return claims;
}

Answer answer_to(const RuleInstance& instance, const std::string& claim) {
  const ExprRewrite& r = instance.rewrite;
  const std::string& name = instance.rule->name;
  if (claim == "guards") {
    std::vector<Expr> goals;
    for (const Var& v : free_vars(r.lhs)) goals.push_back(lor(lnot(evaluates(r.rhs, v)), evaluates(r.lhs, v)));
    return prove_theorem({.rule = name,
                          .why = "what the new expression evaluates, the old one evaluated",
                          .where = {},
                          .given = guards_of(r, true),
                          .goal = all(goals)});
  }
  if (claim == "data") return prove_rule(name, r.lhs, r.rhs, guards_of(r, false), RuleUse::Data);
  if (claim == "index") return prove_rule(name, r.lhs, r.rhs, guards_of(r, true), RuleUse::Index);
  // The readings are one, so a proof of either will do. Quotients are easier over the integers.
  Answer answer;
  if (!has_float(instance)) answer = prove_rule(name, r.lhs, r.rhs, guards_of(r, true), RuleUse::Index);
  if (answer.verdict == Verdict::Unknown) answer = prove_rule(name, r.lhs, r.rhs, guards_of(r, true), RuleUse::Data);
  return answer;
}

}  // namespace

std::string RuleProof::str() const {
  std::string types;
  for (DType t : instance->types) types += (types.empty() ? "" : ", ") + t.str();
  return instance->rule->name + " [" + types + "] " + claim;
}

std::vector<RuleProof> prove_rules(const std::string& only, int jobs,
                                   const std::function<void(const RuleProof&)>& done) {
  std::vector<RuleProof> proofs;
  for (const RuleInstance& instance : rule_instances()) {
    if (!only.empty() && instance.rule->name != only) continue;
    for (const std::string& claim : claims_of(instance)) proofs.push_back({&instance, claim, {}});
  }
  std::mutex reporting;
  parallel_for(proofs.size(), jobs, [&](size_t k) {
    proofs[k].answer = answer_to(*proofs[k].instance, proofs[k].claim);
    std::lock_guard lock(reporting);
    if (done) done(proofs[k]);
  });
  return proofs;
}

Answer prove_without_guards(const RuleInstance& instance) {
  const ExprRewrite& r = instance.rewrite;
  RuleUse use = has_float(instance) ? RuleUse::Data : RuleUse::Index;
  return prove_rule(instance.rule->name, r.lhs, r.rhs, {}, use);
}

}  // namespace hexproof
