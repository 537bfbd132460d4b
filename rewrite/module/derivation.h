// Derivations of modules: one chain of proved steps per function, and joint steps that change several functions.
#pragma once
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"
#include "verify/check/module.h"
#include "verify/equiv/equiv.h"

namespace hexproof {

/// What was shown of one function that the module is entered by, linked before and after a change.
struct LinkedProof {
  std::string entry;
  CheckReport check;   // of the function after, every assume of a callee at its call among it: proved
  std::string method;  // what showed that it refines the one before: "same program", or a method of equiv
};

/// A change of several functions, or of what they promise each other. It is right for the module as it is entered, and
/// says nothing of a function by itself: each starts a chain of its own from here.
struct JointStep {
  std::string primitive;  // as written
  Span span = {};
  std::vector<std::string> functions = {};  // that changed, or are new
  std::vector<LinkedProof> proofs = {};
  /// Kernel steps of functions with calls, on what is left of them without their calls.
  std::vector<Step> around_calls = {};
  /// What was done, and to which function as it was: from these it is done again.
  RuleCall call = {};
  PrimFunc of = {};
  /// How many steps each function had before. (Steps that a joint step makes are counted with its functions.)
  std::map<std::string, size_t> steps_before = {};
};

/// A chain of kernel steps of one function, between joint steps.
struct FunctionChain {
  std::vector<InterfaceChange> interface = {};  // by the joint step in front of it
  Derivation derivation;
};

/// What a joint step makes of a module: the chains that it extends by kernel steps, and the functions that it replaces
/// or adds.
struct JointChange {
  std::map<std::string, Derivation> extended = {};
  std::vector<PrimFunc> replaced = {};
  std::map<std::string, std::vector<InterfaceChange>> interface = {};  // of those in `replaced`
  std::vector<Step> around_calls = {};
  RuleCall call = {};         // joint_change() that made it
  std::string function = {};  // of which
};

/// A module under transformation. A function without calls changes by rules of the kernel, under its own contract:
/// arguments with a value in every cell, and its own assumes. One with calls changes by joint steps alone.
class ModuleDerivation {
 public:
  explicit ModuleDerivation(IRModule source);

  const IRModule& source() const { return source_; }
  IRModule current() const;
  std::vector<std::string> names() const { return order_; }
  /// The last chain of a function; valid until the next joint step.
  Derivation& function(const std::string& name);
  const Derivation& function(const std::string& name) const;
  const std::deque<FunctionChain>& chains(const std::string& name) const { return chains_.at(name); }
  const std::vector<JointStep>& joint_steps() const { return joint_; }
  /// Steps of a function since it is there, over all of its chains.
  size_t step_count(const std::string& name) const;
  /// How the arguments of a function changed since it is there.
  std::vector<InterfaceChange> interface(const std::string& name) const;

  /// Makes the change if it can be proved: every function that the module is entered by is linked before and after;
  /// the one after must be free of errors, with every assume of a callee proved at its call, and refine the one before
  /// (under the relation of a changed argument). Throws Refused, or Error where the calls no longer fit; then nothing
  /// has changed.
  void apply(const JointChange& change, Prover& prover, const std::string& primitive, const Span& span);
  /// The same demands on the module as it was first and as it is now: kernel steps of functions looked at nobody's
  /// calls. And every function that a joint step made or changed, or that calls one, is free of errors under its own
  /// contract, as it is now and where steps on it began. Nothing to do for a module without calls.
  std::vector<LinkedProof> prove_linked(Prover& prover) const;

 private:
  void demand_each_free_of_errors(Prover& prover) const;

  IRModule source_;
  std::vector<std::string> order_;
  std::map<std::string, std::deque<FunctionChain>> chains_;
  std::vector<JointStep> joint_;
};

}  // namespace hexproof
