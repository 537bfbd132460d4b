// The laws on signs and on roundings that terms are folded by, held against the arithmetic itself: every float16.
#include <gtest/gtest.h>

#include <cmath>

#include "ir/float_format.h"
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"
#include "verify/equiv/symbolic/terms/terms.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {
namespace equiv_symbolic_laws_test {

using symbolic::Term;
using symbolic::Terms;

Scalar half(uint32_t bits) { return float_scalar(kFloat16, float_from_bits(kFloat16, bits)); }

Scalar apply(Op op, const Scalar& a, const Scalar& b) { return apply_binary(op, a, b, Arith::Data).value; }
Scalar cast_to(DType type, const Scalar& a) { return apply_cast(type, a).value; }
Scalar negated(const Scalar& a) { return apply(Op::Mul, a, float_scalar(a.type, -1)); }

/// Numbers of every exponent and sign, zeros, infinities and a NaN.
std::vector<Scalar> some_halves() {
  std::vector<Scalar> out;
  for (uint32_t exponent = 0; exponent < 32; ++exponent) {
    for (uint32_t mantissa : {0u, 1u, 0x155u, 0x3ffu}) {
      for (uint32_t sign : {0u, 0x8000u}) out.push_back(half(sign | exponent << 10 | mantissa));
    }
  }
  return out;
}

struct LawsTest : testing::Test {
  Terms t{1 << 16};
  Term x = t.input(kFloat16, 0), y = t.input(kFloat16, 1);
  Term minus_one = t.constant(float_scalar(kFloat16, -1));
  Term negation(Term a) { return t.binary(Op::Mul, a, minus_one); }
};

TEST_F(LawsTest, ADifferenceIsASumWithANegation) {
  EXPECT_EQ(t.binary(Op::Sub, x, y), t.binary(Op::Add, x, negation(y)));
  EXPECT_EQ(t.binary(Op::Sub, x, y), t.binary(Op::Add, negation(y), x));
  EXPECT_EQ(t.binary(Op::Add, x, y), t.binary(Op::Sub, x, negation(y)));
  EXPECT_EQ(t.binary(Op::Sub, negation(x), y), t.binary(Op::Add, negation(y), negation(x)));
  EXPECT_EQ(t.binary(Op::Sub, negation(x), y), t.binary(Op::Sub, negation(y), x));
  Term three = t.constant(float_scalar(kFloat16, 3)), minus_three = t.constant(float_scalar(kFloat16, -3));
  EXPECT_EQ(t.binary(Op::Sub, x, three), t.binary(Op::Add, x, minus_three));
  EXPECT_EQ(t.binary(Op::Add, x, three), t.binary(Op::Sub, x, minus_three));
  EXPECT_EQ(t.binary(Op::Sub, three, x), t.binary(Op::Add, negation(x), three));
  // No law: zeros of two signs.
  EXPECT_NE(t.binary(Op::Sub, x, y), negation(t.binary(Op::Sub, y, x)));
  EXPECT_NE(t.binary(Op::Add, negation(x), negation(y)), negation(t.binary(Op::Add, x, y)));
  for (const Scalar& a : some_halves()) {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const Scalar b = half(bits);
      ASSERT_EQ(apply(Op::Sub, a, b), apply(Op::Add, a, negated(b))) << a.d() << " " << b.d();
      ASSERT_EQ(apply(Op::Sub, negated(a), b), apply(Op::Sub, negated(b), a)) << a.d() << " " << b.d();
    }
  }
  Scalar zero = half(0);
  EXPECT_FALSE(apply(Op::Sub, zero, zero) == negated(apply(Op::Sub, zero, zero)));
}

