// Bounds and sums over what is given, by themselves.
#include "verify/prove/solvers/contradiction.h"

#include <gtest/gtest.h>

#include "ir/expr.h"

namespace hexproof {
namespace contradiction_test {

/// Formulas of a few dozen nodes whose parts are shared: written out they would have 2^60.
class SharedParts : public ::testing::Test {
 protected:
  SharedParts() {
    any = all = lt(Expr(x), i32(3));
    for (int k = 0; k < 60; ++k) {
      const Expr one = lt(Expr(x), i32(4 + k)), other = lt(Expr(y), i32(k));
      any = lor(lor(any, one), lor(any, other));
      all = land(land(all, one), land(all, other));
    }
  }
  const Var x = Var::fresh("x", kInt32), y = Var::fresh("y", kInt32);
  Expr any, all;
};

TEST_F(SharedParts, EachIsTakenApartOnce) {
  EXPECT_NE(look_for_contradiction({all}, lt(Expr(x), i32(3))).solver, std::string());
  EXPECT_EQ(look_for_contradiction({all}, lt(Expr(x), i32(2))).solver, std::string());
  EXPECT_EQ(look_for_contradiction({any}, lt(Expr(x), i32(3))).solver, std::string());
  EXPECT_NE(look_for_contradiction({lt(Expr(x), i32(3))}, any).solver, std::string());
  EXPECT_NE(look_for_contradiction({any, le(i32(100), Expr(x)), le(i32(100), Expr(y))}, all).solver, std::string());
}

}  // namespace contradiction_test
}  // namespace hexproof
