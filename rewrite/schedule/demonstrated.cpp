#include "rewrite/schedule/demonstrated.h"

#include <algorithm>

#include "ir/arith_class.h"
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

/// Does content of memory say something of the scalars, in an assume or a branch? Such facts end where the memory is
/// stored to, or is compared at two moments, and what is left of an obligation may be false for scalars that no
/// execution has.
bool content_tells_scalars(const PrimFunc& func) {
  const std::vector<Var> scalars = func.scalars();
  bool found = false;
  auto look = [&](const Expr& e) {
    if (!e || !reads_memory(e)) return;
    for (const Var& v : free_vars(e)) found |= std::find(scalars.begin(), scalars.end(), v) != scalars.end();
  };
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Assume* assume = s.as<Assume>()) look(assume->condition);
    if (const If* branch = s.as<If>()) look(branch->condition);
    if (const Block* block = s.as<Block>()) look(block->predicate);
    return !found;
  });
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
  const PrimFunc &before = refused.step->before, &after = refused.step->after;
  if (answer.verdict == Verdict::Refuted &&
      (speaks_of_stored_memory(refused.obligation, before) || speaks_of_stored_memory(refused.obligation, after) ||
       content_tells_scalars(before))) {
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
