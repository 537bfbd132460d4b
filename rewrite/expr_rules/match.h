// Where a rule matches an expression, what it would put there, and what must hold for that.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "ir/visit.h"
#include "rewrite/data.h"
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

/// One way in which a rule matches. `conditions` are what is left of `when` once constants are folded: conjuncts that
/// are false outright give no match, true ones are dropped. A condition that computes something that the matched
/// expression does not compute comes with its `fits`.
struct Match {
  std::string rule;
  Expr after;
  std::vector<Expr> conditions;
};

/// The variables that depend on a buffer's content (lets and block variables).
using DataVars = std::set<Var>;

/// Every way in which the rule of that name matches `e` itself (not its parts), in a fixed order; a rule name that is
/// not known matches nothing. Operands of commutative operators are tried in both orders.
///
/// The reading: with no data under any hole the index claim is used; else the data claim, and then every operation of
/// the right side that is index arithmetic must already stand in `e` (so that it is known to fit). An expression that
/// holds an `undef` is bound to no hole, for a copy of it would be another value; nor is a `T.Let` copied.
std::vector<Match> match_rule(const std::string& rule, const Expr& e, const DataVars& data = {});
/// As above for all rules, `fold-constants` first.
std::vector<Match> match_all(const Expr& e, const DataVars& data = {});

/// The rule `separate-digits`: a comparison of index arithmetic i * c + j (with j any sum of smaller multiples) with a
/// constant becomes conditions on i and on j:
///
///     i * c + j < b      ->    not (i == q and j >= r)     or     i < q or i == q and j < r
///     i * c + j >= b     ->    not (i == q and j < r)      or     i > q or i == q and j >= r
///
/// where q = b // c, r = b % c. It is no theorem: each application owes that the new condition is free of errors, and
/// that it is equal to the old one there. Not among match_all, for it is a matter of taste.
inline constexpr const char* kSeparateDigits = "separate-digits";
std::vector<Match> match_digits(const Expr& e, const DataVars& data);

/// The rule `fold-constants`: an operation on constants becomes its value. Nothing when it is an error (as index
/// arithmetic, or with `wraps` as data arithmetic) or when the operation is not one of integers and bools.
inline constexpr const char* kFoldConstants = "fold-constants";
Expr fold_operation(const Expr& e, bool wraps = false);

}  // namespace hexproof
