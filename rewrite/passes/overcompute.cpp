// RemoveBranchingThroughOvercompute and its inverse: why each store leaves no trace is found here, and proved by the
// rule.
#include "ir/visit.h"
#include "rewrite/data.h"
#include "rewrite/early.h"
#include "rewrite/passes/passes.h"
#include "rewrite/traces.h"

namespace hexproof {
namespace {

bool all_proved(Strategy& s, const PrimFunc& func, std::vector<Obligation> needs) {
  hide_data_vars(data_vars(func), &needs);
  for (const Answer& answer : s.prover.prove_all(needs)) {
    if (answer.verdict != Verdict::Proved) return false;
  }
  return true;
}

/// For each lasting store of the statement at `copy` a reason that is proved; nothing when one has none.
std::optional<std::vector<Trace>> find_traces(Strategy& s, const PrimFunc& func, const Path& copy) {
  constexpr size_t kMost = 6;
  std::vector<Trace> found;
  Path branch = above(copy);
  for (const Path& store : lasting_stores(func, copy)) {
    Var memory = stmt_at(func, store).as<Store>()->buffer->data;
    std::vector<Trace> tries{{}};
    for (const Path& by :
         find_all(func, [&](const Stmt& x) { return x.as<Store>() && x.as<Store>()->buffer->data == memory; })) {
      if (is_within(by, branch) || by < branch || tries.size() > kMost) continue;
      for (int64_t witness : {0, 1}) tries.push_back({Trace::Kind::Overwritten, by, witness});
    }
    tries.push_back({Trace::Kind::Unread, {}, 0});
    bool ok = false;
    for (const Trace& trace : tries) {
      try {
        ok = all_proved(s, func, leaves_no_trace("overcompute", func, copy, store, trace));
      } catch (const NotApplicable&) {
        continue;
      }
      if (!ok) continue;
      found.push_back(trace);
      break;
    }
    if (!ok) return std::nullopt;
  }
  return found;
}

bool try_branch(Strategy& s, const Path& at) {
  Stmt stmt = stmt_at(s.func(), at);
  const If* branch = stmt.as<If>();
  if (branch && branch->else_case) {
    return s.apply("overcompute", {{"at", at}, {"takes", int64_t{1}}}) ||
           s.apply("overcompute", {{"at", at}, {"takes", int64_t{0}}});
  }
  try {
    BothSides both = both_sides(s.func(), at, true);
    std::optional<std::vector<Trace>> traces = find_traces(s, both.func, both.copy);
    Args args{{"at", at}, {"takes", int64_t{1}}};
    if (traces) args["stores"] = print(*traces);
    return s.apply("overcompute", args);  // without traces it says what is missing
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
    for (const Path& target : targets) count += s.apply("clamp-index", {{"at", place}, {"expr", target}});
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

namespace {
/// A branch of that condition would change nothing: one around it decides it.
bool holds_already(Strategy& s, const Path& at, const Expr& condition) {
  Facts facts = facts_at(s.func(), at);
  Obligation question = need("introduce-branch", "the condition holds anyway", s.func(), stmt_at(s.func(), at),
                             facts.given(), facts.resolve(condition));
  return s.prover.prove(question).verdict == Verdict::Proved;
}
}  // namespace

int remove_overcompute_through_branching(Strategy& s) {
  int count = 0;
  for (bool again = true; again && count < 16;) {
    again = false;
    for (const Path& loop : s.all<For>()) {
      const Path at = below(loop, 0);
      if (stmt_at(s.func(), at).as<If>()) continue;
      std::vector<Path> mine = lasting_stores(s.func(), at);
      for (const Path& by : find_all(s.func(), [](const Stmt& x) { return x.as<Store>() != nullptr; })) {
        if (by < at || is_within(by, at) || mine.empty()) continue;
        if (stmt_at(s.func(), by).as<Store>()->buffer != stmt_at(s.func(), mine[0]).as<Store>()->buffer) continue;
        try {
          PrimFunc guarded = rule_by_name("introduce-branch").apply(s.func(), {{"at", at}, {"by", by}}).after;
          const If& branch = *stmt_at(guarded, at).as<If>();
          if (holds_already(s, at, branch.condition)) continue;
          PrimFunc both =
              replace_at(s.func(), at, make_stmt(If{branch.condition, branch.then_case, refresh(branch.then_case)}));
          std::optional<std::vector<Trace>> traces = find_traces(s, both, below(at, 1));
          again = traces && s.apply("introduce-branch", {{"at", at}, {"by", by}, {"stores", print(*traces)}});
        } catch (const NotApplicable&) {
          continue;
        }
        if (again) break;
      }
      if (again) break;
    }
    count += again;
  }
  return count;
}

}  // namespace hexproof
