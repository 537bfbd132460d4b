// The schedule of a pair, run, and what it did, judged again by whole-program comparison, which knows no rule.
#pragma once
#include <string>
#include <vector>

#include "ir/function.h"
#include "rewrite/kernel/kernel.h"

namespace hexproof::rfc77 {

/// Two programs of which the second must refine the first under the relation.
struct Refinement {
  std::string what;  // for messages: "step 3, split", "the whole"
  PrimFunc before, after;
  std::vector<InterfaceChange> changes;
};

/// What a schedule did.
struct Ran {
  IRModule after;       // where it led, also when it was refused
  std::string refusal;  // empty: it was not refused
  size_t steps = 0, obligations = 0;
  double milliseconds = 0;              // of CPU
  std::vector<Refinement> refinements;  // each step, and the whole, of each function
};

/// Runs a schedule on a program: one function, or a module (module_pair.h).
Ran run_schedule_on(const IRModule& before, const std::string& schedule, const std::string& name, Prover& prover);
/// Adds the steps of one derivation, and the whole.
void add_refinements(const Derivation& derivation, Ran* ran);

/// Every refinement is proved: a test failure for each that is not.
void expect_validated(const Ran& ran, Prover& prover);
/// One program refines the other, function by function: "" or why that is not proved.
std::string not_proved(const IRModule& before, const IRModule& after, Prover& prover);
/// A function of `after` is refuted as a refinement of its counterpart, and the interpreter has met the difference: ""
/// or what was found instead. `changes`: by position of the parameter.
std::string not_refuted(const IRModule& before, const IRModule& after, const std::vector<InterfaceChange>& changes,
                        Prover& prover);

/// Where two modules differ as programs, up to names: "" or both texts.
std::string program_difference(const IRModule& found, const IRModule& expected);
/// The module without the flag among those that its functions grant.
IRModule without_flag(IRModule module, const std::string& flag);

}  // namespace hexproof::rfc77