TEST_F(LawsTest, SignsOfProductsAndQuotients) {
  EXPECT_EQ(negation(negation(x)), x);
  EXPECT_EQ(t.binary(Op::Mul, negation(x), y), negation(t.binary(Op::Mul, x, y)));
  EXPECT_EQ(t.binary(Op::Mul, negation(x), negation(y)), t.binary(Op::Mul, x, y));
  EXPECT_EQ(t.binary(Op::Div, negation(x), y), negation(t.binary(Op::Div, x, y)));
  EXPECT_EQ(t.binary(Op::Div, negation(x), negation(y)), t.binary(Op::Div, x, y));
  Term three = t.constant(float_scalar(kFloat16, 3)), minus_three = t.constant(float_scalar(kFloat16, -3));
  EXPECT_EQ(negation(t.binary(Op::Mul, x, three)), t.binary(Op::Mul, x, minus_three));
  EXPECT_EQ(t.binary(Op::Mul, negation(x), three), t.binary(Op::Mul, x, minus_three));
  for (const Scalar& a : some_halves()) {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const Scalar b = half(bits);
      ASSERT_EQ(apply(Op::Mul, negated(a), b), negated(apply(Op::Mul, a, b))) << a.d() << " " << b.d();
      ASSERT_EQ(apply(Op::Div, negated(a), b), negated(apply(Op::Div, a, b))) << a.d() << " " << b.d();
      ASSERT_EQ(apply(Op::Div, a, negated(b)), negated(apply(Op::Div, a, b))) << a.d() << " " << b.d();
    }
  }
}

/// The value of a term over one input.
Scalar value_of(const Terms& t, Term term, const Scalar& input) {
  if (t.op(term) == Op::Var) return input;
  if (t.is_constant(term)) return t.value(term);
  const Scalar a = value_of(t, t.arg(term, 0), input);
  if (t.op(term) == Op::Not) return apply_unary(Op::Not, a);
  return apply(t.op(term), a, value_of(t, t.arg(term, 1), input));
}

