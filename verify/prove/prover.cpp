#include "verify/prove/prover.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "ir/base/digest.h"
#include "ir/base/parallel_for.h"
#include "ir/visit.h"
#include "verify/prove/effort.h"
#include "verify/prove/interrupted.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/solvers/arithmetic/normal_form.h"
#include "verify/prove/solvers/arithmetic/ring.h"
#include "verify/prove/solvers/cache/cache.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/portfolio.h"

namespace hexproof {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kCheapLimit = 1'000'000, kCvc5Limit = 2'000'000;
constexpr uint64_t kWorthAProcess = 1'000'000;

}  // namespace

struct Prover::Impl {
  ProverOptions options;
  Cache cache;
  std::string salt;  // limits and versions: part of every key
  mutable std::mutex mutex;
  ProverStats stats;
  /// Questions that this process tried in vain and that are not in the cache: what the cheap stages alone left open,
  /// and answers in which a wall clock had a part. These are never kept for another run; within this one the same
  /// question has the same answer.
  struct Tried {
    Answer answer;
    Depth depth = Depth::Cheap;
  };
  std::unordered_map<std::string, Tried> tried;

  explicit Impl(ProverOptions given) : options(std::move(given)), cache(options.cache_path) {
    salt = "hexproof 2 " + std::to_string(options.rlimit) + " z3 " + z3_version() + " " + cvc5_version() + "\n";
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

/// What one reading leaves open (an abstract value for `n & m`), the other says: together they are all that is asked.
std::string whole_question(const Script& script, const std::vector<Expr>& given, const Expr& goal,
                           const EncodeOptions& other) {
  if (!script.abstracts && !script.floats) return script.text;
  try {
    return script.text + "\n" + encode(given, goal, other).text;
  } catch (const NotEncodable& error) {
    return script.text + "\n" + error.what();  // then it is asked of nobody in that reading
  }
}

}  // namespace

Answer Prover::Impl::solve(const std::vector<Expr>& given, const Expr& goal) {
  if (options.normal_form) {
    // Solvers find smaller values; where little effort is granted, any will do.
    Answer quick = decide_quickly(given, goal, options.rlimit < kWorthAProcess);
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
  const std::string key = sha256(salt + whole_question(script, given, goal, wide));
  const Depth depth = Effort::here().depth;
  if (auto found = cache.find(key)) {
    // Where little effort is wanted, the answer of a dear stage is none: what is done next, and what it costs, does not
    // depend on what was asked before.
    bool dear = depth == Depth::Cheap && found->solver != (script.floats ? "z3-bv" : "z3");
    if (auto answer = with_names(*found, given, goal, script); answer && !dear) return *answer;
  }
  Answer cheap;
  bool cheap_tried = false;
  {
    std::lock_guard lock(mutex);
    if (auto it = tried.find(key); it != tried.end()) {
      if (it->second.depth >= depth) return it->second.answer;
      cheap = it->second.answer;
      cheap_tried = true;
    }
  }
  // The cheap stages, then the dear ones. Floats are quicker in bit-vectors throughout.
  const Attempt integers{"z3", mathematical, Engine::Z3Simple, std::min<uint64_t>(kCheapLimit, options.rlimit)};
  const Attempt bits{"z3-bv", wide, Engine::Z3Bits, options.rlimit};
  Attempt few_bits = bits;
  few_bits.rlimit = integers.rlimit;
  std::vector<Attempt> attempts;
  if (!cheap_tried) attempts.push_back(script.floats ? few_bits : integers);
  if (depth == Depth::Full) {
    if (script.floats && bits.rlimit > few_bits.rlimit) attempts.push_back(bits);
    attempts.push_back(script.floats ? integers : bits);
    // Starting a process pays only for questions that may take long.
    if (options.rlimit >= kWorthAProcess) attempts.push_back({"cvc5", mathematical, Engine::Cvc5, kCvc5Limit});
  }
  Decision decision = decide(given, goal, attempts);
  Answer& answer = decision.answer;
  answer.rlimit += cheap.rlimit;
  if (cheap_tried && answer.verdict == Verdict::Unknown) answer.reason = cheap.reason + "; " + answer.reason;
  const bool settled = answer.verdict != Verdict::Unknown || depth == Depth::Full;
  if (work_is_interrupted) return answer;  // it may have killed a solver
  if (decision.repeatable && settled) {
    cache.store(key, without_names(answer, script));
  } else if (answer.verdict == Verdict::Unknown) {
    std::lock_guard lock(mutex);
    tried[key] = {answer, depth};
  }
  return answer;
}

Prover::Prover(ProverOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Prover::~Prover() = default;

Answer Prover::prove(const Obligation& asked) {
  HEXPROOF_CHECK(!asks_for_values(asked), "values are asked for, and no proof");
  std::optional<Obligation> opened;
  if (OpenRounding::here().any()) opened = with_open_rounding(asked, OpenRounding::here());
  const Obligation& obligation = opened ? *opened : asked;
  auto start = Clock::now();
  Asking asking(obligation);
  Allowance* allowance = Effort::here().allowance;
  if (allowance && allowance->used_up()) {
    Answer unasked;
    unasked.reason = "the resource units that this place may use are used up";
    return unasked;
  }
  int undefs = 0;
  std::vector<Expr> given, goals;
  for (const Expr& e : obligation.given) split_conjunction(prepare(e, &undefs), &given);
  split_conjunction(prepare(obligation.goal, &undefs), &goals);
  // A part that is refuted with little effort ends it before much is spent on another.
  std::vector<Answer> parts;
  bool refuted = false;
  auto ask_each = [&](bool again) {
    parts.resize(goals.size());
    for (size_t k = 0; k < goals.size() && !refuted; ++k) {
      if (again && parts[k].verdict == Verdict::Proved) continue;
      parts[k] = impl_->solve(given, goals[k]);
      refuted = parts[k].verdict == Verdict::Refuted;
    }
  };
  if (goals.size() > 1 && Effort::here().depth == Depth::Full) {
    DepthScope cheap(Depth::Cheap);
    ask_each(false);
  }
  ask_each(!parts.empty());
  Answer answer;
  answer.verdict = Verdict::Proved;
  for (Answer& part : parts) {
    if (refuted && part.verdict == Verdict::Unknown) continue;
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
  if (allowance) allowance->charge(Allowance::kQuestion + answer.rlimit);
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

namespace {

/// Each question by itself, on several threads with the bounds of this one. Units are counted once all have answered:
/// which threads were quick makes no difference.
std::vector<Answer> in_parallel(Prover& prover, int wanted, std::span<const Obligation> obligations) {
  std::vector<Answer> answers(obligations.size());
  const Effort effort = Effort::here();
  const OpenRounding open = OpenRounding::here();
  const bool ask = !effort.allowance || !effort.allowance->used_up();
  parallel_for(obligations.size(), wanted, [&](size_t i) {
    // Used up: each answers so. Else none is counted before all have answered.
    OpenRoundingScope rounding(open);
    EffortScope mine({effort.depth, ask ? nullptr : effort.allowance});
    answers[i] = prover.prove(obligations[i]);
  });
  if (effort.allowance && ask) {
    for (const Answer& a : answers) effort.allowance->charge(Allowance::kQuestion + a.rlimit);
  }
  return answers;
}

}  // namespace

std::vector<Answer> Prover::prove_all(std::span<const Obligation> obligations) {
  if (Effort::here().depth == Depth::Full && obligations.size() > 1) {
    // The cheap stages of all, then the dear ones of those that they leave open.
    std::vector<Answer> answers;
    {
      DepthScope cheap(Depth::Cheap);
      answers = prove_all(obligations);
    }
    std::vector<size_t> open;
    std::vector<Obligation> again;
    for (size_t i = 0; i < obligations.size(); ++i) {
      if (answers[i].verdict != Verdict::Unknown) continue;
      open.push_back(i);
      again.push_back(obligations[i]);
    }
    {
      std::lock_guard lock(impl_->mutex);  // each question counts once
      impl_->stats.asked -= open.size();
      impl_->stats.unknown -= open.size();
    }
    std::vector<Answer> dear = in_parallel(*this, impl_->options.jobs, again);
    for (size_t k = 0; k < open.size(); ++k) answers[open[k]] = std::move(dear[k]);
    return answers;
  }
  return in_parallel(*this, impl_->options.jobs, obligations);
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
