#include "verify/prove/solvers/refute.h"

#include <algorithm>
#include <set>

#include "ir/buffer.h"
#include "ir/visit.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {

namespace {

constexpr int kTries = 48;
constexpr size_t kMaxVariables = 24;

bool is_value_of_memory(const Expr& e) { return is_application(e->op); }

/// What must hold of the values: what is given, and that the goal does not.
void facts_of(const Expr& e, bool positive, std::vector<Expr>* out) {
  if (e->op == Op::Not) return facts_of(e->args[0], !positive, out);
  if (e->op == Op::Likely) return facts_of(e->args[0], positive, out);
  if (e->op == (positive ? Op::And : Op::Or)) {
    facts_of(e->args[0], positive, out);
    return facts_of(e->args[1], positive, out);
  }
  if (!positive && e->op == Op::NE) return out->push_back(eq(e->args[0], e->args[1]));
  out->push_back(positive ? e : lnot(e));
}

/// Gives values to variables and cells while a formula is evaluated. Cells hold one value each.
class Guess final : public Inputs {
 public:
  Guess(const std::map<Var, Interval>& ranges, uint64_t seed) : ranges_(ranges), state_(seed) {}

  std::map<Var, Wide> vars;
  std::unordered_map<Expr, Wide, ExprHash> terms;

  Wide value_of(const Expr& e, Evaluator& evaluator) override {
    if (e->op == Op::Var) {
      auto it = vars.find(e->var());
      return it != vars.end() ? it->second : vars.emplace(e->var(), chosen(e)).first->second;
    }
    if (e->op != Op::Load) {
      auto it = terms.find(e);
      return it != terms.end() ? it->second : terms.emplace(e, chosen(e)).first->second;
    }
    auto [cell, fresh] = cells_.try_emplace({e->buffer(), indices(e, evaluator)}, 0);
    if (fresh) cell->second = chosen(e);
    terms.insert_or_assign(e, cell->second);
    return cell->second;
  }
  void set(const Expr& e, Wide value, Evaluator& evaluator) {
    if (e->op == Op::Var) {
      vars.insert_or_assign(e->var(), value);
    } else if (e->op == Op::Load) {
      cells_.try_emplace({e->buffer(), indices(e, evaluator)}, value);
    } else {
      terms.try_emplace(e, value);
    }
  }

 private:
  static std::vector<Wide> indices(const Expr& e, Evaluator& evaluator) {
    std::vector<Wide> out;
    for (const Expr& index : e->args) out.push_back(evaluator.bits(index));
    return out;
  }
  uint64_t random() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return state_ >> 33;
  }
  Wide chosen(const Expr& e) {
    const DType type = e->dtype;
    if (type.is_bool()) return random() & 1;
    if (type.is_float()) return float_to_bits(type, static_cast<double>(random() % 5) - 2);
    Interval r = range_of(type);
    if (e->op == Op::Var) {
      auto it = ranges_.find(e->var());
      if (it != ranges_.end()) r = meet(r, it->second);
    }
    if (r.hi < r.lo) throw Undefined("an empty range");
    // Wherever the range is small; at its ends, or about zero, where it is not.
    const Wide width = r.hi - r.lo;
    if (width < 64) return r.lo + static_cast<Wide>(random()) % (width + 1);
    const Wide step = static_cast<Wide>(random() % (random() % 2 ? 8 : 64));
    if (r.lo < 0 && r.hi > 64) return std::max(r.lo, std::min(r.hi, step - 4));
    return random() % 4 ? r.lo + step : r.hi - step;
  }

  const std::map<Var, Interval>& ranges_;
  uint64_t state_;
  std::map<std::pair<Buffer, std::vector<Wide>>, Wide> cells_;
};

/// `what` (a variable or a cell) has this value.
struct Definition {
  Expr what, value;
};

class Refutation {
 public:
  Refutation(const std::vector<Expr>& given, const Expr& goal) {
    for (const Expr& e : given) facts_of(e, true, &facts_);
    facts_of(goal, false, &facts_);
    for (const Expr& e : facts_) {
      if (e->op == Op::EQ && e->args[0]->dtype.is_scalar()) define(e->args[0], e->args[1]);
    }
  }

  /// The values, if they satisfy all facts.
  bool works(Guess* guess) const {
    Evaluator evaluator(*guess);
    try {
      for (const Definition& d : definitions_) guess->set(d.what, evaluator.bits(d.value), evaluator);
      return std::all_of(facts_.begin(), facts_.end(), [&](const Expr& e) { return evaluator.holds(e); });
    } catch (const Undefined&) {
      return false;
    }
  }

