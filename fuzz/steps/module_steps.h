// Schedules on modules as steps of campaigns: stages of a function become functions, each with primitives of its own.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fuzz/case.h"
#include "fuzz/choices.h"
#include "rewrite/module/schedule.h"

namespace hexproof {

/// The name of a step that calls a primitive on the module: its arguments are those of a step "primitive".
inline const std::string kModuleStep = "module";

/// What works on a module alone: work_on, hoist_stage, expose, permit.
const std::vector<std::string>& module_primitives();

/// The function of a case as a module, under a schedule.
class ModuleCase {
 public:
  ModuleCase(const PrimFunc& program, Prover& prover);
  ModuleCase(const ModuleCase&) = delete;
  ModuleCase& operator=(const ModuleCase&) = delete;

  /// Calls a primitive. False: it went through and changed nothing (to choose a function is a change). Errors: those of
  /// the primitive.
  bool apply(const nlohmann::ordered_json& args);
  /// The function that primitives go to, as it stands.
  const PrimFunc& chosen() const { return module_.function(schedule_.function()).current(); }
  /// What the case's function means now: linked with what it calls, proved as at the end of a schedule on a module.
  /// Refused: the functions together are not what they were, as far as is proved.
  PrimFunc linked() const;
  /// The functions that it calls, over others too: each with what it calls.
  std::vector<PrimFunc> callees() const;
  /// How its arguments changed.
  std::vector<InterfaceChange> interface() const { return module_.interface(entry_); }

 private:
  size_t changes() const;

  Prover& prover_;
  std::string entry_;
  ModuleDerivation module_;
  ModuleSchedule schedule_;
};

/// Steps on a module: stages are hoisted, functions chosen, and primitives called on them, `wanted` the most, when it
/// is given. Nothing after `left` steps.
class RandomModuleSteps {
 public:
  RandomModuleSteps(Choices& choices, std::string wanted, int left = 7)
      : choices_(choices), wanted_(std::move(wanted)), left_(left) {}
  /// `chosen`: the function that primitives go to.
  std::optional<StepRequest> operator()(const PrimFunc& chosen);

 private:
  std::string next(const PrimFunc& chosen);

  Choices& choices_;
  std::string wanted_;
  int left_;
  size_t taken_ = 0;
};

}  // namespace hexproof
