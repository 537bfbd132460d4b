#include "verify/prove/solvers/arithmetic/ring.h"

#include <gtest/gtest.h>

namespace hexproof {
namespace ring_test {

Expr data(const char* name, DType type) { return call(type, name, {}); }

TEST(Ring, LawsOfEveryIntegerType) {
  for (DType t : {kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64, kUInt64}) {
    Expr x = data("x", t), y = data("y", t), z = data("z", t);
    EXPECT_TRUE(equal_in_ring(eq((x * y) * z, (x * z) * y)));
    EXPECT_TRUE(equal_in_ring(eq((x - y) - z, (x - z) - y)));
    EXPECT_TRUE(equal_in_ring(eq((x + y) * (x - y), x * x - y * y)));
    EXPECT_FALSE(equal_in_ring(eq((x + y) * (x + y), x * x + y * y)));
    EXPECT_FALSE(equal_in_ring(eq(x - y, y - x)));
  }
}

TEST(Ring, CoefficientsWrap) {
  Expr x = data("x", kUInt8), many = imm(kUInt8, 128);
  EXPECT_TRUE(equal_in_ring(eq(x * many + x * many, x * imm(kUInt8, 0))));
  EXPECT_FALSE(equal_in_ring(eq(x * many, x * imm(kUInt8, 0))));
}

/// floor(x + y) differs from x + y wherever it is no ring operation: divisions and index sums are atoms.
TEST(Ring, OtherOperationsAreAtoms) {
  Expr x = data("x", kInt32), y = data("y", kInt32), two = i32(2);
  EXPECT_TRUE(equal_in_ring(eq(floordiv(x, two) + y, y + floordiv(x, two))));
  EXPECT_FALSE(equal_in_ring(eq(floordiv(x * two, two), x)));
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  EXPECT_FALSE(equal_in_ring(eq(x + (Expr(i) + Expr(j)), (x + Expr(i)) + Expr(j))));
  EXPECT_FALSE(equal_in_ring(eq(Expr(i) + Expr(j), Expr(j) + Expr(i))));  // not data
  EXPECT_FALSE(equal_in_ring(eq(data("f", kFloat32) + data("g", kFloat32), data("g", kFloat32) + data("f", kFloat32))));
}

}  // namespace ring_test
}  // namespace hexproof
