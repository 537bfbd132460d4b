// merge-branches {at: first of two ifs that follow one another in a Seq, complementary: 0 (default) or 1}
//
//   if c1: A  else: B                     if c1: { A; C }  else: { B; D }     (equal conditions)
//   if c2: C  else: D             ->      if c1: { A; D }  else: { B; C }     (complementary ones)
//
// Side conditions
//  1. Under Γ and what is known of memory, c1 and c2 have one value (or, complementary, always different values).
//  2. Neither A nor B writes a cell that c2 reads, so that c2 has the value which it would have had before them.
//  3. No condition holds an undef (checked here).
#include "ir/visit.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/site/data_vars.h"
#include "verify/memory/content.h"

namespace hexproof {
namespace {

Rewrite merge_branches(const PrimFunc& func, const MergeBranchesArgs& args) {
  const Path& at = args.at;
  bool complementary = args.complementary.value_or(false);
  const Path around = above(at);
  const Seq& list = record_at<Seq>(func, around, "a sequence around the if");
  size_t k = static_cast<size_t>(at.back());
  const If& first = record_at<If>(func, at, "an if");
  if (k + 1 >= list.stmts.size()) throw NotApplicable("no statement follows the if");
  const Path next = below(around, at.back() + 1);
  const If& second = record_at<If>(func, next, "an if right behind the first one");
  const Stmt stmt = checked_at(func, at);
  // Both conditions are resolved at the first if: a let outside of both means the same to each.
  Facts facts = facts_at(func, at);
  Expr c1 = facts.resolve(first.condition), c2 = facts.resolve(second.condition);
  if (holds_undef(c1) || holds_undef(c2)) throw NotApplicable("a condition holds an undef");

  auto part = [](const Stmt& s) { return s ? s : empty_stmt(); };
  Stmt with_then = part(complementary ? second.else_case : second.then_case);
  Stmt with_else = part(complementary ? second.then_case : second.else_case);
  If merged{first.condition, seq({first.then_case, with_then}), {}};
  Stmt other = seq({part(first.else_case), with_else});
  if (!other.as<Seq>() || !other.as<Seq>()->stmts.empty()) merged.else_case = other;
  std::vector<Stmt> stmts = list.stmts;
  stmts[k] = make_stmt(std::move(merged), stmt->span);
  stmts.erase(stmts.begin() + static_cast<std::ptrdiff_t>(k) + 1);

  Rewrite result{.after = replace_at(func, around, seq(stmts)), .needs = {}};
  Expr same = lor(land(c1, c2), land(lnot(c1), lnot(c2)));
  Expr different = lor(land(c1, lnot(c2)), land(lnot(c1), c2));
  Expr goal = complementary ? different : same;
  // What is known of memory at the first if is known of both conditions: by 2, the second one reads the same there.
  result.needs.push_back(need("merge-branches",
                              complementary ? "exactly one of the conditions holds" : "the conditions are equal", func,
                              stmt, with_content(func, at, facts.given(), {goal}), goal));
  // The condition of the first if is evaluated before its parts, so its guard is a fact while they run; what they
  // write may change it, and then it is no guard any more.
  const Period period(func, at);
  std::vector<Access> written = writes_of(period.accesses(at));
  std::vector<Access> read = period.accesses(make_stmt(Evaluate{second.condition}), at);
  owe_no_conflict("merge-branches", "the first if changes nothing that the second condition reads", func, stmt,
                  facts.given(), written, read, Sums::Fixed, &result.needs);
  return result;
}

}  // namespace

extern const Rule k_merge_branches{rule<merge_branches>("if c: A; if c: C  ->  if c: { A; C }")};

}  // namespace hexproof
