// RemoveOvercomputeThroughBranching, the inverse of RemoveBranchingThroughOvercompute.
//
// The condition comes from what is known of the padding: a later store writes the cell again; or an assume, or an
// earlier store, says what the cells hold that the statement reads or writes, so that it changes nothing there.
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/passes/find_unobservable_stores.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/args/branches.h"
#include "verify/memory/content.h"
#include "verify/memory/kept.h"
#include "verify/prove/effort.h"

namespace hexproof {
namespace {

/// What may be spent on one condition at one statement, on all conditions at one statement, and on the whole pass. A
/// condition that is proved takes less than a tenth; what is not proved within it is left alone, and the same on each
/// run.
constexpr uint64_t kUnitsPerCondition = 4'000'000, kUnitsPerPlace = 10'000'000, kUnitsPerPass = 40'000'000;

/// Does it hold anyway, or never?
bool decided(Strategy& s, const Path& at, const Expr& condition) {
  Facts facts = facts_at(s.func(), at);
  auto holds = [&](const Expr& goal) {
    Obligation question = need("introduce-branch", "the condition holds anyway", s.func(), stmt_at(s.func(), at),
                               facts.given(), facts.resolve(goal));
    return s.prover.prove(question).verdict == Verdict::Proved;
  };
  return holds(condition) || holds(lnot(condition));
}

bool introduce(Strategy& s, IntroduceBranchArgs args) {
  const Path at = args.at;
  Allowance here(kUnitsPerCondition);
  try {
    PrimFunc guarded = rule_by_name(IntroduceBranchArgs::kRule).apply(s.func(), args_of(args)).after;
    const If& branch = *stmt_at(guarded, at).as<If>();
    if (decided(s, at, branch.condition)) return false;
    const Stmt stmt = stmt_at(s.func(), at);
    Expr runs = branch.else_case ? negated(branch.condition) : branch.condition;
    PrimFunc both = replace_at(s.func(), at, make_stmt(If{runs, stmt, refresh(stmt)}));
    std::optional<std::vector<Trace>> traces = find_traces(s, both, below(at, 1), Branching::Added);
    if (!traces) return false;
    args.stores = *traces;
    return s.apply(args);
  } catch (const NotApplicable&) {
    return false;
  }
}

/// A later store, of padding for example, writes what the statement stores.
bool by_a_later_store(Strategy& s, const Path& at) {
  std::vector<Path> mine = lasting_stores(s.func(), at);
  if (mine.empty()) return false;
  for (const Path& by : find_all(s.func(), [](const Stmt& x) { return x.as<Store>() != nullptr; })) {
    if (by < at || is_within(by, at)) continue;
    if (stmt_at(s.func(), by).as<Store>()->buffer != stmt_at(s.func(), mine[0]).as<Store>()->buffer) continue;
    if (Effort::here().allowance->used_up()) break;
    if (introduce(s, {.at = at, .by = by})) return true;
  }
  return false;
}

void disjuncts(const Expr& e, std::vector<Expr>* out) {
  if (e->op != Op::Or) return out->push_back(e);
  for (const Expr& part : e->args) disjuncts(part, out);
}

/// Conditions on variables around the statement under which nothing is known of the cells that it reads or writes.
std::vector<Expr> conditions_of_content(const PrimFunc& func, const Path& at) {
  Facts around = facts_at(func, at);
  std::set<Var> scope;
  for (const LoopRange& loop : around.loops) scope.insert(loop.var);
  for (const Var& v : func.scalars()) scope.insert(v);
  std::vector<Expr> out;
  std::shared_ptr<const Content> content = content_of(func);
  for (const Path& store : lasting_stores(func, at)) {
    Facts facts = facts_at(func, store);
    const Store& s = *stmt_at(func, store).as<Store>();
    std::vector<Expr> about{inline_lets(facts.resolve(load(s.buffer, s.indices)), facts.loops),
                            inline_lets(facts.resolve(s.value), facts.loops)};
    for (const Expr& formula : instances(content->at(store), facts.given(), about)) {
      std::vector<Expr> parts;
      disjuncts(formula, &parts);
      Expr condition;
      bool says = false;
      for (const Expr& part : parts) {
        bool here = !is_data(part);
        for (const Var& v : free_vars(part)) here &= scope.count(v) > 0;
        Expr plain = part->op == Op::Not ? negated(part->args[0]) : part;
        if (here) condition = condition ? lor(condition, plain) : plain;
        says |= is_data(part);
      }
      bool known = std::find(out.begin(), out.end(), condition) != out.end();
      if (condition && says && !known && !as_int(condition)) out.push_back(condition);
    }
  }
  return out;
}

bool by_content(Strategy& s, const Path& at) {
  for (const Expr& condition : conditions_of_content(s.func(), at)) {
    if (Effort::here().allowance->used_up()) break;
    if (introduce(s, {.at = at, .condition = condition})) return true;
  }
  return false;
}

}  // namespace

int introduce_conditionals(Strategy& s) {
  int count = 0;
  Allowance all(kUnitsPerPass);
  for (size_t k = s.all<Store>().size(); k-- > 0;) {
    const Path at = s.all<Store>()[k];
    Allowance place(kUnitsPerPlace);
    for (const Path& by : find_all(s.func(), [](const Stmt& x) { return x.as<Store>() != nullptr; })) {
      const Store &mine = *stmt_at(s.func(), at).as<Store>(), &later = *stmt_at(s.func(), by).as<Store>();
      bool constant = later.value->op == Op::IntImm || later.value->op == Op::FloatImm;
      if (by < at || by == at || !constant || later.buffer != mine.buffer) continue;
      if (!introduce(s, {.at = at, .by = by, .value = later.value})) continue;
      ++count;
      break;
    }
  }
  return count;
}

int remove_overcompute_through_branching(Strategy& s) {
  int count = 0;
  Allowance all(kUnitsPerPass);
  for (bool again = true; again && count < 16;) {
    again = false;
    for (const Path& loop : s.all<For>()) {
      const Path at = below(loop, 0);
      if (stmt_at(s.func(), at).as<If>()) continue;
      Allowance place(kUnitsPerPlace);
      again = by_a_later_store(s, at) || by_content(s, at);
      if (again) break;
    }
    count += again;
  }
  return count;
}

}  // namespace hexproof
