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

/// The loops of an imperfect tile: 0 <= o, 0 <= i < 16, o * 16 + i < n.
class Tile : public ::testing::Test {
 protected:
  bool shown(const Expr& goal) const { return look_for_contradiction(given, goal).solver != std::string(); }

  const Var o = Var::fresh("o", kInt32), i = Var::fresh("i", kInt32), n = Var::fresh("n", kInt32);
  const Expr inner = i, size = n;
  const std::vector<Expr> given = {le(i32(0), o), le(i32(0), i), lt(inner, i32(16)),
                                   lt(Expr(o) * i32(16) + inner, size)};
};

TEST_F(Tile, AMinimumIsOneOfItsOperands) {
  EXPECT_TRUE(shown(lt(inner, min(i32(16), size))));
  EXPECT_TRUE(shown(lt(Expr(o) * i32(16) + inner, Expr(o) * i32(16) + min(i32(16), size))));
  EXPECT_FALSE(shown(lt(inner, min(i32(15), size))));
  EXPECT_FALSE(shown(lt(inner + i32(1), min(i32(16), size))));
  EXPECT_TRUE(shown(lt(min(inner, i32(9)) * i32(2), size * i32(2))));
  EXPECT_FALSE(shown(lt(min(inner, i32(9)) * i32(2), size)));
}

TEST_F(Tile, AMaximumAndAChoiceToo) {
  EXPECT_TRUE(shown(le(max(inner, i32(3)), i32(15))));
  EXPECT_TRUE(shown(lt(max(inner - i32(5), i32(0)), size)));
  EXPECT_FALSE(shown(lt(max(inner - i32(5), i32(1)), size)));
  EXPECT_TRUE(shown(lt(inner, max(size, i32(3)))));
  EXPECT_FALSE(shown(le(size, max(inner, i32(3)))));
  const Expr any = if_then_else(lt(Expr(o), i32(7)), size, size + i32(4));
  EXPECT_TRUE(shown(lt(inner, any)));
  EXPECT_FALSE(shown(lt(inner + i32(1), any)));
}

}  // namespace contradiction_test
}  // namespace hexproof