// min, max, + and - of a number against a number: every pair of numbers near the ends and zero, every value.
TEST_F(LawsTest, ClampedAndShiftedAgainstANumber) {
  int smaller = 0;
  for (DType type : {kInt8, kUInt8}) {
    const int low = type.is_uint() ? 0 : -128, high = type.is_uint() ? 255 : 127;
    const Term input = t.input(type, type.is_uint() ? 2 : 3);
    auto number = [&](int n) { return int_scalar(type, n); };
    for (Op form : {Op::Min, Op::Max, Op::Add, Op::Sub}) {
      for (int c : {low, low + 1, 0, 1, 5, high - 1, high}) {
        const Term bounded = t.binary(form, input, t.constant(number(c)));
        for (int k : {low, low + 1, 0, 1, 4, 5, 6, high - 1, high}) {
          for (Op op : {Op::EQ, Op::NE, Op::LT, Op::LE, Op::GT, Op::GE}) {
            const Term left = t.binary(op, bounded, t.constant(number(k))),
                       right = t.binary(op, t.constant(number(k)), bounded);
            smaller += t.is_constant(left) || (t.op(left) != Op::Not && t.arg(left, 0) == input);
            for (int n = low; n <= high; ++n) {
              const Scalar is = apply(form, number(n), number(c));
              ASSERT_EQ(value_of(t, left, number(n)), apply(op, is, number(k))) << n << " " << c << " " << k;
              ASSERT_EQ(value_of(t, right, number(n)), apply(op, number(k), is)) << n << " " << c << " " << k;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(smaller, 500);
}

TEST_F(LawsTest, RoundedTwiceIsRoundedOnce) {
  for (DType wide : {kFloat32, kFloat64}) {
    for (Op op : {Op::Add, Op::Sub, Op::Mul}) {
      EXPECT_EQ(t.cast(kFloat16, t.binary(op, t.cast(wide, x), t.cast(wide, y))), t.binary(op, x, y));
      for (const Scalar& a : some_halves()) {
        for (uint32_t bits = 0; bits < 0x10000; bits += wide == kFloat64 ? 7 : 1) {
          const Scalar b = half(bits);
          ASSERT_EQ(cast_to(kFloat16, apply(op, cast_to(wide, a), cast_to(wide, b))), apply(op, a, b))
              << a.d() << " " << b.d();
        }
      }
    }
  }
  // No law: two operations in the wider format, or a number that the narrow one does not have.
  Term wide_x = t.cast(kFloat32, x), wide_y = t.cast(kFloat32, y);
  EXPECT_EQ(t.op(t.cast(kFloat16, t.binary(Op::Add, t.binary(Op::Mul, wide_x, wide_y), wide_x))), Op::Cast);
  Term third = t.constant(float_scalar(kFloat32, 1.0 / 3));
  EXPECT_EQ(t.op(t.cast(kFloat16, t.binary(Op::Mul, wide_x, third))), Op::Cast);
}

TEST_F(LawsTest, PowersOfTwoWithAnExactReciprocal) {
  int folded = 0;
  for (int exponent = -26; exponent <= 17; ++exponent) {
    const Scalar power = float_scalar(kFloat16, std::ldexp(1.0, exponent));
    if (!std::isfinite(power.d()) || power.d() == 0 || exponent == 0) continue;
    const Scalar reciprocal = float_scalar(kFloat16, std::ldexp(1.0, -exponent));
    const bool exact = std::isfinite(reciprocal.d()) && reciprocal.d() == std::ldexp(1.0, -exponent);
    Term quotient = t.binary(Op::Div, x, t.constant(power));
    EXPECT_EQ(t.op(quotient), exact ? Op::Mul : Op::Div) << exponent;
    if (!exact) continue;
    ++folded;
    EXPECT_EQ(quotient, t.binary(Op::Mul, x, t.constant(reciprocal)));
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      ASSERT_EQ(apply(Op::Div, half(bits), power), apply(Op::Mul, half(bits), reciprocal)) << exponent << " " << bits;
    }
  }
  EXPECT_EQ(folded, 30);  // 2^-15 to 2^15 without 1
  EXPECT_EQ(t.op(t.binary(Op::Div, x, t.constant(float_scalar(kFloat16, 3)))), Op::Div);
}

TEST_F(LawsTest, TheMagnitudeOfAnInteger) {
  Term i = t.input(kInt8, 2);
  EXPECT_EQ(t.call("abs", kInt8, {i}), t.binary(Op::Max, i, t.binary(Op::Mul, i, t.constant(int_scalar(kInt8, -1)))));
  for (int v = -128; v < 128; ++v) {
    const Scalar a = int_scalar(kInt8, v);
    const int magnitude = v == -128 ? -128 : std::abs(v);
    EXPECT_EQ(apply(Op::Max, a, apply(Op::Mul, a, int_scalar(kInt8, -1))), int_scalar(kInt8, magnitude));
  }
}

std::string each(const std::string& type, const std::string& value) {
  return "def f(A: T.Buffer((8,), \"" + type + "\"), B: T.Buffer((8,), \"" + type + "\"), O: T.Buffer((8,), \"" + type +
         "\")):\n    for i in range(8):\n        O[i] = " + value + "\n";
}

TEST(EquivLaws, OfWholePrograms) {
  EXPECT_PROVED(each("float32", "A[i] - B[i]"), each("float32", "A[i] + (-B[i])"));
  EXPECT_PROVED(each("float32", "A[i] + B[i]"),
                each("float32", "T.Cast(\"float32\", T.Cast(\"float64\", A[i]) + T.Cast(\"float64\", B[i]))"));
  EXPECT_PROVED(each("float32", "A[i] * B[i]"),
                each("float32", "T.Cast(\"float32\", T.Cast(\"float64\", A[i]) * T.Cast(\"float64\", B[i]))"));
  EXPECT_PROVED(each("float32", "A[i] / T.float32(16384)"), each("float32", "A[i] * T.float32(0.00006103515625)"));
  EXPECT_PROVED(each("float32", "A[i] * B[i]"), each("float32", "-(-A[i]) * B[i]"));
  EXPECT_PROVED(each("int32", "T.abs(A[i])"), each("int32", "T.max(A[i], -A[i])"));
  EXPECT_REFUTED(each("float32", "A[i] - B[i]"), each("float32", "-(B[i] - A[i])"));
  EXPECT_REFUTED(each("float32", "A[i] / T.float32(3)"), each("float32", "A[i] * T.float32(0.3333333432674408)"));
  EXPECT_REFUTED(each("float32", "A[i] * B[i] + A[i]"),
                 each("float32",
                      "T.Cast(\"float32\", T.Cast(\"float64\", A[i]) * T.Cast(\"float64\", B[i]) + "
                      "T.Cast(\"float64\", A[i]))"));
}

}  // namespace equiv_symbolic_laws_test
}  // namespace hexproof
