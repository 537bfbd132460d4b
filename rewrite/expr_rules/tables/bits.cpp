// Bits of integers.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> bit_rules() {
  return {
      // x << 0  ->  x
      {"shl-zero", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::Shl, x, zero(t)), .rhs = x};
       }},
      // x >> 0  ->  x
      {"shr-zero", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::Shr, x, zero(t)), .rhs = x};
       }},
      // x & x  ->  x
      {"bitand-same", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::BitAnd, x, x), .rhs = x};
       }},
      // x & 0  ->  0
      {"bitand-zero", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::BitAnd, x, zero(t)), .rhs = zero(t)};
       }},
      // x | x  ->  x
      {"bitor-same", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::BitOr, x, x), .rhs = x};
       }},
      // x | 0  ->  x
      {"bitor-zero", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::BitOr, x, zero(t)), .rhs = x};
       }},
      // x ^ x  ->  0
      {"bitxor-same", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::BitXor, x, x), .rhs = zero(t)};
       }},
      // x ^ 0  ->  x
      {"bitxor-zero", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = binary(Op::BitXor, x, zero(t)), .rhs = x};
       }},
      // x ^ y ^ y  ->  x
      {"bitxor-undone", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = binary(Op::BitXor, binary(Op::BitXor, x, y), y), .rhs = x};
       }},
      // ~~x  ->  x
      {"bitnot-bitnot", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = unary(Op::BitNot, unary(Op::BitNot, x)), .rhs = x};
       }},
  };
}

}  // namespace hexproof
