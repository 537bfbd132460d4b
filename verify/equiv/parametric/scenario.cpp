#include "verify/equiv/parametric/scenario.h"

#include "verify/solve/encode.h"
#include "verify/solve/normal_form.h"
#include "verify/solve/ring.h"

namespace hexproof::parametric {

namespace {
constexpr size_t kSteps = 60'000;
constexpr size_t kLongQuestions = 300;  // to solvers with small limits
constexpr size_t kHardQuestions = 12;   // with the caller's limits

ProverOptions exploring() {
  ProverOptions options;
  options.rlimit = 300'000;
  options.jobs = 1;
  return options;
}
}  // namespace

Scenario::Scenario(Prover& prover) : prover_(prover), explorer_(exploring()) {}

Scenario::Under::Under(Scenario& scenario, const std::vector<Expr>& facts)
    : scenario_(scenario), size_(scenario.given_.size()), id_(scenario.id_) {
  for (const Expr& e : facts) {
    if (is_int(e, 1)) continue;
    split_conjunction(e, &scenario.given_);
  }
  for (size_t i = size_; i < scenario.given_.size(); ++i) {
    uint64_t next = scenario.extended_.size();
    auto [it, fresh] = scenario.extended_[scenario.id_].try_emplace(scenario.given_[i], next);
    scenario.id_ = it->second;
    if (!fresh) continue;
    scenario.extended_.emplace_back();
    scenario.known_.emplace_back();
  }
}

Scenario::Under::~Under() {
  scenario_.given_.resize(size_);
  scenario_.id_ = id_;
}

void Scenario::spend(const char* on) {
  if (++steps_ > kSteps) throw Open{std::string("the programs are too large for this method: ") + on};
}

bool Scenario::quick(const Expr& goal) { return ask(goal, 0); }
bool Scenario::proves(const Expr& goal) { return ask(goal, 1); }
bool Scenario::surely(const Expr& goal) { return ask(goal, 2); }
bool Scenario::impossible() { return ask(boolean(false), 0); }

bool Scenario::ask(const Expr& goal, int effort) {
  std::vector<Expr> parts;
  split_conjunction(goal, &parts);
  for (const Expr& part : parts) {
    if (!is_int(part, 1) && !ask_one(part, effort)) return false;
  }
  return true;
}

bool Scenario::ask_one(const Expr& goal, int effort) {
  Known& known = known_[id_][goal];
  if (known.proved || known.tried >= effort) return known.proved;
  if (known.tried < 0) {
    spend("too many questions");
    Answer answer = decide_quickly(given_, goal);
    known.proved = answer.verdict == Verdict::Proved || equal_in_ring(goal);
    // Values that refute it were found: no need to ask further.
    known.tried = answer.verdict == Verdict::Refuted ? 2 : 0;
  }
  if (!known.proved && known.tried < effort) {
    Obligation o{"equiv-parametric", "the two programs agree", {}, given_, goal};
    Answer answer;
    if (effort >= 1 && known.tried < 1 && ++long_questions_ <= kLongQuestions) answer = explorer_.prove(o);
    if (effort >= 2 && answer.verdict == Verdict::Unknown && ++hard_questions_ <= kHardQuestions) {
      answer = prover_.prove(o);
    }
    known.proved = answer.verdict == Verdict::Proved;
    known.tried = answer.verdict == Verdict::Refuted ? 2 : effort;
  }
  return known.proved;
}

Access access_of(const Buffer& buffer, std::vector<Expr> indices, std::vector<LoopRange> loops) {
  Access out;
  out.buffer = buffer;
  out.indices = std::move(indices);
  out.write = !loops.empty();
  out.loops = std::move(loops);
  return out;
}

Expr equal_integers(const Expr& a, const Expr& b) {
  if (a->dtype == b->dtype) return eq(a, b);
  return eq(a->dtype == kInt64 ? a : cast(kInt64, a), b->dtype == kInt64 ? b : cast(kInt64, b));
}

}  // namespace hexproof::parametric
