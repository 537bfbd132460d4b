#include "rewrite/kernel/kernel.h"

#include <algorithm>

#include "ir/arith_class.h"
#include "ir/base/mutant.h"
#include "ir/link/link.h"
#include "ir/notes/async_queues.h"
#include "ir/notes/double_buffers.h"
#include "ir/notes/thread_axes.h"
#include "ir/own_lets.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/kernel/claims.h"
#include "rewrite/kernel/evaluations.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/kernel/mutant_needs.h"
#include "rewrite/kernel/observed.h"
#include "rewrite/kernel/readback.h"
#include "verify/check/check.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/prove_step.h"
#include "verify/prove/vacuous.h"

namespace hexproof {

#define RULE(name) extern const Rule k_##name;
#include "rewrite/rules/rules.def"
#undef RULE

namespace {

/// The values of a model; bits of floats say nothing to people, and are left out.
std::string values_text(const Answer& answer) {
  std::string text;
  for (const auto& [var, value] : answer.model) {
    if (!var.dtype().is_float()) text += " " + var.name() + " = " + to_string(value);
  }
  for (const CellValue& cell : answer.cells) {
    if (cell.buffer->dtype.is_float()) continue;
    std::string index;
    for (const Wide& i : cell.indices) index += (index.empty() ? "" : ", ") + to_string(i);
    text += " " + cell.buffer->name + "[" + index + "] = " + to_string(cell.value);
  }
  return text;
}

std::string refusal(const Obligation& obligation, const Answer& answer) {
  const bool refuted = answer.verdict == Verdict::Refuted;
  std::string text = obligation.rule + " refused: not " + (refuted ? "true" : "proved") + ": " + obligation.why;
  if (!obligation.where.statement.empty()) text += "\n  at " + obligation.where.statement;
  if (const std::string values = values_text(answer); !values.empty())
    text += (refuted ? "\n  for example with" : "\n  as a solver sees it, false with") + values;
  if (!answer.reason.empty()) text += "\n  " + answer.reason;
  return text;
}

/// What the answer says of the step: a model is told as the truth only where the obligation is all that is owed.
Answer of_the_step(const Obligation& obligation, Answer answer) {
  if (answer.verdict != Verdict::Refuted || !obligation.one_way) return answer;
  answer.verdict = Verdict::Unknown;
  answer.reason = "this is one way to see it, and false; whether there is another was not found";
  return answer;
}

/// Sequences that stand in sequences become parts of them, so that what follows one another is neighbours. Nothing else
/// moves: sequences that do nothing stay.
Stmt flattened(const Stmt& stmt) {
  std::vector<Stmt> parts = children(stmt);
  bool changed = false, nested = false;
  for (Stmt& part : parts) {
    Stmt flat = flattened(part);
    changed |= flat.get() != part.get();
    part = std::move(flat);
    nested |= stmt.as<Seq>() && part.as<Seq>() && !part.as<Seq>()->stmts.empty();
  }
  if (!nested) return changed ? with_children(stmt, parts) : stmt;
  std::vector<Stmt> flat;
  for (const Stmt& part : parts) {
    const Seq* list = part.as<Seq>();
    if (list && !list->stmts.empty()) {
      flat.insert(flat.end(), list->stmts.begin(), list->stmts.end());
    } else {
      flat.push_back(part);
    }
  }
  return make_stmt(Seq{std::move(flat)}, stmt->span);
}

}  // namespace

const std::vector<const Rule*>& all_rules() {
  static const std::vector<const Rule*> rules = [] {
    std::vector<const Rule*> list = {
#define RULE(name) &k_##name,
#include "rewrite/rules/rules.def"
#undef RULE
    };
    std::sort(list.begin(), list.end(), [](const Rule* a, const Rule* b) { return a->name < b->name; });
    return list;
  }();
  return rules;
}

const Rule& rule_by_name(const std::string& name) {
  for (const Rule* rule : all_rules()) {
    if (rule->name == name) return *rule;
  }
  throw NotApplicable("there is no rule named '" + name + "'");
}

StepObserver& step_observer() {
  static StepObserver observer;
  return observer;
}

uint64_t& undecided_refusals() {
  static thread_local uint64_t count = 0;
  return count;
}

Refused::Refused(Obligation obligation, Answer answer, std::shared_ptr<const RefusedStep> step)
    : std::runtime_error(refusal(obligation, answer)),
      obligation(std::move(obligation)),
      answer(std::move(answer)),
      step(std::move(step)) {}

IndexMap InterfaceChange::map() const {
  IndexMap all = layers.front().map;
  for (size_t k = 1; k < layers.size(); ++k) {
    all.outputs = layers[k].map.apply(all.outputs);
    all.axis_separators = layers[k].map.axis_separators;
  }
  return all;
}

std::vector<InterfaceChange> Derivation::interface() const {
  std::map<size_t, InterfaceChange> composed;
  for (const Step& step : steps_) {
    for (const InterfaceChange& change : step.interface_changes) {
      auto [it, first] = composed.emplace(change.param, change);
      if (first) continue;
      InterfaceChange& all = it->second;
      all.layers.insert(all.layers.end(), change.layers.begin(), change.layers.end());
      all.written = all.written || change.written;
    }
  }
  std::vector<InterfaceChange> result;
  for (auto& [param, change] : composed) result.push_back(std::move(change));
  return result;
}

void Derivation::apply(const std::string& name, const Args& args, Prover& prover, const std::string& primitive,
                       const Span& span) {
  demand_no_calls(current_);
  const Rule& rule = rule_by_name(name);
  if (is_lowered(current_) && !rule.lowering) {
    throw NotApplicable("the function is lowered: its assumes and undefs are gone, and only lowering may follow");
  }
  const OpenRounding open = open_rounding_of(current_);
  OpenRoundingScope rounding(open);
  Rewrite rewrite = rule.apply(current_, args);
  HEXPROOF_CHECK(is_lowered(rewrite.after) == (is_lowered(current_) || rule.lowering),
                 "rule '" + name + "' is wrong about being a lowering");
  rewrite.after.body = with_marked_variables(with_lets_of_their_own(flattened(rewrite.after.body)));
  if (count_marks(rewrite.after.body) < count_marks(current_.body)) {
    throw NotApplicable("'" + name + "' takes away the mark of a nest that is one instruction; tensorize later");
  }
  if (auto threads = thread_axes_defect(rewrite.after)) throw NotApplicable("there would be " + threads->message);
  if (auto slots = double_buffer_defect(rewrite.after)) throw NotApplicable("there would be " + slots->message);
  if (auto async = async_defect(rewrite.after)) throw NotApplicable("there would be " + async->message);
  demand_no_second_evaluation(rule.name, current_, rewrite.after);
  settle_claims(rule.name, args, current_, &rewrite);
  // Rules see through groups of asynchronous copies and waits: what these mean is owed of each result, whatever moved.
  // (Lowering takes accesses away, and leaves groups and waits where they are.)
  if (HEXPROOF_MUTANT("kernel/copies-in-flight", !rule.lowering, false)) {
    for (Obligation& need : copies_are_waited_for(rewrite.after)) rewrite.needs.push_back(std::move(need));
  }
  leave_out_mutated(rule.name, &rewrite.needs);
  for (Obligation& need : rewrite.needs) need = with_open_rounding(std::move(need), open);
  StepAnswers proofs = prove_step(prover, rewrite.needs);
  std::vector<Answer>& answers = proofs.answers;
  HEXPROOF_CHECK(answers.size() == rewrite.needs.size(), "the prover left an obligation of '" + name + "' unanswered");
  HEXPROOF_CHECK(rewrite.after.granted_flags() == current_.granted_flags(),
                 "rule '" + name + "' changed the granted flags");
  Step step{.rule = rule.name,
            .args = args,
            .before = current_,
            .after = rewrite.after,
            .obligations = {},
            .interface_changes = std::move(rewrite.interface_changes),
            .primitive = primitive,
            .span = span};
  auto refuse = [&](size_t k) {
    if (step_observer()) step_observer()({current_, rule.name, args, &rewrite.needs.at(k)});
    RefusedStep refused{current_, rewrite.after, step.interface_changes};
    Answer answer = of_the_step(rewrite.needs.at(k), answers.at(k));
    undecided_refusals() += answer.verdict == Verdict::Unknown;
    throw Refused(rewrite.needs.at(k), std::move(answer), std::make_shared<const RefusedStep>(std::move(refused)));
  };
  if (proofs.failed) refuse(*proofs.failed);
  for (size_t k = 0; k < answers.size(); ++k) {
    if (answers[k].verdict != Verdict::Proved) refuse(k);
    step.obligations.emplace_back(rewrite.needs[k], std::move(answers[k]));
  }
  for (Obligation& o : unreachable_places(rewrite.needs)) {
    Answer answer = prover.prove(o);
    if (answer.verdict == Verdict::Proved) step.obligations.emplace_back(std::move(o), std::move(answer));
  }
  // Whatever was proved: a program that is not well formed has no meaning. (Costs under 3 % of a certificate.)
  std::string broken = ill_formed(rewrite.after);
  HEXPROOF_CHECK(broken.empty(), "rule '" + name + "' made an ill-formed program: " + broken);
  demand_reads_back(name, rewrite.after);
  if (step_observer()) step_observer()({current_, rule.name, args, nullptr});
  current_ = std::move(rewrite.after);
  steps_.push_back(std::move(step));
}

}  // namespace hexproof
