// Every operator against an oracle of its own: exhaustive at 8 bits, edge values beyond, halves by search.
#include "ir/interpreter/scalar_ops.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "ir/interpreter/math.h"

namespace hexproof {
namespace scalar_ops_test {

const DType kIntegers[] = {kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64, kUInt64};

/// The mathematical result, or the error.
struct Exact {
  Wide value = 0;
  ScalarError error = ScalarError::None;
};

/// The largest q with q * b <= a (b > 0), with the signs moved to a positive divisor.
Wide floored(Wide a, Wide b) {
  if (b < 0) a = -a, b = -b;
  Wide q = a / b;
  while (q * b > a) --q;
  while ((q + 1) * b <= a) ++q;
  return q;
}

Exact exact(Op op, DType t, Wide a, Wide b) {
  const bool overflow = t.is_int() && a == min_value(t) && b == -1;
  switch (op) {
    case Op::Add:
      return {a + b};
    case Op::Sub:
      return {a - b};
    case HEXPROOF_CASES(IntegerDivision): {
      if (b == 0) return {0, ScalarError::DivisionByZero};
      if (overflow) return {0, ScalarError::DivisionOverflow};
      Wide t_quotient = a / b;
      Wide f_quotient = floored(a, b);
      if (op == Op::FloorDiv) return {f_quotient};
      if (op == Op::FloorMod) return {a - b * f_quotient};
      if (op == Op::TruncDiv) return {t_quotient};
      return {a - b * t_quotient};
    }
    case Op::Min:
      return {a < b ? a : b};
    case Op::Max:
      return {a > b ? a : b};
    case Op::EQ:
      return {a == b};
    case Op::NE:
      return {a != b};
    case Op::LT:
      return {a < b};
    case Op::LE:
      return {a <= b};
    case Op::GT:
      return {a > b};
    case Op::GE:
      return {a >= b};
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor: {  // bit by bit
      Wide out = 0;
      for (int k = 0; k < t.bits; ++k) {
        bool x = (a >> k) & 1, y = (b >> k) & 1;
        bool r = op == Op::BitAnd ? x && y : op == Op::BitOr ? x || y : x != y;
        if (r) out += Wide{1} << k;
      }
      return {wrap_to(t, out)};
    }
    case HEXPROOF_CASES(Shift): {
      if (b < 0 || b >= t.bits) return {0, ScalarError::ShiftRange};
      Wide power = Wide{1} << static_cast<int>(b);
      return {op == Op::Shl ? a * power : floored(a, power)};
    }
    case Op::Mul:
    case Op::Div:
    case HEXPROOF_CASES(Leaf):
    case HEXPROOF_CASES(Boolean):
    case Op::BitNot:
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  ADD_FAILURE() << "not an operator of this test";
  return {};
}

void check_integers(DType t, Wide a, Wide b) {
  static const Op ops[] = {Op::Add,    Op::Sub,   Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod, Op::Min,
                           Op::Max,    Op::EQ,    Op::NE,       Op::LT,       Op::LE,       Op::GT,       Op::GE,
                           Op::BitAnd, Op::BitOr, Op::BitXor,   Op::Shl,      Op::Shr};
  for (Op op : ops) {
    Exact want = exact(op, t, a, b);
    DType result = is_comparison(op) ? kBool : t;
    for (Arith mode : {Arith::Index, Arith::Data}) {
      ScalarResult got = apply_binary(op, int_scalar(t, a), int_scalar(t, b), mode);
      ScalarError error = want.error;
      if (error == ScalarError::None && mode == Arith::Index && !fits_type(result, want.value))
        error = ScalarError::Overflow;
      ASSERT_EQ(got.error, error) << info(op).name << " " << t.str() << " " << to_string(a) << " " << to_string(b);
      if (error == ScalarError::None) {
        ASSERT_EQ(wide_value(got.value), wrap_to(result, want.value))
            << info(op).name << " " << t.str() << " " << to_string(a) << " " << to_string(b);
        ASSERT_EQ(got.value.type, result);
      }
    }
  }
  // The product as a sum of shifted summands, modulo 2^64, and its size by division.
  uint64_t product = 0;
  for (int k = 0; k < 64; ++k) {
    if ((static_cast<uint64_t>(b) >> k) & 1) product += static_cast<uint64_t>(a) << k;
  }
  Wide magnitude = a == 0 || b == 0 ? 0 : 1;
  if (magnitude) {
    Wide x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    Wide limit = (a < 0) != (b < 0) ? -min_value(t) : max_value(t);
    magnitude = x > limit / y ? 2 : 1;  // 2: does not fit
  }
  ScalarResult data = apply_binary(Op::Mul, int_scalar(t, a), int_scalar(t, b), Arith::Data);
  ASSERT_EQ(wide_value(data.value), wrap_to(t, Wide{product}))
      << t.str() << " " << to_string(a) << " * " << to_string(b);
  ScalarResult index = apply_binary(Op::Mul, int_scalar(t, a), int_scalar(t, b), Arith::Index);
  ASSERT_EQ(index.error == ScalarError::Overflow, magnitude == 2)
      << t.str() << " " << to_string(a) << " * " << to_string(b);
}

TEST(ScalarOps, IntegersOfEightBitsExhaustively) {
  for (DType t : {kInt8, kUInt8}) {
    for (Wide a = min_value(t); a <= max_value(t); ++a) {
      for (Wide b = min_value(t); b <= max_value(t); ++b) check_integers(t, a, b);
    }
  }
}

std::vector<Wide> edges(DType t) {
  std::vector<Wide> out;
  for (Wide v : {Wide{0}, Wide{1}, Wide{2}, Wide{3}, Wide{7}, Wide{t.bits}, min_value(t), max_value(t)}) {
    for (Wide d = -1; d <= 1; ++d) out.push_back(v + d), out.push_back(-v + d);
  }
  for (int k = 4; k < 64; k += 5) out.push_back(Wide{1} << k), out.push_back(-(Wide{1} << k) + 1);
  std::erase_if(out, [&](Wide v) { return !fits_type(t, v); });
  return out;
}

TEST(ScalarOps, IntegersOfEveryWidthOnEdges) {
  std::mt19937_64 random(1);
  for (DType t : kIntegers) {
    for (Wide a : edges(t)) {
      for (Wide b : edges(t)) check_integers(t, a, b);
    }
    for (int k = 0; k < 2000; ++k) {
      check_integers(t, wide_value(arbitrary_scalar(t, random())), wide_value(arbitrary_scalar(t, random())));
    }
  }
}

TEST(ScalarOps, FloorDivisionOfTheTextbook) {
  auto op = [](Op o, int a, int b) {
    return apply_binary(o, int_scalar(kInt32, a), int_scalar(kInt32, b), Arith::Index).value.i();
  };
  EXPECT_EQ(op(Op::FloorDiv, -7, 2), -4);
  EXPECT_EQ(op(Op::FloorDiv, 7, -2), -4);
  EXPECT_EQ(op(Op::FloorMod, -7, 2), 1);
  EXPECT_EQ(op(Op::FloorMod, 7, -2), -1);
  EXPECT_EQ(op(Op::FloorMod, -8, 2), 0);
  EXPECT_EQ(op(Op::TruncDiv, -7, 2), -3);
  EXPECT_EQ(op(Op::TruncMod, -7, 2), -1);
  EXPECT_EQ(op(Op::TruncMod, 7, -2), 1);
}

TEST(ScalarOps, UnaryAndLogic) {
  for (DType t : kIntegers) {
    for (Wide a : edges(t)) EXPECT_EQ(wide_value(apply_unary(Op::BitNot, int_scalar(t, a))), wrap_to(t, -a - 1));
  }
  for (bool a : {false, true}) {
    EXPECT_EQ(apply_unary(Op::Not, bool_scalar(a)).truth(), !a);
    for (bool b : {false, true}) {
      auto op = [&](Op o) { return apply_binary(o, bool_scalar(a), bool_scalar(b), Arith::Data).value.truth(); };
      EXPECT_EQ(op(Op::And), a && b);
      EXPECT_EQ(op(Op::Or), a || b);
      EXPECT_EQ(op(Op::EQ), a == b);
      EXPECT_EQ(op(Op::NE), a != b);
    }
  }
}

/// The half nearest to `value`, ties to the even one, found among all halves.
double nearest_half(double value) {
  static const std::map<double, uint16_t> all = [] {
    std::map<double, uint16_t> out;
    for (uint32_t bits = 0; bits < 0x7c00; ++bits)
      out[half_to_double(static_cast<uint16_t>(bits))] = static_cast<uint16_t>(bits);
    return out;
  }();
  if (std::isnan(value) || std::isinf(value)) return value;
  double x = std::fabs(value);
  if (x >= 65520) return std::copysign(INFINITY, value);
  auto above = all.lower_bound(x);
  if (above == all.end()) return std::copysign(65504.0, value);
  if (above->first == x || above == all.begin()) return std::copysign(above->first, value);
  auto below = std::prev(above);
  double up = above->first - x, down = x - below->first;  // exact
  bool take_above = up < down || (up == down && above->second % 2 == 0);
  return std::copysign(take_above ? above->first : below->first, value);
}

bool same(double a, double b) { return (a != a && b != b) || std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }

TEST(ScalarOps, HalvesAreRoundedOnce) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 200000; ++k) {
    double a = half_to_double(static_cast<uint16_t>(random())), b = half_to_double(static_cast<uint16_t>(random()));
    auto op = [&](Op o) {
      return apply_binary(o, float_scalar(kFloat16, a), float_scalar(kFloat16, b), Arith::Data).value.d();
    };
    ASSERT_TRUE(same(op(Op::Add), nearest_half(a + b))) << a << " + " << b;  // exact in double
    ASSERT_TRUE(same(op(Op::Sub), nearest_half(a - b))) << a << " - " << b;
    ASSERT_TRUE(same(op(Op::Mul), nearest_half(a * b))) << a << " * " << b;
    // A quotient of 11-bit numbers is never so near to a tie that a double would hide it.
    ASSERT_TRUE(same(op(Op::Div), nearest_half(a / b))) << a << " / " << b;
  }
}

/// A double has more than twice the digits and two more: what is computed in it and rounded is rounded once.
TEST(ScalarOps, BFloatsAreRoundedOnce) {
  std::mt19937_64 random(6);
  for (int k = 0; k < 200000; ++k) {
    double a = raw_to_float(kBFloat16, random() & 0xffff), b = raw_to_float(kBFloat16, random() & 0xffff);
    auto op = [&](Op o) {
      return apply_binary(o, float_scalar(kBFloat16, a), float_scalar(kBFloat16, b), Arith::Data).value.d();
    };
    auto once = [](double exact) { return round_float(kBFloat16, exact); };
    ASSERT_TRUE(same(op(Op::Add), once(a + b))) << a << " + " << b;
    ASSERT_TRUE(same(op(Op::Sub), once(a - b))) << a << " - " << b;
    ASSERT_TRUE(same(op(Op::Mul), once(a * b))) << a << " * " << b;
    ASSERT_TRUE(same(op(Op::Div), once(a / b))) << a << " / " << b;
  }
}

TEST(ScalarOps, FloatsAreIeee) {
  const double edge[] = {0.0, -0.0, 1, -1, 0.1, 3, 1e-45, 1e-320, 3e38, -3e38, 1e308, INFINITY, -INFINITY, NAN};
  for (double x : edge) {
    for (double y : edge) {
      auto check = [&](DType t, auto a, auto b) {
        auto op = [&](Op o) { return apply_binary(o, float_scalar(t, a), float_scalar(t, b), Arith::Data).value; };
        EXPECT_TRUE(same(op(Op::Add).d(), a + b));
        EXPECT_TRUE(same(op(Op::Sub).d(), a - b));
        EXPECT_TRUE(same(op(Op::Mul).d(), a * b));
        EXPECT_TRUE(same(op(Op::Div).d(), a / b));
        EXPECT_TRUE(same(op(Op::Min).d(), a < b ? a : b)) << a << " " << b;
        EXPECT_TRUE(same(op(Op::Max).d(), a > b ? a : b)) << a << " " << b;
        EXPECT_EQ(op(Op::EQ).truth(), a == b);
        EXPECT_EQ(op(Op::NE).truth(), a != b);
        EXPECT_EQ(op(Op::LT).truth(), a < b);
        EXPECT_EQ(op(Op::LE).truth(), a <= b);
        EXPECT_EQ(op(Op::GT).truth(), a > b);
        EXPECT_EQ(op(Op::GE).truth(), a >= b);
        if (op(Op::Add).d() != op(Op::Add).d()) {
          EXPECT_EQ(op(Op::Add).bits, 0x7ff8000000000000u);
        }
      };
      check(kFloat64, x, y);
      check(kFloat32, static_cast<float>(x), static_cast<float>(y));
    }
  }
}

TEST(ScalarOps, MinMaxTakeTheRightOperandOfZerosAndNans) {
  auto op = [](Op o, double a, double b) {
    return apply_binary(o, float_scalar(kFloat32, a), float_scalar(kFloat32, b), Arith::Data).value.d();
  };
  EXPECT_TRUE(std::signbit(op(Op::Max, 0.0, -0.0)));
  EXPECT_FALSE(std::signbit(op(Op::Min, -0.0, 0.0)));
  EXPECT_EQ(op(Op::Max, NAN, 1.0), 1.0);
  EXPECT_TRUE(std::isnan(op(Op::Max, 1.0, NAN)));
}

TEST(ScalarOps, CastsBetweenIntegersWrap) {
  for (DType from : kIntegers) {
    for (DType to : kIntegers) {
      for (Wide a : edges(from)) EXPECT_EQ(wide_value(apply_cast(to, int_scalar(from, a)).value), wrap_to(to, a));
    }
    for (Wide a : edges(from)) EXPECT_EQ(apply_cast(kBool, int_scalar(from, a)).value.truth(), a != 0);
    EXPECT_EQ(wide_value(apply_cast(from, bool_scalar(true)).value), 1);
  }
}

/// To nearest even at `precision` bits, by integers only.
Wide rounded(Wide value, int precision) {
  Wide x = value < 0 ? -value : value;
  int drop = 0;
  while (x >> drop >= Wide{1} << precision) ++drop;
  Wide unit = Wide{1} << drop, rest = x % unit, low = x - rest;
  if (2 * rest > unit || (2 * rest == unit && (low / unit) % 2)) low += unit;
  return value < 0 ? -low : low;
}

TEST(ScalarOps, IntegersRoundOnceToFloats) {
  std::mt19937_64 random(3);
  for (DType from : kIntegers) {
    std::vector<Wide> values = edges(from);
    for (int k = 0; k < 3000; ++k) values.push_back(wrap_to(from, Wide{random()} >> (random() % 64)));
    for (Wide tie : {(Wide{1} << 60) + (Wide{1} << 36) + 1, (Wide{1} << 60) + (Wide{1} << 36),
                     (Wide{1} << 62) + (Wide{3} << 38), (Wide{1} << 62) + (Wide{1} << 54) + 1,
                     (Wide{1} << 62) + (Wide{1} << 54), Wide{2049}, Wide{2051}, Wide{65519}, Wide{65520}}) {
      if (fits_type(from, tie)) values.push_back(tie);
    }
    for (Wide a : values) {
      auto got = [&](DType to) { return apply_cast(to, int_scalar(from, a)).value.d(); };
      EXPECT_EQ(static_cast<Wide>(got(kFloat32)), rounded(a, 24)) << to_string(a);
      EXPECT_EQ(static_cast<Wide>(got(kFloat64)), rounded(a, 53)) << to_string(a);
      EXPECT_EQ(static_cast<Wide>(got(kBFloat16)), rounded(a, 8)) << to_string(a);
      Wide half = rounded(a, 11);
      if (half > 65504 || half < -65504)
        EXPECT_EQ(got(kFloat16), half > 0 ? INFINITY : -INFINITY) << to_string(a);
      else
        EXPECT_EQ(static_cast<Wide>(got(kFloat16)), half) << to_string(a);
    }
  }
}

TEST(ScalarOps, FloatsToIntegersTruncateOrFail) {
  auto cast = [](DType to, double v) { return apply_cast(to, float_scalar(kFloat64, v)); };
  EXPECT_EQ(cast(kInt32, -2.9).value.i(), -2);
  EXPECT_EQ(cast(kInt8, 127.9).value.i(), 127);
  EXPECT_EQ(cast(kInt8, 128.0).error, ScalarError::CastRange);
  EXPECT_EQ(cast(kInt8, -128.9).value.i(), -128);
  EXPECT_EQ(cast(kInt8, -129.0).error, ScalarError::CastRange);
  EXPECT_EQ(cast(kUInt8, -0.9).value.bits, 0u);
  EXPECT_EQ(cast(kUInt8, -1.0).error, ScalarError::CastRange);
  EXPECT_EQ(cast(kInt64, 0x1p63).error, ScalarError::CastRange);
  EXPECT_EQ(cast(kInt64, -0x1p63).value.i(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(cast(kUInt64, 0x1.fffffffffffffp63).value.bits, 0xfffffffffffff800u);
  EXPECT_EQ(cast(kUInt64, 0x1p64).error, ScalarError::CastRange);
  EXPECT_EQ(cast(kInt32, NAN).error, ScalarError::CastNan);
  EXPECT_EQ(cast(kInt32, INFINITY).error, ScalarError::CastRange);
  EXPECT_TRUE(cast(kBool, NAN).value.truth());
  EXPECT_FALSE(cast(kBool, -0.0).value.truth());
}

TEST(ScalarOps, FloatsRoundToNarrowerOnes) {
  std::mt19937_64 random(4);
  for (int k = 0; k < 100000; ++k) {
    double v = std::bit_cast<double>(random() % 2 ? random() : (random() >> 12) | uint64_t{1000 + random() % 40} << 52);
    ASSERT_TRUE(same(apply_cast(kFloat16, float_scalar(kFloat64, v)).value.d(), nearest_half(v))) << v;
    ASSERT_TRUE(same(apply_cast(kFloat32, float_scalar(kFloat64, v)).value.d(), static_cast<float>(v))) << v;
  }
}

TEST(ScalarOps, BytesRoundTrip) {
  std::mt19937_64 random(5);
  for (DType t : {kBool, kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64, kUInt64, kFloat16, kBFloat16,
                  kFloat32, kFloat64}) {
    for (int k = 0; k < 1000; ++k) {
      Scalar s = arbitrary_scalar(t, random());
      uint8_t bytes[8] = {};
      store_scalar(s, bytes);
      ASSERT_EQ(load_scalar(t, bytes), s) << t.str();
    }
  }
}

TEST(ScalarOps, MathIsLibmAtTheType) {
  auto call = [](const char* name, DType t, std::vector<double> args) {
    std::vector<Scalar> scalars;
    for (double a : args) scalars.push_back(float_scalar(t, a));
    return apply_call(name, t, scalars);
  };
  EXPECT_EQ(call("T.exp", kFloat32, {0.3})->d(), std::exp(0.3f));
  EXPECT_EQ(call("exp", kFloat64, {0.3})->d(), std::exp(0.3));
  EXPECT_EQ(call("tir.tanh", kFloat16, {0.5})->d(), half_to_double(double_to_half(std::tanh(0.5f))));
  EXPECT_EQ(call("T.round", kFloat32, {2.5})->d(), 3.0);
  EXPECT_EQ(call("T.pow", kFloat64, {2, 10})->d(), 1024.0);
  EXPECT_TRUE(std::isnan(call("sqrt", kFloat32, {-1})->d()));
  EXPECT_FALSE(call("T.frobnicate", kFloat32, {1}));
  EXPECT_FALSE(call("T.exp", kFloat32, {1, 2}));
  Scalar least = int_scalar(kInt8, -128);
  EXPECT_EQ(apply_call("T.abs", kInt8, {&least, 1})->i(), -128);
  EXPECT_EQ(apply_call("T.popcount", kInt8, {&least, 1})->i(), 1);
}

}  // namespace scalar_ops_test
}  // namespace hexproof
