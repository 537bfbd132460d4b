// simplify {at: statement, applications: "rule#match@statement/expression; ..."}
//
//   S with e inside    ->    S with e' inside      for each application, in order, of a rule e -> e' when c
//
// Each statement lies at or below `at`. What is replaced has the same value at that place, and is free of errors where
// the old expression was: that is the theorem that belongs to each rule (`hexproof rules --prove`). What an application
// owes carries the name of the expression rule.
//
// Side conditions
//  1. The rule's condition holds at the place.
//  2. Where the rule makes new index arithmetic, it fits its type.
//  3. known-value: the cell holds the bits of the value.
//  4. In an assume, a domain or a region, which no program evaluates: what is replaced is free of errors.
#include <map>

#include "rewrite/expr_rules/site.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

bool leads_somewhere(const ExprSite& site, const Path& where) {
  if (where.empty() || where[0] < 0 || static_cast<size_t>(where[0]) >= site.roots().size()) return false;
  const Expr* e = &site.roots()[static_cast<size_t>(where[0])];
  for (size_t k = 1; k < where.size(); ++k) {
    if (where[k] < 0 || static_cast<size_t>(where[k]) >= (*e)->args.size()) return false;
    e = &(*e)->args[static_cast<size_t>(where[k])];
  }
  return true;
}

Rewrite simplify(const PrimFunc& func, const SimplifyArgs& args) {
  const Path& at = args.at;
  checked_at(func, at);
  if (args.applications.empty()) throw NotApplicable("the list of applications does not parse, or is empty");

  Rewrite result{.after = func, .needs = {}};
  std::map<Path, ExprSite> sites;
  for (const Application& a : args.applications) {
    if (!is_within(a.statement, at)) throw NotApplicable("an application lies outside of the statement");
    checked_at(func, a.statement);
    ExprSite& site = sites.try_emplace(a.statement, func, a.statement).first->second;
    if (!leads_somewhere(site, a.expr)) throw NotApplicable(a.rule + ": the path leads to no expression");
    const Candidate* chosen = nullptr;
    std::vector<Candidate> candidates = site.candidates(a.expr, a.rule);
    for (const Candidate& c : candidates) {
      if (c.ordinal == a.ordinal) chosen = &c;
    }
    if (!chosen) throw NotApplicable("the expression rule '" + a.rule + "' does not match there");
    result.needs.insert(result.needs.end(), chosen->needs.begin(), chosen->needs.end());
    site.replace(a.expr, chosen->match.after);
  }
  // Inner statements first: the paths of the outer ones stay, and their parts are taken from the new program.
  for (auto it = sites.rbegin(); it != sites.rend(); ++it) {
    Stmt after = with_expressions(stmt_at(result.after, it->first), it->second.roots());
    result.after = replace_at(result.after, it->first, after);
  }
  return result;
}

}  // namespace

extern const Rule k_simplify{rule<simplify>("S(e)  ->  S(e')   for expression rules e -> e' whose conditions hold")};

}  // namespace hexproof
