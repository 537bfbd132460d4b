// Every expression rule is a theorem: here it is stated and proved. (Those that are shown at each use claim nothing
// here.)
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "rewrite/expr_rules/rule.h"
#include "verify/prove/theorem.h"

namespace hexproof {

/// One claim of a rule at its types, and the solver's answer to it.
struct RuleProof {
  const RuleInstance* instance;
  std::string claim;  // "index", "data", "any" (both readings are one), or "guards" (see ExprRewrite)
  Answer answer;
  /// `rule [types] claim`
  std::string str() const;
};

/// Proves every claim of every rule (of the one named `only`, unless that is empty) anew, in `jobs` threads (0: one per
/// core). `done` is called after each proof, from one thread at a time. The order of the result is that of the rules.
std::vector<RuleProof> prove_rules(const std::string& only = "", int jobs = 0,
                                   const std::function<void(const RuleProof&)>& done = {});

/// Does the claim still hold when the rule's guards are dropped? (Refuted shows that they are needed.)
Answer prove_without_guards(const RuleInstance& instance);

}  // namespace hexproof
