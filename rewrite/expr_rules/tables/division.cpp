// Floor division (and how C's division becomes it).
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> division_rules() {
  return {
      // x // 1  ->  x
      {"div-one", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = floordiv(x, imm(t, 1)), .rhs = x};
       }},
      // x // n  ->  0      x lies in the first tile
      {"div-small", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), n = hole("n", t);
         Expr upper = lt(x, n);
         return ExprRewrite{
             .lhs = floordiv(x, n), .rhs = zero(t), .when = t.is_int() ? land(le(zero(t), x), upper) : upper};
       }},
      // (x * n) // n  ->  x      index only: a product that wraps has lost x
      {"div-of-mul", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), n = hole("n", t);
         return ExprRewrite{.lhs = floordiv(x * n, n), .rhs = x};
       },
       ForArithmetic::IndexOnly},
      // (x * c + y) // c  ->  x + y // c      a c of -1 makes y // c an error where y is the least value
      {"div-of-mul-add", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c = literal("c", t);
         ExprRewrite r{.lhs = floordiv(x * c + y, c), .rhs = x + floordiv(y, c)};
         if (t.is_int()) r.when = lt(zero(t), c);
         return r;
       },
       ForArithmetic::IndexOnly},
      // (x * (c1 * c2)) // c2  ->  x * c1      x * c1 is smaller than what fitted
      {"div-of-mul-multiple", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = floordiv(x * (c1 * c2), c2), .rhs = x * c1};
       },
       ForArithmetic::IndexOnly},
      // (x * (c1 * c2) + y) // c2  ->  x * c1 + y // c2
      {"div-of-mul-multiple-add", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c1 = literal("c1", t), c2 = literal("c2", t);
         ExprRewrite r{.lhs = floordiv(x * (c1 * c2) + y, c2), .rhs = x * c1 + floordiv(y, c2)};
         if (t.is_int()) r.when = lt(zero(t), c2);
         return r;
       },
       ForArithmetic::IndexOnly},
      // (x * c1) // (c1 * c2)  ->  x // c2
      {"div-cancel", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = floordiv(x * c1, c1 * c2), .rhs = floordiv(x, c2)};
       },
       ForArithmetic::IndexOnly},
      // (x * c1 + y) // (c1 * c2)  ->  x // c2      y stays below one step of x
      {"div-cancel-add", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c1 = literal("c1", t), c2 = literal("c2", t);
         Expr upper = lt(y, c1);
         return ExprRewrite{.lhs = floordiv(x * c1 + y, c1 * c2),
                            .rhs = floordiv(x, c2),
                            .when = t.is_int() ? all({lt(zero(t), c2), le(zero(t), y), upper}) : upper};
       },
       ForArithmetic::IndexOnly},
      // (x // c1) // c2  ->  x // (c1 * c2)      tiles of tiles; the product of the sizes may be out of range
      {"div-div", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = floordiv(floordiv(x, c1), c2),
                            .rhs = floordiv(x, c1 * c2),
                            .when = t.is_int() ? lt(zero(t), c2) : Expr{},
                            .when_index = fits(c1 * c2)};
       },
       ForArithmetic::IndexOnly},
      // (x + c1 * c2) // c2  ->  x // c2 + c1
      {"div-of-add-constant", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         ExprRewrite r{.lhs = floordiv(x + c1 * c2, c2), .rhs = floordiv(x, c2) + c1};
         if (t.is_int()) r.when = lt(zero(t), c2);
         return r;
       },
       ForArithmetic::IndexOnly},
      // (x + y) // c  ->  x // c + y // c      x is a multiple of c
      {"div-of-sum", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c = literal("c", t);
         Expr multiple = eq(floormod(x, c), zero(t));
         return ExprRewrite{.lhs = floordiv(x + y, c),
                            .rhs = floordiv(x, c) + floordiv(y, c),
                            .when = t.is_int() ? land(lt(zero(t), c), multiple) : multiple};
       },
       ForArithmetic::IndexOnly},
      // ((x + y) + z) // c  ->  x // c + (y + z) // c      x is a multiple of c
      {"div-of-three", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t), c = literal("c", t);
         Expr multiple = eq(floormod(x, c), zero(t));
         return ExprRewrite{.lhs = floordiv((x + y) + z, c),
                            .rhs = floordiv(x, c) + floordiv(y + z, c),
                            .when = t.is_int() ? land(lt(zero(t), c), multiple) : multiple,
                            .when_index = fits(y + z)};
       },
       ForArithmetic::IndexAtUse},
      // ((x * c + y) - z) // c  ->  x + (y - z) // c
      {"div-of-mul-add-sub", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t), c = literal("c", t);
         return ExprRewrite{.lhs = floordiv((x * c + y) - z, c),
                            .rhs = x + floordiv(y - z, c),
                            .when = t.is_int() ? lt(zero(t), c) : Expr{},
                            .when_index = fits(y - z)};
       },
       ForArithmetic::IndexAtUse},
      // T.truncdiv(x, y)  ->  x // y      nothing is negative
      {"truncdiv-is-div", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = binary(Op::TruncDiv, x, y),
                            .rhs = floordiv(x, y),
                            .when = t.is_int() ? land(le(zero(t), x), lt(zero(t), y)) : Expr{}};
       }},
  };
}

}  // namespace hexproof
