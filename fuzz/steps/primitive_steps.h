// Calls of schedule primitives as steps of campaigns.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/steps/proposal.h"
#include "rewrite/schedule/call.h"

namespace hexproof {

/// Those that may change a program, in the order of the table (rewrite/schedule/primitives.def): all but questions and
/// samples.
const std::vector<std::string>& campaign_primitives();
/// Without those that work on a module alone.
const std::vector<std::string>& function_primitives();

/// How functions that a stage became are called: this and a number.
inline const std::string kHoisted = "stage_";

/// A step "primitive" whose arguments stand by the names of their parameters (a parameter `name` as "name="): blocks
/// and buffers by name, a loop as {"loop": NAME, "index": K} (as `get_loop`), lists of these and of integers, index
/// maps as texts "lambda ...", {"undef": true}, null, {"indices": ["i"], "condition": "i < 3"}, an intrinsic also as
/// {"description": TEXT}. What comes for `*loops` is a list.
StepRequest random_primitive(Proposal& p, const std::string& name);

/// Calls it on the schedule of a function or of a module. Errors: those of the primitive, Error for a name that the
/// table lacks, and runtime_error where an intrinsic's description was taken for a nest that computes something else.
void call_primitive_of_step(const calls::Target& target, const nlohmann::ordered_json& args);
/// The same on a derivation.
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
