// Sums and differences of integers.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> sum_rules() {
  return {
      // x + 0  ->  x
      {"add-zero", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x + zero(t), .rhs = x};
       }},
      // x - 0  ->  x
      {"sub-zero", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x - zero(t), .rhs = x};
       }},
      // x - x  ->  0
      {"sub-self", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x - x, .rhs = zero(t)};
       }},
      // (x + y) - y  ->  x
      {"sub-of-add", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = (x + y) - y, .rhs = x};
       }},
      // ((x + y) - z) - y  ->  x - z
      {"sub-of-add-sub", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t);
         return ExprRewrite{.lhs = ((x + y) - z) - y, .rhs = x - z};
       }},
      // x - (x + y)  ->  0 - y      only on signed types can the result be negative, and 0 - y may not overflow
      {"sub-add-self", kSigned,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = x - (x + y), .rhs = zero(t) - y};
       }},
      // (x - y) + y  ->  x
      {"add-of-sub", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = (x - y) + y, .rhs = x};
       }},
      // x - (x - y)  ->  y
      {"sub-of-sub-self", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = x - (x - y), .rhs = y};
       }},
      // (x + y) - (x + z)  ->  y - z      the difference of what remains fits because the whole did
      {"sub-common-addend", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t);
         return ExprRewrite{.lhs = (x + y) - (x + z), .rhs = y - z};
       }},
      // (x + c1) + c2  ->  x + (c1 + c2)      x may be what kept the sum of the constants in range
      {"add-constants", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = (x + c1) + c2, .rhs = x + (c1 + c2), .when_index = fits(c1 + c2)};
       }},
      // (x + c1) - c2  ->  x + (c1 - c2)      as above
      {"add-sub-constants", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = (x + c1) - c2, .rhs = x + (c1 - c2), .when_index = fits(c1 - c2)};
       }},
      // (x - c1) + c2  ->  x + (c2 - c1)      as above
      {"sub-add-constants", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = (x - c1) + c2, .rhs = x + (c2 - c1), .when_index = fits(c2 - c1)};
       }},
      // (x - c1) - c2  ->  x - (c1 + c2)      as above
      {"sub-constants", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = (x - c1) - c2, .rhs = x - (c1 + c2), .when_index = fits(c1 + c2)};
       }},
      // (x + c) + y  ->  (x + y) + c      the new partial sum may overflow where the old one did not
      {"constant-last", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c = literal("c", t);
         return ExprRewrite{.lhs = (x + c) + y, .rhs = (x + y) + c, .when_index = fits(x + y)};
       }},
  };
}

}  // namespace hexproof
