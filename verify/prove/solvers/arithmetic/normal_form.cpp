#include "verify/prove/solvers/arithmetic/normal_form.h"

#include <set>

#include "ir/visit.h"
#include "verify/prove/solvers/cache/question_key.h"
#include "verify/prove/solvers/contradiction.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/refute.h"

namespace hexproof {
namespace {

/// Values from the corners of the ranges, tried by evaluation.
std::optional<Answer> refute_by_corners(const std::vector<Expr>& given, const Expr& goal, const Known& known) {
  std::vector<Var> vars;
  std::vector<Expr> terms;
  std::set<Var> seen;
  auto collect = [&](const Expr& e) {
    visit_nodes(e, [&](const Expr& x) {
      if (x->op == Op::Var && seen.insert(x->var()).second) vars.push_back(x->var());
      if (is_application(x->op)) terms.push_back(x);
      return true;
    });
  };
  for (const Expr& e : given) collect(e);
  collect(goal);
  for (const Var& v : vars) {
    if (!v.dtype().is_scalar() || v.dtype().is_handle()) return std::nullopt;
  }
  for (uint64_t attempt = 0; attempt < 8; ++attempt) {
    uint64_t state = attempt * 0x9e3779b97f4a7c15ull + 1;
    auto pick = [&](DType type, Interval r) -> Wide {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      if (type.is_bool()) return (state >> 33) & 1;
      if (type.is_float()) return float_to_bits(type, attempt == 0 ? 0.0 : static_cast<double>((state >> 33) % 5) - 2);
      if (attempt == 0) return r.lo;
      if (attempt == 1) return r.hi;
      Wide width = std::min<Wide>(r.hi - r.lo, attempt < 5 ? 3 : 1000);
      Wide step = static_cast<Wide>((state >> 33) % static_cast<uint64_t>(width + 1));
      if (r.lo < 0 && r.hi > 1000) return step;  // about zero, for variables without a bound of their own
      return state >> 62 & 1 ? r.lo + step : r.hi - step;
    };
    Valuation valuation;
    for (const Var& v : vars) {
      auto it = known.ranges.find(v);
      Interval range = it == known.ranges.end() ? range_of(v.dtype()) : it->second;
      valuation.vars.emplace(v, pick(v.dtype(), v.dtype().is_integer() ? range : Interval{}));
    }
    for (const Expr& e : terms) {
      if (!e->dtype.is_scalar()) return std::nullopt;
      valuation.terms.try_emplace(e, pick(e->dtype, e->dtype.is_integer() ? Interval{-2, 2} : Interval{}));
    }
    for (auto& [e, value] : valuation.terms) {
      if (e->dtype.is_integer() && !fits_type(e->dtype, value)) value = 1;
    }
    Evaluator evaluator(valuation);
    try {
      bool given_holds = true;
      for (const Expr& e : given) {
        if (!evaluator.holds(e)) {
          given_holds = false;
          break;
        }
      }
      if (!given_holds || evaluator.holds(goal)) continue;
    } catch (const Undefined&) {
      continue;
    }
    return refuted(valuation, evaluator);
  }
  return std::nullopt;
}

/// What was found out on this thread, for questions that are asked again: the same ones arise at every step of a
/// derivation, wherever it changed nothing. An answer depends on the key alone.
class Remembered {
 public:
  static Remembered& here() {
    thread_local Remembered all;
    return all;
  }
  /// The name of the solver; "" for a question that stayed open; missing: not asked yet.
  const char* find(const QuestionKey& key) const {
    auto it = solvers_.find(key);
    return it == solvers_.end() ? nullptr : it->second;
  }
  void keep(QuestionKey key, const char* solver) {
    constexpr size_t kWords = size_t{1} << 22;
    if (words_ > kWords) solvers_.clear(), words_ = 0;
    words_ += key.size() + 16;
    solvers_.emplace(std::move(key), solver);
  }

 private:
  std::unordered_map<QuestionKey, const char*, QuestionKeyHash> solvers_;
  size_t words_ = 0;
};

/// What settles it. `bounds`: where nothing does, what is known of variables from bounds alone is wanted.
Rounds settled_by(const std::vector<Expr>& given, const Expr& goal, bool bounds) {
  for (const Expr& e : given) {
    if (e == goal) return {"normal-form"};
  }
  QuestionKey key = question_key(given, goal);
  if (const char* known = Remembered::here().find(key)) {
    return {known, bounds && !*known ? look_for_contradiction(given, Expr()).first : Known{}};
  }
  Rounds out = look_for_contradiction(given, goal);
  Remembered::here().keep(std::move(key), out.solver);
  return out;
}

}  // namespace

bool proved_quickly(const std::vector<Expr>& given, const Expr& goal) { return *settled_by(given, goal, false).solver; }

Answer decide_quickly(const std::vector<Expr>& given, const Expr& goal, bool guess) {
  const auto [solver, first] = settled_by(given, goal, true);
  if (*solver) {
    Answer answer;
    answer.verdict = Verdict::Proved;
    answer.solver = solver;
    return answer;
  }
  std::optional<Answer> no = refute_by_corners(given, goal, first);
  if (!no && guess) no = refute_by_values(given, goal, first.ranges);
  return no.value_or(Answer{});
}

}  // namespace hexproof
