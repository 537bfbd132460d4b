#include "verify/prover.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "ir/visit.h"
#include "verify/solve/evaluate.h"
#include "verify/solve/portfolio.h"

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

Answer Prover::Impl::solve(const std::vector<Expr>& given, const Expr& goal) {
  EncodeOptions mathematical, wide{.reading = Reading::WideBits};
  const Attempt attempts[] = {{"z3", mathematical, Engine::Z3Simple, 1'000'000},
                              {"z3-bv", wide, Engine::Z3Bits, options.rlimit},
                              {"cvc5", mathematical, Engine::Cvc5, 2'000'000}};
  return decide(given, goal, attempts).answer;
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
