// Formulas, check and equiv read an operation by its class, whatever its operands are.
#include "ir/arith_class.h"

#include "tests/verify/check/check_fixture.h"
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"
#include "verify/prove/solvers/arithmetic/ring.h"

namespace hexproof {
namespace arith_class_test {

Verdict asked(const Expr& goal, const std::vector<Expr>& given = {}, bool quick = true) {
  Prover prover({.normal_form = quick});
  return prover.prove({"test", "the claim holds", {}, given, goal}).verdict;
}

TEST(ArithClassFormula, TheClassIsOfTheOperation) {
  for (bool quick : {true, false}) {
    for (DType type : {kInt8, kUInt8, kInt32, kUInt32}) {
      Expr i = Var::fresh("i", type), v = Var::fresh("v", type, true), cell = call(type, "cell", {}),
           one = imm(type, 1);
      for (const Expr& x : {i, v, cell}) {
        Expr index = with_class(x + one, false), data = with_class(x + one, true);
        EXPECT_EQ(asked(gt(index, x), {}, quick), Verdict::Proved) << type.str();
        EXPECT_EQ(asked(gt(data, x), {}, quick), Verdict::Refuted) << type.str();
        EXPECT_EQ(asked(fits(data), {}, quick), Verdict::Proved);
        EXPECT_EQ(asked(fits(index), {}, quick), Verdict::Refuted);
        // What fits has the value that it has when it wraps.
        EXPECT_EQ(asked(eq(index, data), {fits(index)}, quick), Verdict::Proved);
        EXPECT_EQ(asked(eq(index, data), {}, quick), Verdict::Refuted);
        EXPECT_EQ(asked(eq(with_class(x * one, true), x), {}, quick), Verdict::Proved);
      }
      // Operations made anew take the class of their operands.
      EXPECT_FALSE((i + one)->wraps);
      EXPECT_TRUE((v + one)->wraps);
      EXPECT_TRUE((i + v)->wraps);
    }
  }
}

TEST(ArithClassFormula, Shifts) {
  Expr i = Var::fresh("i", kInt32), two = i32(2);
  Expr index = binary(Op::Shl, i, two), data = with_class(index, true);
  for (bool quick : {true, false}) {
    EXPECT_EQ(asked(eq(index, i * i32(4)), {}, quick), Verdict::Proved);
    EXPECT_EQ(asked(eq(data, with_class(i * i32(4), true)), {}, quick), Verdict::Proved);
    EXPECT_EQ(asked(eq(data, index), {}, quick), Verdict::Refuted);
    EXPECT_EQ(asked(eq(data, index), {lt(i, i32(8)), ge(i, i32(0))}, quick), Verdict::Proved);
  }
}

TEST(ArithClassFormula, TheRingIsOfWhatWraps) {
  Expr i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  auto wraps = [](const Expr& e) { return with_class(e, true); };
  EXPECT_TRUE(equal_in_ring(eq(wraps(i + j), wraps(j + i))));
  EXPECT_FALSE(equal_in_ring(eq(i + j, j + i)));
  EXPECT_FALSE(equal_in_ring(eq(wraps((i + j) + i), wraps((j + i) + i))));
  // As integers i + j may lie outside of the type, where it is not what wraps.
  EXPECT_FALSE(equal_in_ring(eq(i + j, wraps((i + j) + i32(0)))));
}

struct ArithClassCheck : CheckTest {
  static std::string storing(const std::string& value) {
    return "def f(A: T.Buffer((4,), 'int32'), B: T.Buffer((4,), 'int32'), n: T.int32):\n    x = T.int32()\n    B[0] "
           "= " +
           value + "\n";
  }
};

TEST_F(ArithClassCheck, WhatIsAskedFollowsTheClass) {
  refuted(storing("n + 1"), "overflow");
  proved(storing("T.wrap(n + 1)"));
  proved(storing("A[0] + 1"));
  refuted(storing("T.nowrap(A[0] + 1)"), "overflow");
  proved(storing("T.nowrap(A[0] % 8 + 1)"));
  refuted(storing("T.if_then_else(A[0] > 0, T.nowrap(A[0] * 2), 0)"), "overflow");
  proved(storing("T.if_then_else(A[0] > 0 and A[0] < 9, T.nowrap(A[0] * 2), 0)"));
  refuted(storing("T.Let(n - 4, where={x: A[0]}) + 2147483647"), "overflow");
  proved(storing("T.Let(x - 4, where={x: A[0]}) + 2147483647"));
  proved(storing("B[T.wrap(n + 1) % 4]"));
}

struct ArithClassEquiv : testing::Test {
  static std::string two(const std::string& first, const std::string& second) {
    return "def f(A: T.Buffer((4,), 'int32'), B: T.Buffer((4,), 'int32'), n: T.int32):\n    A[0] = " + first +
           "\n    B[0] = " + second + "\n";
  }
  static Finding parametric(const std::string& before, const std::string& after) {
    Prover prover;
    return equiv_parametric(pair_programs(parse(before), parse(after)), prover).finding;
  }
};

// Memory turns out to hold an index: the sum wraps all the same.
TEST_F(ArithClassEquiv, ParametricallyWhatIsReadBackWraps) {
  EXPECT_EQ(parametric(two("n", "A[0] + 1"), two("n", "T.wrap(n + 1)")), Finding::Proved);
  EXPECT_NE(parametric(two("n", "A[0] + 1"), two("n", "n + 1")), Finding::Proved);
  EXPECT_EQ(parametric(two("7", "A[0] + 1"), two("7", "8")), Finding::Proved);
  EXPECT_EQ(parametric(two("2147483647", "A[0] + 1"), two("2147483647", "-2147483648")), Finding::Proved);
  EXPECT_EQ(parametric(two("n % 8", "A[0] * 4"), two("n % 8", "n % 8 * 4")), Finding::Proved);
}

TEST_F(ArithClassEquiv, SymbolicallyToo) {
  auto of = [](const std::string& value) {
    return "def f(A: T.Buffer((2,), 'int32'), B: T.Buffer((2,), 'int32')):\n    for i in range(2):\n        B[i] = " +
           value + "\n";
  };
  EXPECT_PROVED(of("A[i] + 1"), of("1 + A[i]"));
  EXPECT_PROVED(of("T.nowrap(A[i] + 1)"), of("A[i] + 1"));
  EXPECT_REFUTED(of("A[i] + 1"), of("T.nowrap(A[i] + 1)"));
  EXPECT_PROVED(of("T.wrap(i + 2147483647)"), of("T.if_then_else(i == 0, 2147483647, -2147483648)"));
  EXPECT_REFUTED(of("T.wrap(i + 2147483647)"), of("i + 2147483647"));
  EXPECT_PROVED(of("A[i] % 16 * 2"), of("T.nowrap(A[i] % 16 * 2)"));
}

}  // namespace arith_class_test
}  // namespace hexproof
