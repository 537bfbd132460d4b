// introduce-branch {at: statement, condition: c, stores: why each store leaves no trace (traces.h)}
// introduce-branch {at, by: a later store, stores}: c says that the later store does not write the first store's cell
// introduce-branch {at: store, ..., value: v}
//
//   S                             ->      if c: S
//   A[i] = e                      ->      if not c: A[i] = v  else: A[i] = e     (with `value` v: no memory, no undef)
//
// Side conditions, under Γ and not c
//  1. Every store of S leaves no trace: as `overcompute`, condition 2, but for permissions.
//  2. c is new: it depends on no buffer's content (checked here) and is no error.
//     With a value: neither does the store of v, and v is no error.
//  3. S assumes nothing, and holds no undef (checked here): an assume of the user stays.
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/memory/unobservable_stores.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint_witness.h"
#include "verify/memory/quick.h"

namespace hexproof {
namespace {

/// When does the later store not write the cell of the first store in the statement?
Expr not_overwritten(const PrimFunc& func, const Path& at, const Path& by) {
  const Store& later = record_at<Store>(func, by, "a later store");
  std::vector<Path> stores = lasting_stores(func, at);
  std::erase_if(stores, [&](const Path& s) { return !(stmt_at(func, s).as<Store>()->buffer == later.buffer); });
  if (stores.empty()) throw NotApplicable("the statement stores nothing there");
  if (is_within(by, at)) throw NotApplicable("the later store stands inside of the statement");
  size_t common = 0;
  while (common < at.size() && common < by.size() && at[common] == by[common]) ++common;
  if (common == at.size() || common == by.size()) throw NotApplicable("the store is no later one");
  Path part(by.begin(), by.begin() + static_cast<std::ptrdiff_t>(common) + 1);
  Facts facts = facts_at(func, at);
  std::vector<Access> mine = writes_of(footprint(stmt_at(func, at), facts));
  std::erase_if(mine, [&](const Access& a) { return !(a.buffer == later.buffer); });
  std::vector<Access> theirs = writes_of(footprint(stmt_at(func, part), facts_at(func, part)));
  std::erase_if(theirs, [&](const Access& a) { return a.stmt.get() != stmt_at(func, by).get() || !a.exact; });
  if (mine.empty() || theirs.empty()) throw NotApplicable("the later store may or may not run");
  Access write = rename_apart(theirs[0]);
  std::vector<Expr> given = join(facts.given(), domain_of(mine[0]));
  Quick quick(given);
  for (const Witness& w : witnesses(write, mine[0], given)) {
    std::vector<Expr> when = w.conditions;
    std::erase_if(when, [&](const Expr& e) { return quick.implies(e); });
    bool outside = !when.empty();
    for (const Expr& e : when) {
      for (const LoopRange& loop : mine[0].loops) outside &= !uses_var(e, loop.var);
    }
    if (outside) return negated(all(when));
  }
  throw NotApplicable("no condition is seen under which the later store writes the cell again");
}

Rewrite introduce_branch(const PrimFunc& func, const IntroduceBranchArgs& args) {
  const Path& at = args.at;
  const Stmt stmt = checked_at(func, at);
  Expr condition = args.by ? not_overwritten(func, at, *args.by) : needed(args.condition, "condition");
  if (condition->dtype != kBool || as_int(condition)) throw NotApplicable("the condition is none");
  require_index(func, condition, "the condition");
  const std::vector<Trace> traces = args.stores.value_or(std::vector<Trace>{});
  for (const Trace& trace : traces) {
    // A cell of undefined content may hold any value, and after the store only that one.
    if (trace.kind == Trace::Kind::Permitted) throw NotApplicable("a permission does not show that a store may go");
  }
  visit_stmt(stmt, [&](const Stmt& s) {
    if (s.as<Assume>()) throw NotApplicable("the statement assumes something");
    return true;
  });
  visit_all_exprs(stmt, [&](const Expr& e) {
    if (e->op == Op::Undef) throw NotApplicable("the statement holds an undef");
  });
  If branch{condition, stmt, {}};
  Stmt other;
  if (args.value) {
    const Expr& value = *args.value;
    Store store = record_at<Store>(func, at, "a store");
    require_index(func, value, "the value");
    if (value->dtype != store.value->dtype || holds_undef(value)) throw NotApplicable("the value is none of the cell");
    store.value = value;
    other = make_stmt(std::move(store), stmt->span);
    branch = If{negated(condition), other, stmt};
  }
  // Free variables of the condition are in scope: else the program would be ill formed.
  Rewrite result{.after = replace_at(func, at, make_stmt(std::move(branch), stmt->span)), .needs = {}};
  std::string broken = ill_formed(result.after);
  if (!broken.empty()) throw NotApplicable("the condition cannot stand there: " + broken);
  PrimFunc both = replace_at(func, at, make_stmt(If{condition, stmt, refresh(stmt)}, stmt->span));
  Facts facts = facts_at(func, at);
  result.needs.push_back(
      need("introduce-branch", "the condition is no error", func, stmt, facts.given(), fits(facts.resolve(condition))));
  for (Obligation& o : leaves_no_trace("introduce-branch", both, below(at, 1), traces)) {
    result.needs.push_back(std::move(o));
  }
  if (other) {
    PrimFunc with_value = replace_at(func, at, make_stmt(If{condition, stmt, other}, stmt->span));
    for (Obligation& o : leaves_no_trace("introduce-branch", with_value, below(at, 1), traces)) {
      result.needs.push_back(std::move(o));
    }
    std::vector<Expr> given = join(facts.given(), {lnot(facts.resolve(condition))});
    Expr value = facts.resolve(*args.value);
    if (value->dtype.is_integer() || !value->args.empty()) {
      result.needs.push_back(need("introduce-branch", "the value is no error", func, stmt, given, fits(value)));
    }
  }
  return result;
}

}  // namespace

extern const Rule k_introduce_branch{
    rule<introduce_branch>("S  ->  if c: S, where S leaves no trace when c does not hold")};

}  // namespace hexproof
