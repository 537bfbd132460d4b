#include "verify/prove/solvers/portfolio.h"

#include <unordered_set>

#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {
namespace {

/// What the arithmetic of a formula costs once it is a circuit, in units of the resource limit. Solvers do not count
/// the work of building it, nor all of the search in it, so a formula that is too large for its limit is not asked at
/// all.
uint64_t circuit_effort(const std::vector<Expr>& given, const Expr& goal) {
  std::unordered_set<const ExprNode*> seen;
  uint64_t effort = 0;
  auto add = [&](const Expr& root) {
    visit_nodes(root, [&](const Expr& e) {
      if (!seen.insert(e.get()).second) return false;
      uint64_t width = e->dtype.bits;
      if (e->op == Op::Cast && (e->dtype.is_float() || e->args[0]->dtype.is_float())) {
        effort += std::max<uint64_t>(width, e->args[0]->dtype.bits) * 1000;
      } else if (e->dtype.is_float()) {
        if (e->op == Op::Add || e->op == Op::Sub) effort += width * 1000;
        if (e->op == Op::Mul) effort += width * width * 80;
        if (e->op == Op::Div) effort += width * width * 300;
      } else if (e->op >= Op::Mul && e->op <= Op::TruncMod && !as_int(e->args[0]) && !as_int(e->args[1])) {
        effort += width * width * 160;
      }
      return true;
    });
  };
  for (const Expr& e : given) add(e);
  add(goal);
  return effort;
}

SolverAnswer ask(const Script& script, const Attempt& attempt) {
  switch (attempt.engine) {
    case Engine::Z3Simple:
      return ask_z3(script, Z3Tactic::Simple, attempt.rlimit);
    case Engine::Z3Bits:
      return ask_z3(script, script.floats ? Z3Tactic::Floats : Z3Tactic::BitVectors, attempt.rlimit);
    case Engine::Cvc5:
      return ask_cvc5(script, attempt.rlimit, 20'000);
  }
  return {};
}

}  // namespace

Confirmed confirm(const std::vector<Expr>& given, const Expr& goal, const EncodeOptions& options, const Script& script,
                  const SolverAnswer& from, Answer* answer) {
  Valuation valuation;
  for (const ScriptInput& input : script.inputs) {
    auto it = from.values.find(input.name);
    if (it == from.values.end() || !input.term) continue;
    if (input.term->op == Op::Var) {
      valuation.vars.emplace(input.term->var(), it->second);
    } else {
      valuation.terms.emplace(input.term, it->second);
    }
  }
  valuation.machine = options.reading == Reading::Machine;
  valuation.overflow_is_error = options.overflow_is_error;
  Evaluator evaluator(valuation);
  bool checking_goal = false;
  try {
    for (const Expr& e : given) {
      if (!evaluator.holds(e)) {
        answer->reason = "the solver's values do not satisfy what is given";
        return Confirmed::No;
      }
    }
    checking_goal = true;
    if (evaluator.holds(goal)) {
      answer->reason = "the solver's values do not break the goal";
      return Confirmed::No;
    }
  } catch (const Undefined& error) {
    answer->reason = checking_goal ? "the solver's values give the goal no value"
                                   : std::string("the solver's values cannot be checked: ") + error.what();
    return checking_goal ? Confirmed::GoalHasNoValue : Confirmed::No;
  }
  answer->verdict = Verdict::Refuted;
  answer->reason.clear();
  for (const auto& [var, value] : valuation.vars) answer->model.emplace_back(var, value);
  for (const auto& [cell, value] : evaluator.cells()) answer->cells.push_back({cell.first, cell.second, value});
  answer->terms = valuation.terms;
  return Confirmed::Refuted;
}

Decision decide(const std::vector<Expr>& given, const Expr& goal, std::span<const Attempt> attempts) {
  Decision out;
  Answer& answer = out.answer;
  std::string reasons;
  bool no_value = false;  // the values that the last attempt found are an error of the goal itself
  auto attempt = [&](const Attempt& with, const EncodeOptions& options) {
    answer.solver = with.solver;
    no_value = false;
    try {
      Script script = encode(given, goal, options);
      if ((script.floats || with.engine == Engine::Z3Bits) && circuit_effort(given, goal) > with.rlimit) {
        answer.reason = "too much arithmetic on data for the resource limit";
        return false;
      }
      SolverAnswer result = ask(script, with);
      answer.rlimit += result.rlimit;
      out.repeatable &= !result.wall_clock;
      if (HEXPROOF_MUTANT("prover/unknown-is-yes", result.satisfiable == Satisfiable::No,
                          result.satisfiable != Satisfiable::Yes)) {
        answer.verdict = Verdict::Proved;
      } else if (result.satisfiable == Satisfiable::Yes) {
        no_value = confirm(given, goal, options, script, result, &answer) == Confirmed::GoalHasNoValue;
      } else {
        answer.reason = result.reason;
      }
    } catch (const NotEncodable& error) {
      answer.reason = error.what();
    }
    return answer.verdict != Verdict::Unknown;
  };
  for (const Attempt& with : attempts) {
    bool done = attempt(with, with.encode);
    if (!done && no_value) {
      // Ask for values under which the goal has one.
      EncodeOptions total = with.encode;
      total.total_goal = true;
      done = attempt(with, total);
      if (done && answer.verdict == Verdict::Proved) {
        answer.verdict = Verdict::Unknown;
        answer.reason = "the goal holds wherever it has a value, but it may divide by zero or shift out of range";
        return out;
      }
    }
    if (done) {
      answer.reason.clear();
      return out;
    }
    reasons += (reasons.empty() ? "" : "; ") + std::string(with.solver) + ": " + answer.reason;
  }
  answer.reason = reasons;
  return out;
}

}  // namespace hexproof
