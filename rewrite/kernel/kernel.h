// The kernel: the only code that can build a Derivation, and only from proved needs.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ir/function.h"
#include "ir/layout/layout_change.h"
#include "verify/facts/facts.h"
#include "verify/prove/prover.h"

namespace hexproof {

/// What a rule is told besides the program, as a certificate keeps it so that a step can be replayed. Rules and those
/// who call them have a struct of their own for it (rewrite/kernel/rule_args.h).
using Arg = std::variant<int64_t, std::string, Expr, IndexMap, Path, Var, Buffer, std::vector<Expr>, std::vector<Path>,
                         std::vector<Var>>;
using Args = std::map<std::string, Arg>;

/// A rule with what it is told.
struct RuleCall {
  std::string rule;
  Args args;
};

/// How an argument's layout changed, by one or more changes after each other (the padding of one is logical content to
/// the next). Padding with a value holds it when the function starts, unless the function writes the buffer:
/// then it may hold anything at the start, and holds the value at the end.
struct InterfaceChange {
  size_t param = 0;                       // position among the parameters
  bool written = false;                   // the function stores to the buffer
  std::vector<LayoutChange> layers = {};  // at least one

  const Buffer& before() const { return layers.front().before; }
  const Buffer& after() const { return layers.back().after; }
  /// All maps as one.
  IndexMap map() const;
};

/// The program after a rule and what must hold for it to be right.
struct Rewrite {
  PrimFunc after;
  std::vector<Obligation> needs;
  std::vector<InterfaceChange> interface_changes = {};
};

/// The rule does not apply here: not its shape, or the arguments do not fit. The user's mistake.
class NotApplicable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A rule is a function from a program and arguments to a Rewrite; it throws NotApplicable. It never calls a
/// solver and never decides that a need may be left out.
struct Rule {
  std::string name;                 // kebab-case, as in the docs, certificates and logs
  std::string summary;              // before -> after in one line
  std::vector<std::string> fields;  // the names of its arguments
  Rewrite (*apply)(const PrimFunc& before, const Args& args);
  bool lowering = false;  // applies to a function that has lost its assumes or undefs, too (rewrite/kernel/lowering.h)
};
/// All rules, by name. A rule file defines one `Rule` and is listed in rewrite/rules/rules.def.
const std::vector<const Rule*>& all_rules();
const Rule& rule_by_name(const std::string& name);

struct ShownDifference;  // shown_difference.h

/// A step whose needs were not all proved.
struct RefusedStep {
  PrimFunc before, after;
  std::vector<InterfaceChange> interface_changes;
  std::shared_ptr<const ShownDifference> shown = nullptr;  // where somebody looked for one, and found it
};

/// A need of a rule was not proved.
class Refused : public std::runtime_error {
 public:
  Refused(Obligation obligation, Answer answer, std::shared_ptr<const RefusedStep> step = nullptr);
  Obligation obligation;
  Answer answer;  // Refuted with values, or Unknown with a reason
  std::shared_ptr<const RefusedStep> step;
};

/// How many steps were refused on this thread because a condition was not decided: who tries several forms of a step
/// and tells the refusal of one asks whether another one was left open.
uint64_t& undecided_refusals();

struct Step {
  std::string rule;
  Args args;
  PrimFunc before, after;
  std::vector<std::pair<Obligation, Answer>> obligations;  // all Proved
  std::vector<InterfaceChange> interface_changes;
  std::string primitive;  // the schedule primitive that asked for it, as written
  Span span;              // in the schedule
};

/// A proved chain of programs. Only `apply` extends it.
class Derivation {
 public:
  /// The empty chain. The source program must be well formed; whether it is free of errors is `check`'s business.
  explicit Derivation(PrimFunc source) : source_(source), current_(std::move(source)) {}

  const PrimFunc& source() const { return source_; }
  const PrimFunc& current() const { return current_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// The composed relation of each changed parameter, source layout -> current layout.
  std::vector<InterfaceChange> interface() const;

  /// Applies a rule: proves every need, then appends the step. Throws NotApplicable, or Refused with the
  /// failed condition; the derivation is unchanged then.
  void apply(const std::string& rule, const Args& args, Prover& prover, const std::string& primitive = "",
             const Span& span = {});
  void apply(const RuleCall& call, Prover& prover, const std::string& primitive = "", const Span& span = {}) {
    apply(call.rule, call.args, prover, primitive, span);
  }

 private:
  PrimFunc source_, current_;
  std::vector<Step> steps_;
};

}  // namespace hexproof
