#include "verify/prover.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "ir/visit.h"
#include "verify/solve/door.h"
#include "verify/solve/evaluate.h"

namespace hexproof {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

struct Prover::Impl {
  ProverOptions options;
  mutable std::mutex mutex;
  ProverStats stats;

  Answer solve(const std::vector<Expr>& given, const Expr& goal);
};

namespace {

/// Does the model of the script break the formula? Then the answer becomes Refuted, else Unknown.
void confirm(const std::vector<Expr>& given, const Expr& goal, const Script& script, const SolverAnswer& from,
             Answer* answer) {
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
  valuation.machine = script.reading == Reading::Machine;
  Evaluator evaluator(valuation);
  try {
    for (const Expr& e : given) {
      if (!evaluator.holds(e)) {
        answer->reason = "the solver's values do not satisfy what is given";
        return;
      }
    }
    if (evaluator.holds(goal)) {
      answer->reason = "the solver's values do not break the goal";
      return;
    }
  } catch (const Undefined& error) {
    answer->reason = std::string("the solver's values do not break the goal: ") + error.what();
    return;
  }
  answer->verdict = Verdict::Refuted;
  answer->reason.clear();
  for (const auto& [var, value] : valuation.vars) answer->model.emplace_back(var, value);
  for (const auto& [cell, value] : evaluator.cells()) answer->cells.push_back({cell.first, cell.second, value});
}

}  // namespace

Answer Prover::Impl::solve(const std::vector<Expr>& given, const Expr& goal) {
  Answer answer;
  std::string reasons;
  auto attempt = [&](const char* name, auto make_script, auto ask) {
    answer.solver = name;
    try {
      Script script = make_script();
      SolverAnswer result = ask(script);
      answer.rlimit += result.rlimit;
      if (result.satisfiable == Satisfiable::No) {
        answer.verdict = Verdict::Proved;
        return true;
      }
      if (result.satisfiable == Satisfiable::Yes) {
        confirm(given, goal, script, result, &answer);
      } else {
        answer.reason = result.reason;
      }
    } catch (const NotEncodable& error) {
      answer.reason = error.what();
    }
    if (answer.verdict != Verdict::Unknown) return true;
    reasons += (reasons.empty() ? "" : "; ") + std::string(name) + ": " + answer.reason;
    return false;
  };
  auto mathematical = [&] { return encode(given, goal); };
  auto total = [&] { return encode(given, goal, {.total_goal = true}); };
  auto wide = [&] { return encode(given, goal, {.reading = Reading::WideBits}); };
  auto simple = [&](const Script& s) { return ask_z3(s, Z3Tactic::Simple, 1'000'000); };
  auto bits = [&](const Script& s) {
    return ask_z3(s, s.floats ? Z3Tactic::Floats : Z3Tactic::BitVectors, options.rlimit);
  };
  bool done = attempt("z3", mathematical, simple);
  if (!done && answer.reason.find("do not break") != std::string::npos) done = attempt("z3", total, simple);
  if (!done) done = attempt("z3-bv", wide, bits);
  if (!done) answer.reason = reasons;
  return answer;
}

Prover::Prover(ProverOptions options) : impl_(std::make_unique<Impl>()) { impl_->options = std::move(options); }
Prover::~Prover() = default;

Answer Prover::prove(const Obligation& obligation) {
  auto start = Clock::now();
  int undefs = 0;
  std::vector<Expr> given, goals;
  for (const Expr& e : obligation.given) split_conjunction(prepare(e, &undefs), &given);
  split_conjunction(prepare(obligation.goal, &undefs), &goals);
  Answer answer;
  answer.verdict = Verdict::Proved;
  for (const Expr& goal : goals) {
    Answer part = impl_->solve(given, goal);
    part.rlimit += answer.rlimit;
    bool worse =
        part.verdict == Verdict::Refuted || (part.verdict == Verdict::Unknown && answer.verdict == Verdict::Proved);
    if (worse || answer.verdict == Verdict::Proved) {
      answer = std::move(part);
    } else {
      answer.rlimit = part.rlimit;
    }
    if (answer.verdict == Verdict::Refuted) break;
  }
  answer.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  std::lock_guard lock(impl_->mutex);
  ProverStats& stats = impl_->stats;
  ++stats.asked;
  stats.cached += answer.cached;
  ++(answer.verdict == Verdict::Proved    ? stats.proved
     : answer.verdict == Verdict::Refuted ? stats.refuted
                                          : stats.unknown);
  return answer;
}

std::vector<Answer> Prover::prove_all(std::span<const Obligation> obligations) {
  std::vector<Answer> answers(obligations.size());
  size_t jobs = impl_->options.jobs > 0 ? impl_->options.jobs : std::max(1u, std::thread::hardware_concurrency());
  jobs = std::min(jobs, obligations.size());
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i; (i = next++) < obligations.size();) answers[i] = prove(obligations[i]);
  };
  if (jobs <= 1) {
    work();
  } else {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < jobs; ++i) threads.emplace_back(work);
  }
  return answers;
}

Answer Prover::contradictory(const std::vector<Expr>& given, const Place& where) {
  return prove({.rule = "contradictory",
                .why = "the facts contradict each other",
                .where = where,
                .given = given,
                .goal = boolean(false)});
}

ProverStats Prover::stats() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->stats;
}

}  // namespace hexproof
