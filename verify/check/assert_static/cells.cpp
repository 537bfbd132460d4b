// What cells are known to hold, looked up in the memory as it is.
#include "verify/check/assert_static/observer.h"

namespace hexproof::asserting {

namespace {
constexpr uint64_t kMostFactValues = 512;  // of the loops of one fact
}

std::optional<bool> Observer::may_hold_anything(const Expr& call, const std::vector<int64_t>& indices) const {
  const Expr& load = call->args[0];
  if (load->op != Op::Load || !(call == hexproof::may_hold_anything(load))) return std::nullopt;
  std::optional<SeenCell> cell = state_->cell(load->buffer(), indices, 0);
  if (!cell) return std::nullopt;
  return holds_anything_.count({load->buffer()->data.id(), cell->at}) > 0;
}

void Observer::assert_cells(const Node& node) {
  StateFormulas f = now();
  for (const MemoryFact& fact : node.place->cells) {
    if (failure) return;
    std::optional<bool> done = for_values(fact.loops, f, kMostFactValues, [&](const std::vector<Wide>&) {
      assert_cell(fact, f, node);
      return !failure;
    });
    counts.unknown += !done;
  }
}

void Observer::assert_cell(const MemoryFact& fact, StateFormulas& f, const Node& node) {
  ++counts.cells;
  for (const Expr& e : fact.when) {
    ++work_;
    Truth truth = f.truth(e);
    counts.unknown += truth == Truth::Unknown;
    if (truth != Truth::True) return;
  }
  ++work_;
  Truth says = f.truth(fact.says);
  if (says == Truth::True || says == Truth::Unknown) {
    counts.unknown += says == Truth::Unknown;
    return;
  }
  if (hit(fact, f)) return;
  Expr formula = fact.says;
  for (const Expr& e : fact.when) formula = lor(lnot(e), formula);
  fail("content", "a cell does not hold what it is known to hold where the statement starts", formula, f, node,
       fact.str());
}

/// May one of the stores that are listed have happened?
bool Observer::hit(const MemoryFact& fact, StateFormulas& f) {
  for (const Clobber& one : fact.hits) {
    bool found = false;
    std::optional<bool> all = for_values(one.loops, f, 4 * kMostFactValues, [&](const std::vector<Wide>&) {
      bool happens = true;
      for (const Expr& e : one.conditions) {
        ++work_;
        Truth truth = f.truth(e);
        happens = happens && (truth == Truth::True || truth == Truth::Unknown);
        if (!happens) break;
      }
      found = happens;
      return !found;
    });
    if (found || !all || !*all) return true;  // what was not looked at may have happened
  }
  return false;
}

}  // namespace hexproof::asserting
