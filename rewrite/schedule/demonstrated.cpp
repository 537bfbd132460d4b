#include "rewrite/schedule/demonstrated.h"

#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/visit.h"
#include "rewrite/layout/interface.h"
#include "verify/equiv/sizes.h"
#include "verify/facts/facts.h"
#include "verify/prove/opaque_name.h"

namespace hexproof {
namespace {

constexpr uint64_t kMostWork = 400'000;  // statements and cells of all runs

bool speaks_of_stored_memory(const Obligation& obligation, const PrimFunc& func) {
  const std::set<Var> stored = data_written(func.body);
  bool found = false;
  auto look = [&](const Expr& e) {
    visit_expr(e, [&](const Expr& node) {
      found |= (node->op == Op::Var && node->var().is_any_value()) ||
               (node->op == Op::Opaque && is_opaque_name(node->text())) ||
               (node->op == Op::Load && stored.count(node->buffer()->data) > 0);
      return !found;
    });
  };
  for (const Expr& e : obligation.given) look(e);
  look(obligation.goal);
  return found;
}

/// What a person sees of an input on which the step changes a result; nothing where none is found.
std::optional<std::string> difference(const RefusedStep& step) {
  try {
    const ProgramPair pair = pair_programs(step.before, step.after, relation_request(step.interface_changes));
    const Evidence runs = equiv_runs(pair, {.max_work = kMostWork, .satisfy = satisfy_assumes}).evidence;
    if (!runs.input) return std::nullopt;
    std::optional<Counterexample> found = confirmed(pair, runs);
    return found ? std::optional(found->table) : std::nullopt;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // no such runs can be made
  }
}

}  // namespace

Refused as_demonstrated(const Refused& refused) {
  if (!refused.step) return refused;
  Answer answer = refused.answer;
  if (answer.verdict == Verdict::Refuted && (speaks_of_stored_memory(refused.obligation, refused.step->before) ||
                                             speaks_of_stored_memory(refused.obligation, refused.step->after))) {
    answer = {.verdict = Verdict::Unknown, .solver = answer.solver, .reason = {}, .model = {}, .cells = {}};
    answer.reason = "it is false for some content of memory; whether memory ever holds it was not found";
  } else if (!refused.obligation.one_way) {
    return refused;
  }
  if (std::optional<std::string> shown = difference(*refused.step)) {
    answer.verdict = Verdict::Refuted;
    answer.reason = *std::move(shown);
  }
  return Refused(refused.obligation, std::move(answer), refused.step);
}

}  // namespace hexproof
