// What was proved, tried on the values that occur.
#include "ir/interpreter/inputs/random_values.h"
#include "verify/check/assert_static/observer.h"

namespace hexproof::asserting {

namespace {

constexpr size_t kRemembered = 16;  // values of the loop variables of one name
constexpr int kTries = 6;           // for an obligation with variables of its own

std::set<Var> variables(const Obligation& o) {
  std::set<Var> out = free_vars(o.goal);
  for (const Expr& e : o.given) out.merge(free_vars(e));
  return out;
}

}  // namespace

void Observer::remember_loops(const Node& node) {
  for (const LoopRange& loop : node.place->facts.loops) {
    std::optional<SeenValue> value = state_->value(loop.var);
    if (!value) continue;
    std::vector<int64_t>& values = occurred_[loop.var.name()];
    int64_t now = static_cast<int64_t>(wide_value(value->value));
    if (std::find(values.begin(), values.end(), now) != values.end()) continue;
    if (values.size() < kRemembered) values.push_back(now);
  }
}

void Observer::assert_proved(const Node& node) {
  for (const Obligation& o : node.place->proved) {
    StateFormulas f = now();
    std::vector<Var> open;
    for (const Var& v : variables(o)) {
      if (!f.has_value(v) && v.dtype().is_scalar() && !v.dtype().is_handle()) open.push_back(v);
    }
    for (int k = 0; k < (open.empty() ? 1 : kTries) && !failure; ++k) {
      for (const Var& v : open) {
        const std::vector<int64_t>& seen = occurred_[v.name()];
        uint64_t random = next_random(random_);
        int64_t value = !seen.empty() && random % 4 != 0 ? seen[(random >> 8) % seen.size()]
                                                         : static_cast<int64_t>((random >> 8) % 9) - 1;
        f.bind(v, fits_type(v.dtype(), value) ? value : 0);
      }
      assert_obligation(o, f, node);
    }
    if (failure) return;
  }
}

/// Whatever the values: where everything given holds, the goal does.
void Observer::assert_obligation(const Obligation& o, StateFormulas& f, const Node& node) {
  for (const Expr& e : o.given) {
    ++work_;
    Truth truth = f.truth(e);
    counts.unknown += truth == Truth::Unknown;
    if (truth != Truth::True) return;
  }
  ++work_;
  ++counts.obligations;
  if (f.truth(o.goal) != Truth::False) return;
  Expr formula = o.goal;
  for (const Expr& e : o.given) formula = lor(lnot(e), formula);
  fail("obligation", "what was proved is false: " + o.why + " (" + o.rule + ")", formula, f, node, print(o));
}

}  // namespace hexproof::asserting
