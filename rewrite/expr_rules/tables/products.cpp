// Products of integers.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> product_rules() {
  return {
      // x * 1  ->  x
      {"mul-one", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x * imm(t, 1), .rhs = x};
       }},
      // x * 0  ->  0
      {"mul-zero", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x * zero(t), .rhs = zero(t)};
       }},
      // (x * c1) * c2  ->  x * (c1 * c2)      with x == 0 the product of the constants may be out of range
      {"mul-constants", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = (x * c1) * c2, .rhs = x * (c1 * c2), .when_index = fits(c1 * c2)};
       }},
      // (x + c1) * c2  ->  x * c2 + c1 * c2      each product may overflow where the sum's does not
      {"distribute-constant", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{
             .lhs = (x + c1) * c2, .rhs = x * c2 + c1 * c2, .when_index = all({fits(x * c2), fits(c1 * c2)})};
       }},
      // (x + y) * c  ->  x * c + y * c      as above
      {"distribute", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c = literal("c", t);
         return ExprRewrite{.lhs = (x + y) * c, .rhs = x * c + y * c, .when_index = all({fits(x * c), fits(y * c)})};
       }},
      // x * c1 + x * c2  ->  x * (c1 + c2)      with x == 0 the sum of the constants may be out of range
      {"collect-constants", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = x * c1 + x * c2, .rhs = x * (c1 + c2), .when_index = fits(c1 + c2)};
       }},
  };
}

}  // namespace hexproof
