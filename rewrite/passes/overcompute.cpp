// RemoveBranchingThroughOvercompute: why each store leaves no trace is found here, and proved by the rule.
#include "ir/visit.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/passes/find_unobservable_stores.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/site/data_vars.h"

namespace hexproof {
namespace {

bool try_branch(Strategy& s, const Path& at) {
  Stmt stmt = stmt_at(s.func(), at);
  const If* branch = stmt.as<If>();
  if (branch && branch->else_case) {
    return s.apply(OvercomputeArgs{.at = at, .takes = true}) || s.apply(OvercomputeArgs{.at = at, .takes = false});
  }
  try {
    BothSides both = both_sides(s.func(), at, true);
    std::optional<std::vector<Trace>> traces = find_traces(s, both.func, both.copy, Branching::Removed);
    OvercomputeArgs args{.at = at, .takes = true};
    if (!traces && s.refusal()) return false;
    if (traces) args.stores = *traces;
    return s.apply(args);  // without traces it says what is missing
  } catch (const NotApplicable&) {
    return false;
  }
}

/// Every index of the loads and stores below `at` that the rule allows gets a remainder.
int clamp_indices(Strategy& s, const Path& at) {
  int count = 0;
  for (const Path& place : find_all(s.func(), [](const Stmt&) { return true; })) {
    if (!is_within(place, at) || place == at) continue;
    std::vector<Path> targets;
    Stmt stmt = stmt_at(s.func(), place);
    std::vector<Expr> roots = expressions(stmt);
    std::function<void(const Expr&, const Path&, bool)> look = [&](const Expr& e, const Path& path, bool index) {
      for (size_t k = 0; k < e->args.size(); ++k) look(e->args[k], below(path, static_cast<int>(k)), e->op == Op::Load);
      if (index && !as_int(e) && e->op != Op::FloorMod) targets.push_back(path);
    };
    const Store* store = stmt.as<Store>();
    for (size_t root : executed_expressions(stmt)) {
      bool index = false;
      if (store) {
        for (const Expr& i : store->indices) index |= i.get() == roots[root].get();
      }
      look(roots[root], {static_cast<int>(root)}, index);
    }
    for (const Path& target : targets) count += s.apply(ClampIndexArgs{.at = place, .expr = target});
  }
  return count;
}

/// A remainder that is not needed after all goes again.
void unclamp(Strategy& s, const Path& at) {
  for (const Path& place : find_all(s.func(), [](const Stmt&) { return true; })) {
    if (!is_within(place, at)) continue;
    s.simplify(place);
  }
}

}  // namespace

int remove_branching_through_overcompute(Strategy& s, bool clamp) {
  int count = 0;
  auto branches = [](const Stmt& x) { return x.as<If>() || (x.as<Block>() && x.as<Block>()->predicate); };
  for (size_t k = s.places(branches).size(); k-- > 0;) {
    std::vector<Path> found = s.places(branches);
    if (k >= found.size()) continue;
    const Path at = found[k];
    if (try_branch(s, at)) {
      ++count;
      continue;
    }
    if (!clamp || !stmt_at(s.func(), at).as<If>()) continue;
    Derivation saved = s.derivation;
    int clamped = clamp_indices(s, at);
    if (clamped && try_branch(s, at)) {
      unclamp(s, at);
      count += 1 + clamped;
    } else {
      s.derivation = std::move(saved);
    }
  }
  return count;
}

}  // namespace hexproof
