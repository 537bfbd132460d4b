// Calls of schedule primitives as steps of campaigns.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/steps/proposal.h"

namespace hexproof {

/// Those that may change the program of a function, in the order of the table (rewrite/schedule/primitives.def): all
/// but questions, samples, and what works on a module.
const std::vector<std::string>& campaign_primitives();

/// A step "primitive" whose arguments stand by the names of their parameters: blocks and buffers by name, a loop as
/// {"loop": NAME, "index": K} (as `get_loop`), lists of these and of integers, index maps as texts "lambda ...",
/// {"undef": true}, null. What comes for `*loops` is a list.
StepRequest random_primitive(Proposal& p, const std::string& name);

/// Calls it. Errors: those of the primitive, and Error for a name that the table lacks.
void apply_primitive(Derivation& derivation, const nlohmann::ordered_json& args, Prover& prover);

/// Half of all steps are the primitive `wanted`, when it is given, and the others any. Nothing after `left` steps.
class RandomPrimitives {
 public:
  RandomPrimitives(Choices& choices, std::string wanted, int left = 6)
      : choices_(choices), wanted_(std::move(wanted)), left_(left) {}
  std::optional<StepRequest> operator()(const PrimFunc& current);

 private:
  Choices& choices_;
  std::string wanted_;
  int left_;
  size_t taken_ = 0;
};

}  // namespace hexproof
