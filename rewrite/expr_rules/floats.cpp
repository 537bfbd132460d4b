// Floats: what holds bit for bit, with NaNs as one value. x + 0.0 -> x is not here: it turns -0.0 into +0.0.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> float_rules() {
  return {
      // x * 1.0  ->  x
      {"float-mul-one", kFloats,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x * fimm(t, 1.0), .rhs = x};
       }},
      // x / 1.0  ->  x
      {"float-div-one", kFloats,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::Div, x, fimm(t, 1.0)), .rhs = x};
       }},
      // x + (-0.0)  ->  x      the neutral element of addition is the negative zero
      {"float-add-neg-zero", kFloats,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x + fimm(t, -0.0), .rhs = x};
       }},
      // x - 0.0  ->  x
      {"float-sub-zero", kFloats,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x - fimm(t, 0.0), .rhs = x};
       }},
  };
}

}  // namespace hexproof
