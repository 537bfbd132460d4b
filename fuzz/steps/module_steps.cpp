#include "fuzz/steps/module_steps.h"

#include <algorithm>

#include "fuzz/steps/primitive_steps.h"
#include "ir/link/link.h"

namespace hexproof {

const std::vector<std::string>& module_primitives() {
  static const std::vector<std::string> names = {"work_on", "hoist_stage", "expose", "permit"};
  return names;
}

ModuleCase::ModuleCase(const PrimFunc& program, Prover& prover)
    : prover_(prover), entry_(program.name), module_({"Module", {program}}), schedule_(module_, prover) {}

size_t ModuleCase::changes() const {
  size_t out = module_.joint_steps().size();
  for (const std::string& name : module_.names()) {
    for (const FunctionChain& chain : module_.chains(name)) out += chain.derivation.steps().size();
  }
  return out;
}

bool ModuleCase::apply(const nlohmann::ordered_json& args) {
  const size_t before = changes();
  call_primitive_of_step({.schedule = nullptr, .module = &schedule_}, args);
  return changes() != before || args.at("name") == "work_on";
}

PrimFunc ModuleCase::linked() const {
  module_.prove_linked(prover_);
  return link(module_.current(), entry_, prover_).func;
}

std::vector<PrimFunc> ModuleCase::callees() const {
  std::vector<PrimFunc> out;
  const IRModule now = module_.current();
  for (const PrimFunc& func : now.functions) {
    if (func.name != entry_) out.push_back(link(now, func.name, prover_).func);
  }
  return out;
}

std::string RandomModuleSteps::next(const PrimFunc& chosen) {
  // Without a function to call there is nothing to choose.
  if (taken_ == 0) return "hoist_stage";
  const bool callee = chosen.name.starts_with(kHoisted);
  const bool promise = wanted_ == "expose" || wanted_ == "permit";
  if (promise && !callee && choices_.chance(70)) return "work_on";
  if (!wanted_.empty() && choices_.chance(50)) return wanted_;
  // One with calls changes by steps on the module alone.
  if (!callee && choices_.chance(60)) return choices_.chance(40) ? "hoist_stage" : "work_on";
  if (choices_.chance(25)) return choices_.pick(module_primitives());
  return choices_.pick(campaign_primitives());
}

std::optional<StepRequest> RandomModuleSteps::operator()(const PrimFunc& chosen) {
  if (left_-- <= 0) return std::nullopt;
  Places places(chosen);
  Proposal proposal{choices_, places, chosen};
  const std::string name = next(chosen);
  ++taken_;
  return StepRequest{kModuleStep, random_primitive(proposal, name).args};
}

}  // namespace hexproof
