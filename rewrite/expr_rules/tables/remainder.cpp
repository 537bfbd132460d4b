// Floor remainder (and how C's remainder becomes it), and quotient and remainder together.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> remainder_rules() {
  return {
      // x % 1  ->  0
      {"mod-one", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = floormod(x, imm(t, 1)), .rhs = zero(t)};
       }},
      // x % n  ->  x      x lies in the first tile
      {"mod-small", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), n = hole("n", t);
         Expr upper = lt(x, n);
         return ExprRewrite{.lhs = floormod(x, n), .rhs = x, .when = t.is_int() ? land(le(zero(t), x), upper) : upper};
       }},
      // (x * n) % n  ->  0      index only: a product that wraps is no multiple of n
      {"mod-of-mul", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), n = hole("n", t);
         return ExprRewrite{.lhs = floormod(x * n, n), .rhs = zero(t)};
       },
       ForArithmetic::IndexAtUse},
      // (x * c + y) % c  ->  y % c      a c of -1 makes y % c an error where y is the least value
      {"mod-of-mul-add", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c = literal("c", t);
         ExprRewrite r{.lhs = floormod(x * c + y, c), .rhs = floormod(y, c)};
         if (t.is_int()) r.when = lt(zero(t), c);
         return r;
       },
       ForArithmetic::IndexAtUse},
      // ((x * c + y) - z) % c  ->  (y - z) % c
      {"mod-of-mul-add-sub", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t), c = literal("c", t);
         return ExprRewrite{.lhs = floormod((x * c + y) - z, c),
                            .rhs = floormod(y - z, c),
                            .when = t.is_int() ? lt(zero(t), c) : Expr{},
                            .when_index = fits(y - z)};
       },
       ForArithmetic::IndexAtUse},
      // (x * (c1 * c2)) % c2  ->  0
      {"mod-of-mul-multiple", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = floormod(x * (c1 * c2), c2), .rhs = zero(t)};
       },
       ForArithmetic::IndexAtUse},
      // (x * (c1 * c2) + y) % c2  ->  y % c2
      {"mod-of-mul-multiple-add", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c1 = literal("c1", t), c2 = literal("c2", t);
         ExprRewrite r{.lhs = floormod(x * (c1 * c2) + y, c2), .rhs = floormod(y, c2)};
         if (t.is_int()) r.when = lt(zero(t), c2);
         return r;
       },
       ForArithmetic::IndexAtUse},
      // (x * c1) % (c1 * c2)  ->  (x % c2) * c1
      {"mod-cancel", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = floormod(x * c1, c1 * c2), .rhs = floormod(x, c2) * c1};
       },
       ForArithmetic::IndexAtUse},
      // (x * c1 + y) % (c1 * c2)  ->  (x % c2) * c1 + y      y stays below one step of x
      {"mod-cancel-add", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c1 = literal("c1", t), c2 = literal("c2", t);
         Expr upper = lt(y, c1);
         return ExprRewrite{.lhs = floormod(x * c1 + y, c1 * c2),
                            .rhs = floormod(x, c2) * c1 + y,
                            .when = t.is_int() ? all({lt(zero(t), c2), le(zero(t), y), upper}) : upper};
       },
       ForArithmetic::IndexAtUse},
      // (x % (c1 * c2)) % c2  ->  x % c2
      {"mod-mod", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         ExprRewrite r{.lhs = floormod(floormod(x, c1 * c2), c2), .rhs = floormod(x, c2)};
         if (t.is_int()) r.when = lt(zero(t), c2);
         return r;
       },
       ForArithmetic::IndexAtUse},
      // (x + c1 * c2) % c2  ->  x % c2
      {"mod-of-add-constant", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         ExprRewrite r{.lhs = floormod(x + c1 * c2, c2), .rhs = floormod(x, c2)};
         if (t.is_int()) r.when = lt(zero(t), c2);
         return r;
       },
       ForArithmetic::IndexAtUse},
      // (x + y) % c  ->  y % c      x is a multiple of c
      {"mod-of-sum", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c = literal("c", t);
         Expr multiple = eq(floormod(x, c), zero(t));
         return ExprRewrite{.lhs = floormod(x + y, c),
                            .rhs = floormod(y, c),
                            .when = t.is_int() ? land(lt(zero(t), c), multiple) : multiple};
       },
       ForArithmetic::IndexAtUse},
      // ((x + y) + z) % c  ->  (y + z) % c      x is a multiple of c
      {"mod-of-three", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t), c = literal("c", t);
         Expr multiple = eq(floormod(x, c), zero(t));
         return ExprRewrite{.lhs = floormod((x + y) + z, c),
                            .rhs = floormod(y + z, c),
                            .when = t.is_int() ? land(lt(zero(t), c), multiple) : multiple,
                            .when_index = fits(y + z)};
       },
       ForArithmetic::IndexAtUse},
      // (x // n) * n + x % n  ->  x      what floor division means
      {"recompose", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), n = hole("n", t);
         return ExprRewrite{.lhs = floordiv(x, n) * n + floormod(x, n), .rhs = x};
       },
       ForArithmetic::IndexAtUse},
      // (y + x // c) * c + x % c  ->  y * c + x      the flat index of a cell x behind the start of tile y, which alone
      // may be out of range
      {"recompose-add", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c = literal("c", t);
         return ExprRewrite{
             .lhs = (y + floordiv(x, c)) * c + floormod(x, c), .rhs = y * c + x, .when_index = fits(y * c)};
       },
       ForArithmetic::IndexAtUse},
      // (z + x // c * c) + x % c  ->  z + x      the same in a longer sum
      {"recompose-behind", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), z = hole("z", t), c = literal("c", t);
         return ExprRewrite{.lhs = (z + floordiv(x, c) * c) + floormod(x, c), .rhs = z + x};
       },
       ForArithmetic::IndexAtUse},
      // (z + (x // c * c + y)) + x % c  ->  (z + y) + x      as above
      {"recompose-inside", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t), c = literal("c", t);
         return ExprRewrite{
             .lhs = (z + (floordiv(x, c) * c + y)) + floormod(x, c), .rhs = (z + y) + x, .when_index = fits(z + y)};
       },
       ForArithmetic::IndexAtUse},
      // (z + (y + x // c) * c) + x % c  ->  (z + y * c) + x      as above
      {"recompose-add-behind", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t), c = literal("c", t);
         return ExprRewrite{.lhs = (z + (y + floordiv(x, c)) * c) + floormod(x, c),
                            .rhs = (z + y * c) + x,
                            .when_index = all({fits(y * c), fits(z + y * c)})};
       },
       ForArithmetic::IndexAtUse},
      // T.truncmod(x, y)  ->  x % y      nothing is negative
      {"truncmod-is-mod", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = binary(Op::TruncMod, x, y),
                            .rhs = floormod(x, y),
                            .when = t.is_int() ? land(le(zero(t), x), lt(zero(t), y)) : Expr{}};
       },
       ForArithmetic::IndexAtUse},
  };
}

}  // namespace hexproof
