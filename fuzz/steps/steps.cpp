#include "fuzz/steps/steps.h"

#include "fuzz/hunt/places.h"
#include "fuzz/steps/module_steps.h"
#include "fuzz/steps/primitive_steps.h"
#include "fuzz/steps/proposers/proposers.h"
#include "rewrite/passes/passes.h"

namespace hexproof {
namespace {

using Json = nlohmann::ordered_json;

/// Passes, which find places and witnesses that single rules get by chance only now and then.
Json random_pass(Proposal& p) {
  const Pass& pass = p.choices.pick(all_passes());
  Json args = {{"name", pass.name}};
  if (p.choices.chance(40)) args["block"] = p.block();
  return args;
}

StepRequest by_rule(const Proposer& proposer, Proposal& p) { return {proposer.rule, case_json(proposer.call(p).args)}; }

}  // namespace

const std::vector<std::string>& step_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Rule* rule : all_rules()) out.push_back(rule->name);
    for (const Pass& pass : all_passes()) out.push_back(pass.name);
    out.push_back("sequential_buffer_access");
    return out;
  }();
  return names;
}

std::string step_name(const StepRequest& step) {
  return (step.rule == "pass" || step.rule == "primitive" || step.rule == kModuleStep) && step.args.contains("name")
             ? step.args.at("name").get<std::string>()
             : step.rule;
}

std::optional<StepRequest> RandomSteps::operator()(const PrimFunc& current) {
  if (left_-- <= 0) return std::nullopt;
  Places places(current);
  Proposal proposal{choices_, places, current};
  // A pass tries much by itself, and costs much: once in the beginning, and perhaps again after other steps.
  bool costly = pass_by_name(wanted_) || wanted_ == "sequential_buffer_access";
  if (!wanted_.empty() && choices_.chance(costly ? (left_ == 7 ? 70 : 8) : 60)) {
    if (wanted_ == "sequential_buffer_access") return random_primitive(proposal, "sequential_buffer_access");
    if (pass_by_name(wanted_)) {
      Json args = {{"name", wanted_}};
      if (choices_.chance(20)) args["block"] = proposal.block();
      return StepRequest{"pass", args};
    }
    for (const Proposer& proposer : proposers()) {
      if (proposer.rule == wanted_) return by_rule(proposer, proposal);
    }
  }
  uint32_t kind = passes_ ? choices_.below(100) : 0;
  if (kind >= 92) return random_primitive(proposal, "sequential_buffer_access");
  if (kind >= 72) return StepRequest{"pass", random_pass(proposal)};
  const Proposer& proposer = choices_.pick(proposers());
  return by_rule(proposer, proposal);
}

}  // namespace hexproof
