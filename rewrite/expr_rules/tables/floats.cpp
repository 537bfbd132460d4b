// Floats: what holds bit for bit, with NaNs as one value. x + 0.0 -> x needs to know the sign of a zero: -0.0 + 0.0 is
// +0.0. A sum that started at +0.0 is known never to be -0.0 (verify/memory/content.h).
#include "rewrite/expr_rules/rule.h"
#include "verify/prove/obligation.h"

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
      // x + 0.0  ->  x         when x is not -0.0
      {"float-add-zero", kFloats,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = x + fimm(t, 0.0), .rhs = x, .when = lnot(same_bits(x, fimm(t, -0.0)))};
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
