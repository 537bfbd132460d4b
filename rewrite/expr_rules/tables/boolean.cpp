// Booleans. `and`, `or` evaluate both sides, so dropping one only removes errors.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> boolean_rules() {
  return {
      // p  ->  True      p is known to hold
      {"known-true", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = p, .rhs = boolean(true), .when = p};
       }},
      // p  ->  False      p is known not to hold
      {"known-false", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = p, .rhs = boolean(false), .when = lnot(p)};
       }},
      // p and True  ->  p
      {"and-true", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = land(p, boolean(true)), .rhs = p};
       }},
      // p and False  ->  False
      {"and-false", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = land(p, boolean(false)), .rhs = boolean(false)};
       }},
      // p or True  ->  True
      {"or-true", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = lor(p, boolean(true)), .rhs = boolean(true)};
       }},
      // p or False  ->  p
      {"or-false", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = lor(p, boolean(false)), .rhs = p};
       }},
      // p and p  ->  p
      {"and-same", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = land(p, p), .rhs = p};
       }},
      // p or p  ->  p
      {"or-same", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = lor(p, p), .rhs = p};
       }},
      // p and not p  ->  False
      {"and-not-self", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = land(p, lnot(p)), .rhs = boolean(false)};
       }},
      // p or not p  ->  True
      {"or-not-self", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = lor(p, lnot(p)), .rhs = boolean(true)};
       }},
      // p and (p or q)  ->  p
      {"and-absorbs-or", kBools,
       [](DType) {
         Expr p = hole("p", kBool), q = hole("q", kBool);
         return ExprRewrite{.lhs = land(p, lor(p, q)), .rhs = p};
       }},
      // p or (p and q)  ->  p
      {"or-absorbs-and", kBools,
       [](DType) {
         Expr p = hole("p", kBool), q = hole("q", kBool);
         return ExprRewrite{.lhs = lor(p, land(p, q)), .rhs = p};
       }},
      // p and q  ->  p      p implies q
      {"and-implied", kBools,
       [](DType) {
         Expr p = hole("p", kBool), q = hole("q", kBool);
         return ExprRewrite{.lhs = land(p, q), .rhs = p, .when = lor(lnot(p), q)};
       }},
      // p or q  ->  p      q implies p
      {"or-implied", kBools,
       [](DType) {
         Expr p = hole("p", kBool), q = hole("q", kBool);
         return ExprRewrite{.lhs = lor(p, q), .rhs = p, .when = lor(lnot(q), p)};
       }},
      // not not p  ->  p
      {"not-not", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = lnot(lnot(p)), .rhs = p};
       }},
      // not (p and q)  ->  not p or not q
      {"not-and", kBools,
       [](DType) {
         Expr p = hole("p", kBool), q = hole("q", kBool);
         return ExprRewrite{.lhs = lnot(land(p, q)), .rhs = lor(lnot(p), lnot(q))};
       }},
      // not (p or q)  ->  not p and not q
      {"not-or", kBools,
       [](DType) {
         Expr p = hole("p", kBool), q = hole("q", kBool);
         return ExprRewrite{.lhs = lnot(lor(p, q)), .rhs = land(lnot(p), lnot(q))};
       }},
  };
}

}  // namespace hexproof
