#include "verify/prover.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "ir/digest.h"
#include "ir/visit.h"
#include "verify/solve/cache.h"
#include "verify/solve/evaluate.h"
#include "verify/solve/normal_form.h"
#include "verify/solve/portfolio.h"
#include "verify/solve/ring.h"

namespace hexproof {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

struct Prover::Impl {
  ProverOptions options;
  Cache cache;
  std::string salt;  // limits and versions: part of every key
  mutable std::mutex mutex;
  ProverStats stats;

  explicit Impl(ProverOptions given) : options(std::move(given)), cache(options.cache_path) {
    salt = "hexproof 1 " + std::to_string(options.rlimit) + " z3 " + z3_version() + " " + cvc5_version() + "\n";
  }
  Answer solve(const std::vector<Expr>& given, const Expr& goal);
};

namespace {

CachedAnswer without_names(const Answer& answer, const Script& script) {
  CachedAnswer out{answer.verdict, answer.solver, answer.reason, {}, answer.rlimit};
  if (answer.verdict != Verdict::Refuted) return out;
  for (const ScriptInput& input : script.inputs) {
    Wide value = 0;
    if (input.term && input.term->op == Op::Var) {
      for (const auto& [var, known] : answer.model) value = var == input.term->var() ? known : value;
    } else if (input.term) {
      if (auto it = answer.terms.find(input.term); it != answer.terms.end()) value = it->second;
    }
    out.values.push_back(value);
  }
  return out;
}

/// The cached answer under the names of this question. A refutation is confirmed anew; nothing when it does not hold.
std::optional<Answer> with_names(const CachedAnswer& cached, const std::vector<Expr>& given, const Expr& goal,
                                 const Script& script) {
  Answer answer;
  answer.solver = cached.solver;
  answer.reason = cached.reason;
  answer.rlimit = cached.rlimit;
  answer.cached = true;
  if (cached.verdict != Verdict::Refuted) {
    answer.verdict = cached.verdict;
    return answer;
  }
  if (cached.values.size() != script.inputs.size()) return {};
  SolverAnswer values;
  for (size_t i = 0; i < script.inputs.size(); ++i) values.values.emplace(script.inputs[i].name, cached.values[i]);
  confirm(given, goal, {}, script, values, &answer);
  if (answer.verdict != Verdict::Refuted) return {};
  return answer;
}

}  // namespace

Answer Prover::Impl::solve(const std::vector<Expr>& given, const Expr& goal) {
  if (options.normal_form) {
    Answer quick = decide_quickly(given, goal);
    if (quick.verdict != Verdict::Unknown) return quick;
    if (equal_in_ring(goal)) {
      quick.verdict = Verdict::Proved;
      quick.solver = "normal-form";
      quick.reason.clear();
      return quick;
    }
  }
  EncodeOptions mathematical, wide{.reading = Reading::WideBits};
  Script script;
  try {
    script = encode(given, goal, mathematical);
  } catch (const NotEncodable& error) {
    Answer unknown;
    unknown.reason = error.what();
    return unknown;
  }
  std::string key = sha256(salt + script.text);
  if (auto found = cache.find(key)) {
    if (auto answer = with_names(*found, given, goal, script)) return *answer;
  }
  // Starting a process pays only for questions that may take long.
  constexpr uint64_t kWorthAProcess = 1'000'000;
  std::vector<Attempt> attempts = {
      {"z3", mathematical, Engine::Z3Simple, std::min<uint64_t>(1'000'000, options.rlimit)},
      {"z3-bv", wide, Engine::Z3Bits, options.rlimit}};
  // Floats are quicker in bit-vectors throughout.
  if (script.floats) std::swap(attempts[0], attempts[1]);
  if (options.rlimit >= kWorthAProcess) attempts.push_back({"cvc5", mathematical, Engine::Cvc5, 2'000'000});
  Decision decision = decide(given, goal, attempts);
  if (decision.repeatable) cache.store(key, without_names(decision.answer, script));
  return decision.answer;
}

Prover::Prover(ProverOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
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
  stats.by_interval += answer.solver == "interval" || answer.solver == "normal-form" || answer.solver == "evaluation";
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