 private:
  /// From left == right: a variable or a cell on one side, after what is added to it went to the other side.
  bool define(const Expr& left, const Expr& right) { return isolate(left, right) || isolate(right, left); }

  bool isolate(const Expr& side, const Expr& other) {
    if (side->op == Op::Var || is_value_of_memory(side)) return take(side, other);
    if (!side->dtype.is_int() || side->wraps) return false;
    if (side->op == Op::Add) {
      return isolate(side->args[0], other - side->args[1]) || isolate(side->args[1], other - side->args[0]);
    }
    if (side->op == Op::Sub) {
      return isolate(side->args[0], other + side->args[1]) || isolate(side->args[1], side->args[0] - other);
    }
    return false;
  }

  /// Definitions are used in their order: what a later one defines must not have been used by then.
  bool take(const Expr& what, const Expr& value) {
    if (what->op == Op::Var && !what->dtype.is_integer()) return false;
    std::vector<Expr> in_value = inputs_of(value);
    for (const Expr& e : what->args) {
      for (const Expr& input : inputs_of(e)) in_value.push_back(input);
    }
    auto is_what = [&](const Expr& e) { return e == what || (e->op == Op::Load && what->op == Op::Load); };
    if (std::any_of(in_value.begin(), in_value.end(), is_what)) return false;
    if (std::any_of(used_.begin(), used_.end(), is_what)) return false;
    used_.insert(used_.end(), in_value.begin(), in_value.end());
    used_.push_back(what);
    definitions_.push_back({what, value});
    return true;
  }

  static std::vector<Expr> inputs_of(const Expr& e) {
    std::vector<Expr> out;
    visit_nodes(e, [&](const Expr& x) {
      if (x->op == Op::Var || is_value_of_memory(x)) out.push_back(x);
      return true;
    });
    return out;
  }

  std::vector<Expr> facts_;
  std::vector<Definition> definitions_;
  std::vector<Expr> used_;
};

/// Variables and cells of a question; nothing when there are ones without values here.
std::optional<std::vector<Expr>> inputs_of_question(const std::vector<Expr>& given, const Expr& goal) {
  std::vector<Expr> out;
  std::set<Var> seen;
  std::unordered_map<Expr, int, ExprHash> terms;
  bool good = true;
  auto collect = [&](const Expr& e) {
    visit_nodes(e, [&](const Expr& x) {
      const bool var = x->op == Op::Var && seen.insert(x->var()).second;
      const bool term = is_value_of_memory(x) && terms.emplace(x, 0).second;
      if (!var && !term) return true;
      good = good && x->dtype.is_scalar() && !x->dtype.is_handle();
      out.push_back(x);
      return true;
    });
  };
  for (const Expr& e : given) collect(e);
  collect(goal);
  if (!good || out.size() > kMaxVariables) return std::nullopt;
  return out;
}

}  // namespace

Answer refuted(const Valuation& valuation, const Evaluator& evaluator) {
  Answer out;
  out.verdict = Verdict::Refuted;
  out.solver = "evaluation";
  out.terms = valuation.terms;
  for (const auto& [var, value] : valuation.vars) out.model.emplace_back(var, value);
  for (const auto& [cell, value] : evaluator.cells()) out.cells.push_back({cell.first, cell.second, value});
  return out;
}

std::optional<Answer> refute_by_values(const std::vector<Expr>& given, const Expr& goal,
                                       const std::map<Var, Interval>& ranges) {
  const std::optional<std::vector<Expr>> inputs = inputs_of_question(given, goal);
  if (!inputs) return std::nullopt;
  const Refutation refutation(given, goal);
  for (uint64_t attempt = 0; attempt < kTries; ++attempt) {
    Guess guess(ranges, attempt * 0x9e3779b97f4a7c15ull + 1);
    if (!refutation.works(&guess)) continue;
    // Believed when they are confirmed as those of a solver are: a value for every variable and cell.
    Valuation valuation;
    Evaluator guessing(guess);
    try {
      for (const Expr& e : *inputs) {
        const Wide value = guess.value_of(e, guessing);
        if (e->op == Op::Var) {
          valuation.vars.emplace(e->var(), value);
        } else {
          valuation.terms.emplace(e, value);
        }
      }
      Evaluator evaluator(valuation);
      const bool holds = std::all_of(given.begin(), given.end(), [&](const Expr& e) { return evaluator.holds(e); });
      if (!holds || evaluator.holds(goal)) continue;
      return refuted(valuation, evaluator);
    } catch (const Undefined&) {
    }
  }
  return std::nullopt;
}

}  // namespace hexproof
