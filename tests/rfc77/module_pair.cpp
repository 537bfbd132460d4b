#include "tests/rfc77/module_pair.h"

#include <ctime>

#include "ir/text/text.h"
#include "rewrite/module/schedule.h"

namespace hexproof::rfc77 {
namespace {

/// Every function as it was linked first and as it is now, where the module is entered.
void add_linked(const ModuleDerivation& module, Prover& prover, Ran* ran) {
  const IRModule now = module.current();
  for (const std::string& entry : entries(now)) {
    if (!find_function(module.source(), entry)) continue;
    bool calls = has_calls(*find_function(now, entry)) || has_calls(*find_function(module.source(), entry));
    if (!calls) continue;
    ran->refinements.push_back({"the whole of " + entry + " with what it calls",
                                link(module.source(), entry, prover).func, link(now, entry, prover).func,
                                module.interface(entry)});
  }
}

}  // namespace

Ran run_schedule_on_module(const IRModule& before, const std::string& schedule, const std::string& name,
                           Prover& prover) {
  Ran out;
  ModuleDerivation module(before);
  std::clock_t start = std::clock();
  std::vector<LinkedProof> linked;
  try {
    run_schedule(module, prover, std::make_shared<const SourceFile>(SourceFile{name + ".py", schedule}));
    linked = module.prove_linked(prover);
  } catch (const Refused& refused) {
    out.refusal = refused.what();
  } catch (const Error& error) {
    out.refusal = error.what();
  }
  out.milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  for (const std::string& function : module.names()) {
    for (const FunctionChain& chain : module.chains(function)) {
      if (!has_calls(chain.derivation.source())) add_refinements(chain.derivation, &out);
    }
  }
  for (const JointStep& step : module.joint_steps()) {
    ++out.steps;
    for (const LinkedProof& proof : step.proofs) out.obligations += proof.check.obligations.size();
  }
  for (const LinkedProof& proof : linked) out.obligations += proof.check.obligations.size();
  add_linked(module, prover, &out);
  out.after = module.current();
  return out;
}

}  // namespace hexproof::rfc77
