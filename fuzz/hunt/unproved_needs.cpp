#include "fuzz/hunt/unproved_needs.h"

#include "fuzz/hunt/quick_look.h"
#include "rewrite/kernel/claims.h"
#include "rewrite/kernel/mutant_needs.h"
#include "verify/check/items/claims.h"

namespace hexproof {

std::string fault_of(const std::string& rule, const Obligation& need) {
  return need.rule == kBlockClaims ? "kernel/block-claims" : mutant_without(rule, need);
}

std::set<std::string> unproved_needs(const PrimFunc& program, const StepRequest& step, Prover& prover) {
  std::set<std::string> out;
  std::optional<Rewrite> rewrite = unproved(program, step);
  if (!rewrite) return out;
  settle_claims(step.rule, to_args(step.args, &program), program, &*rewrite);
  for (const Obligation& need : rewrite->needs) {
    const std::string fault = fault_of(step.rule, need);
    if (!out.count(fault) && prover.prove(need).verdict != Verdict::Proved) out.insert(fault);
  }
  return out;
}

}  // namespace hexproof
