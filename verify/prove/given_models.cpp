#include "verify/prove/given_models.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "ir/visit.h"
#include "verify/prove/effort.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/solvers/arithmetic/normal_form.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/smt/encode.h"

namespace hexproof {
namespace {

/// As all stages of the prover read it.
std::vector<Expr> prepared(const Obligation& obligation) {
  int undefs = 0;
  std::vector<Expr> out;
  const Obligation named =
      with_canonical_names({.rule = {}, .why = {}, .where = {}, .given = obligation.given, .goal = boolean(false)});
  for (const Expr& e : named.given) split_conjunction(prepare(e, &undefs), &out);
  return out;
}

std::vector<Expr> inputs_of(const std::vector<Expr>& given) {
  std::vector<Expr> out;
  std::unordered_set<Expr, ExprHash> seen;
  for (const Expr& e : given) {
    visit_nodes(e, [&](const Expr& x) {
      if ((x->op == Op::Var || is_application(x->op)) && seen.insert(x).second) out.push_back(x);
      return true;
    });
  }
  return out;
}

/// Has each function one value at equal operands? (Loads are looked at by the evaluator.)
bool are_functions(const GivenModel& model, std::span<const Wide> values, Evaluator& evaluator) {
  std::map<std::pair<std::string, std::vector<Wide>>, Wide> known;
  for (size_t k = 0; k < values.size(); ++k) {
    const Expr& e = model.inputs[k];
    if (e->op == Op::Var || e->op == Op::Load) continue;
    std::string name = e->text();
    std::vector<Wide> at = {static_cast<Wide>(e->op)};
    for (const Expr& arg : e->args) {
      if (arg->op == Op::StringImm) {
        name += "\n" + arg->text();
      } else {
        at.push_back(evaluator.bits(arg));
      }
    }
    auto [it, first] = known.try_emplace({name, at}, values[k]);
    if (!first && it->second != values[k]) return false;
  }
  return true;
}

/// The answer's values of the inputs, if it has them all.
std::vector<Wide> values_of(const GivenModel& model, const Answer& answer) {
  std::vector<Wide> out;
  for (const Expr& e : model.inputs) {
    if (e->op == Op::Var) {
      auto it = std::find_if(answer.model.begin(), answer.model.end(),
                             [&](const auto& one) { return one.first == e->var(); });
      if (it == answer.model.end()) return {};
      out.push_back(it->second);
    } else {
      auto it = answer.terms.find(e);
      if (it == answer.terms.end()) return {};
      out.push_back(it->second);
    }
  }
  return out;
}

/// Keeps the values of a refutation of `given -> false` that satisfy it.
bool take(const Answer& answer, GivenModel* model) {
  if (answer.verdict != Verdict::Refuted) return false;
  const std::vector<Wide> values = values_of(*model, answer);
  if (!holds_at(*model, values, &model->none)) return false;
  model->values = values, model->none.clear();
  return true;
}

Obligation nothing_holds(const GivenModel& model) {
  return {.rule = "contradictory",
          .why = "the facts contradict each other",
          .where = {},
          .given = model.given,
          .goal = boolean(false)};
}

}  // namespace

bool holds_at(const GivenModel& model, std::span<const Wide> values, std::string* why) {
  if (values.size() != model.inputs.size()) {
    *why = "there are " + std::to_string(values.size()) + " values of " + std::to_string(model.inputs.size());
    return false;
  }
  Valuation valuation;
  for (size_t k = 0; k < values.size(); ++k) {
    const Expr& e = model.inputs[k];
    if (e->op == Op::Var) {
      valuation.vars.emplace(e->var(), values[k]);
    } else {
      valuation.terms.emplace(e, values[k]);
    }
  }
  Evaluator evaluator(valuation);
  try {
    for (const Expr& e : model.given) {
      if (evaluator.holds(e)) continue;
      *why = "they do not satisfy what is given";
      return false;
    }
    if (!are_functions(model, values, evaluator)) {
      *why = "one function has two values at the same operands";
      return false;
    }
  } catch (const Undefined& error) {
    *why = std::string("what is given has no value there: ") + error.what();
    return false;
  }
  return true;
}

void GivenModels::add(const Obligation& obligation) {
  if (obligation.given.empty()) return;
  GivenModel one{prepared(obligation), {}};
  if (!numbers_.emplace(question_key(one.given, boolean(false)), all_.size()).second) return;
  one.inputs = inputs_of(one.given);
  all_.push_back(std::move(one));
}

std::optional<size_t> GivenModels::number_of(const Obligation& obligation) const {
  if (obligation.given.empty()) return std::nullopt;
  auto it = numbers_.find(question_key(prepared(obligation), boolean(false)));
  return it == numbers_.end() ? std::nullopt : std::optional<size_t>(it->second);
}

void GivenModels::find(Prover& prover) {
  // Values are those of IEEE arithmetic, which is one of the outcomes where granted flags leave some open.
  OpenRoundingScope strict({});
  DepthScope cheap(Depth::Cheap);
  std::vector<GivenModel*> left;
  std::vector<Obligation> asked;
  for (GivenModel& one : all_) {
    if (take(decide_quickly(one.given, boolean(false), true), &one)) continue;
    left.push_back(&one);
    asked.push_back(nothing_holds(one));
  }
  std::vector<Obligation> contradictions;
  std::vector<GivenModel*> contradicting;
  const std::vector<Answer> answers = prover.prove_all(asked);
  for (size_t k = 0; k < left.size(); ++k) {
    if (take(answers[k], left[k])) continue;
    if (answers[k].verdict == Verdict::Proved) {
      contradicting.push_back(left[k]);
      contradictions.push_back(asked[k]);
    } else if (left[k]->none.empty()) {
      left[k]->none = answers[k].reason.empty() ? "no values were found" : answers[k].reason;
    }
  }
  // A contradiction is one whatever the flags leave open.
  OpenRoundingScope open({.contract = true, .reassoc = true, .nsz = true});
  const std::vector<Answer> again = prover.prove_all(contradictions);
  for (size_t k = 0; k < contradicting.size(); ++k) {
    contradicting[k]->contradiction = again[k].verdict == Verdict::Proved;
    contradicting[k]->none = contradicting[k]->contradiction ? "it contradicts itself: no execution gets there"
                                                             : "no values that are rounded by IEEE satisfy it";
  }
}

GivenModels::Count GivenModels::count() const {
  Count out;
  for (const GivenModel& one : all_) {
    ++(one.none.empty() ? out.held : one.contradiction ? out.contradictions : out.open);
  }
  return out;
}

}  // namespace hexproof
