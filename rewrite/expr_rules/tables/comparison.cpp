// Comparisons.
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

std::vector<ExprRule> comparison_rules() {
  return {
      // x < x  ->  False      also of a NaN
      {"lt-same", kNumbers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = lt(x, x), .rhs = boolean(false)};
       }},
      // x <= x  ->  True      integers only: a NaN is not <= itself
      {"le-same", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = le(x, x), .rhs = boolean(true)};
       }},
      // x == x  ->  True
      {"eq-same", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = eq(x, x), .rhs = boolean(true)};
       }},
      // x != x  ->  False
      {"ne-same", kIntegers,
       [](DType t) {
         Expr x = hole("x", t);
         return ExprRewrite{.lhs = ne(x, x), .rhs = boolean(false)};
       }},
      // not x < y  ->  y <= x      integers only: both are false with a NaN
      {"not-lt", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = lnot(lt(x, y)), .rhs = le(y, x)};
       }},
      // not x <= y  ->  y < x      as above
      {"not-le", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = lnot(le(x, y)), .rhs = lt(y, x)};
       }},
      // not x > y  ->  x <= y      as above
      {"not-gt", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = lnot(gt(x, y)), .rhs = le(x, y)};
       }},
      // not x >= y  ->  x < y      as above
      {"not-ge", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = lnot(ge(x, y)), .rhs = lt(x, y)};
       }},
      // not x == y  ->  x != y      != is true with a NaN
      {"not-eq", kNumbers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = lnot(eq(x, y)), .rhs = ne(x, y)};
       }},
      // not x != y  ->  x == y
      {"not-ne", kNumbers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t);
         return ExprRewrite{.lhs = lnot(ne(x, y)), .rhs = eq(x, y)};
       }},
      // x + z < y + z  ->  x < y      index only: a sum that wraps changes sides
      {"lt-cancel-addend", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t);
         return ExprRewrite{.lhs = lt(x + z, y + z), .rhs = lt(x, y)};
       },
       ForArithmetic::IndexOnly},
      // x + z <= y + z  ->  x <= y      as above
      {"le-cancel-addend", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t);
         return ExprRewrite{.lhs = le(x + z, y + z), .rhs = le(x, y)};
       },
       ForArithmetic::IndexOnly},
      // x + z == y + z  ->  x == y      adding is a bijection, with wrapping too
      {"eq-cancel-addend", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), z = hole("z", t);
         return ExprRewrite{.lhs = eq(x + z, y + z), .rhs = eq(x, y)};
       }},
      // x + c1 < c2  ->  x < c2 - c1
      {"lt-move-constant", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = lt(x + c1, c2), .rhs = lt(x, c2 - c1), .when_index = fits(c2 - c1)};
       },
       ForArithmetic::IndexOnly},
      // x + c1 <= c2  ->  x <= c2 - c1
      {"le-move-constant", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = le(x + c1, c2), .rhs = le(x, c2 - c1), .when_index = fits(c2 - c1)};
       },
       ForArithmetic::IndexOnly},
      // x + c1 == c2  ->  x == c2 - c1
      {"eq-move-constant", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = eq(x + c1, c2), .rhs = eq(x, c2 - c1), .when_index = fits(c2 - c1)};
       }},
      // x * c1 < c1 * c2  ->  x < c2
      {"lt-cancel-factor", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), c1 = literal("c1", t), c2 = literal("c2", t);
         return ExprRewrite{.lhs = lt(x * c1, c1 * c2), .rhs = lt(x, c2), .when = lt(zero(t), c1)};
       },
       ForArithmetic::IndexOnly},
      // x * c1 == y * c1  ->  x == y      index only: with wrapping an even factor loses a bit
      {"eq-cancel-factor", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c1 = literal("c1", t);
         return ExprRewrite{.lhs = eq(x * c1, y * c1), .rhs = eq(x, y), .when = ne(c1, zero(t))};
       },
       ForArithmetic::IndexOnly},
      // x * c1 + y < c1 * c2  ->  x < c2      y stays below one step of x
      {"lt-cancel-tile", kIntegers,
       [](DType t) {
         Expr x = hole("x", t), y = hole("y", t), c1 = literal("c1", t), c2 = literal("c2", t);
         Expr upper = lt(y, c1);
         return ExprRewrite{.lhs = lt(x * c1 + y, c1 * c2),
                            .rhs = lt(x, c2),
                            .when = t.is_int() ? land(le(zero(t), y), upper) : upper};
       },
       ForArithmetic::IndexOnly},
  };
}

}  // namespace hexproof
