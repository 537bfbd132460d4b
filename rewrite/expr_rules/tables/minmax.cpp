// Smaller and larger of two. T.min(a, b) is a if a < b else b, T.max(a, b) is a if a > b else b.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> minmax_rules() {
  return {
      // T.min(x, x)  ->  x      also of a NaN and of zeros
      {"min-same", kNumbers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = min(x, x), .rhs = x};
       }},
      // T.max(x, x)  ->  x
      {"max-same", kNumbers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = max(x, x), .rhs = x};
       }},
      // T.min(x, y)  ->  x      x is known to be the smaller one; equal floats may be zeros of two signs
      {"min-left", kNumbers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = min(x, y), .rhs = x, .when = t.is_float() ? lt(x, y) : le(x, y)};
       }},
      // T.min(x, y)  ->  y      y is known to be no larger; with a NaN too the right operand is the value
      {"min-right", kNumbers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = min(x, y), .rhs = y, .when = le(y, x)};
       }},
      // T.max(x, y)  ->  x      as min-left
      {"max-left", kNumbers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = max(x, y), .rhs = x, .when = t.is_float() ? gt(x, y) : ge(x, y)};
       }},
      // T.max(x, y)  ->  y      as min-right
      {"max-right", kNumbers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = max(x, y), .rhs = y, .when = ge(y, x)};
       }},
      // T.min(T.min(x, c1), c2)  ->  T.min(x, T.min(c1, c2))
      {"min-constants", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = min(min(x, c1), c2), .rhs = min(x, min(c1, c2))};
       }},
      // T.max(T.max(x, c1), c2)  ->  T.max(x, T.max(c1, c2))
      {"max-constants", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = max(max(x, c1), c2), .rhs = max(x, max(c1, c2))};
       }},
      // T.min(x, T.max(x, y))  ->  x
      {"min-of-max", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = min(x, max(x, y)), .rhs = x};
       }},
      // T.max(x, T.min(x, y))  ->  x
      {"max-of-min", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = max(x, min(x, y)), .rhs = x};
       }},
  };
}

}  // namespace hexproof
