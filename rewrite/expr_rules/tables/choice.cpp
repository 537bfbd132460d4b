// T.Select, which evaluates everything, and T.if_then_else, which evaluates only what it chooses.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> choice_rules() {
  return {
      // T.Select(True, x, y)  ->  x
      {"select-true", kScalars,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = select(boolean(true), x, y), .rhs = x};
       }},
      // T.Select(False, x, y)  ->  y
      {"select-false", kScalars,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = select(boolean(false), x, y), .rhs = y};
       }},
      // T.Select(p, x, x)  ->  x
      {"select-same", kScalars,
       [](DType t) {
         Expr p = hole("p", kBool), x = hole("x", t);
         return ExprRewrite{.lhs = select(p, x, x), .rhs = x};
       }},
      // T.Select(not p, x, y)  ->  T.Select(p, y, x)
      {"select-not", kScalars,
       [](DType t) {
         Expr p = hole("p", kBool), x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = select(lnot(p), x, y), .rhs = select(p, y, x)};
       }},
      // T.Select(p, True, False)  ->  p
      {"select-of-constants", kBools,
       [](DType) {
         Expr p = hole("p", kBool);
         return ExprRewrite{.lhs = select(p, boolean(true), boolean(false)), .rhs = p};
       }},
      // T.Select(x < y, x, y)  ->  T.min(x, y)      the definition of min
      {"select-is-min", kNumbers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = select(lt(x, y), x, y), .rhs = min(x, y)};
       }},
      // T.Select(x > y, x, y)  ->  T.max(x, y)      the definition of max
      {"select-is-max", kNumbers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = select(gt(x, y), x, y), .rhs = max(x, y)};
       }},
      // T.if_then_else(True, x, y)  ->  x
      {"if-true", kScalars,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = if_then_else(boolean(true), x, y), .rhs = x};
       }},
      // T.if_then_else(False, x, y)  ->  y
      {"if-false", kScalars,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = if_then_else(boolean(false), x, y), .rhs = y};
       }},
      // T.if_then_else(p, x, x)  ->  x
      {"if-same", kScalars,
       [](DType t) {
         Expr p = hole("p", kBool), x = hole("x", t);
         return ExprRewrite{.lhs = if_then_else(p, x, x), .rhs = x};
       }},
      // T.if_then_else(not p, x, y)  ->  T.if_then_else(p, y, x)
      {"if-not", kScalars,
       [](DType t) {
         Expr p = hole("p", kBool), x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = if_then_else(lnot(p), x, y), .rhs = if_then_else(p, y, x)};
       }},
      // T.if_then_else(p, T.if_then_else(p, x, y), z)  ->  T.if_then_else(p, x, z)
      {"if-in-if", kScalars,
       [](DType t) {
         Expr p = hole("p", kBool), x = hole("x", t), y = hole("y", t), z = hole("z", t);
         return ExprRewrite{.lhs = if_then_else(p, if_then_else(p, x, y), z), .rhs = if_then_else(p, x, z)};
       }},
  };
}

}  // namespace hexproof
