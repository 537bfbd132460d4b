// Where a rule matches an expression, what it would put there, and what must hold for that.
#pragma once
#include <string>
#include <vector>

#include "ir/visit.h"
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

/// Every way in which the rule of that name matches `e` itself (not its parts), in a fixed order; a rule name that is
/// not known matches nothing. Operands of commutative operators are tried in both orders.
///
/// The reading is that of the operations that were matched: the index claim where all are index arithmetic, else the data
/// claim, where the new operations wrap, too. (What fits has the value that it has when it wraps.) Where no operation of
/// either class was matched, data under a hole decides. A new operation of a data claim on operands that are no data must
/// already stand in `e` as index arithmetic, where it is always evaluated (so that it is known to fit), unless there is no
/// data under any hole. An expression that holds an `undef` is bound to no hole, for a copy of it would be another value;
/// nor is a `T.Let` copied.
std::vector<Match> match_rule(const std::string& rule, const Expr& e);
/// As above for all rules, `fold-constants` first.
std::vector<Match> match_all(const Expr& e);

/// The rule `separate-digits`: a comparison of index arithmetic i * c + j (with j any sum of smaller multiples) with a
/// constant becomes conditions on i and on j:
///
///     i * c + j < b      ->    not (i == q and j >= r)     or     i < q or i == q and j < r
///     i * c + j >= b     ->    not (i == q and j < r)      or     i > q or i == q and j >= r
///
/// where q = b // c, r = b % c. It is no theorem: each application owes that the new condition is free of errors, and
/// that it is equal to the old one there. Not among match_all, for it is a matter of taste.
inline constexpr const char* kSeparateDigits = "separate-digits";
std::vector<Match> match_digits(const Expr& e);

/// The rule `fold-constants`: an operation on constants becomes its value. Nothing when it is an error, or when the
/// operation is not one of integers and bools.
inline constexpr const char* kFoldConstants = "fold-constants";
Expr fold_operation(const Expr& e);

/// The rule `no-wrap`: data arithmetic on operands that are no data any more becomes index arithmetic. Owes that it fits.
inline constexpr const char* kNoWrap = "no-wrap";

}  // namespace hexproof
