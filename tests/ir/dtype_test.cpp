#include "ir/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ir/float_format.h"

namespace hexproof {
namespace dtype_test {

TEST(DType, SpellingRoundTrips) {
  for (const char* text : {"bool", "int8", "int64", "uint16", "float16", "float64", "handle", "float32x4", "boolx8"}) {
    auto type = parse_dtype(text);
    ASSERT_TRUE(type) << text;
    EXPECT_EQ(type->str(), text);
  }
  for (const char* text : {"", "int", "int7", "float8", "int32x0", "int32x", "handlex2", "double", "uint32y"}) {
    EXPECT_FALSE(parse_dtype(text)) << text;
  }
}

TEST(DType, WrapIsModuloTwoToTheBits) {
  EXPECT_EQ(wrap_to(kInt8, 128), -128);
  EXPECT_EQ(wrap_to(kInt8, -129), 127);
  EXPECT_EQ(wrap_to(kUInt8, -1), 255);
  EXPECT_EQ(to_string(max_value(kUInt64)), "18446744073709551615");
  EXPECT_EQ(to_string(min_value(kInt64)), "-9223372036854775808");
}

TEST(Float16, EveryHalfRoundTrips) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double value = half_to_double(static_cast<uint16_t>(bits));
    uint16_t back = double_to_half(value);
    if (value != value) {
      EXPECT_EQ(back, 0x7e00);
    } else {
      EXPECT_EQ(back, bits);
    }
  }
}

/// Every number of 16 bits, what lies half way to the next one, and what lies next to that.
TEST(NarrowFloats, RoundOnceToNearestEven) {
  for (DType type : {kFloat16, kBFloat16}) {
    const FloatFormat format = float_format(type);
    for (uint64_t raw = 0; raw < format.infinity(); ++raw) {
      const double low = raw_to_float(type, raw);
      const bool last = raw + 1 == format.infinity();
      const double high = last ? std::ldexp(1.0, format.bias() + 1) : raw_to_float(type, raw + 1);
      const double tie = low + (high - low) / 2;  // exact
      ASSERT_LT(low, high);
      ASSERT_EQ(float_to_raw(type, low), raw) << type.str();
      ASSERT_EQ(float_to_raw(type, tie), raw + raw % 2) << type.str() << " " << tie;
      ASSERT_EQ(float_to_raw(type, std::nextafter(tie, low)), raw) << type.str() << " " << tie;
      ASSERT_EQ(float_to_raw(type, std::nextafter(tie, high)), raw + 1) << type.str() << " " << tie;
      ASSERT_EQ(float_to_raw(type, -tie), format.sign() | (raw + raw % 2)) << type.str() << " " << tie;
    }
    EXPECT_EQ(float_to_raw(type, INFINITY), format.infinity());
    EXPECT_EQ(float_to_raw(type, -NAN), format.nan());
    EXPECT_EQ(raw_to_float(type, 1), least_float(type));
    EXPECT_EQ(raw_to_float(type, format.infinity() - 1), largest_float(type));
    EXPECT_TRUE(std::isnan(raw_to_float(type, format.nan())));
  }
  EXPECT_EQ(float_to_raw(kBFloat16, 1.0), 0x3f80u);
  EXPECT_EQ(float_to_raw(kBFloat16, NAN), 0x7fc0u);
  EXPECT_EQ(largest_float(kFloat64), std::numeric_limits<double>::max());
  EXPECT_EQ(least_float(kFloat32), std::numeric_limits<float>::denorm_min());
}

TEST(NarrowFloats, EveryNameIsRead) {
  EXPECT_EQ(parse_dtype("bfloat16"), kBFloat16);
  EXPECT_EQ(kBFloat16.with_lanes(4).str(), "bfloat16x4");
  EXPECT_EQ(parse_dtype("bfloat16x4"), kBFloat16.with_lanes(4));
  EXPECT_FALSE(parse_dtype("bfloat32"));
  EXPECT_NE(kBFloat16, kFloat16);
}

TEST(Float16, RoundsToNearestEven) {
  EXPECT_EQ(double_to_half(2049.0), double_to_half(2048.0));
  EXPECT_EQ(double_to_half(2051.0), double_to_half(2052.0));
  EXPECT_EQ(double_to_half(65519.9), 0x7bff);
  EXPECT_EQ(double_to_half(65520.0), 0x7c00);
  EXPECT_EQ(double_to_half(0x1p-25), 0);
  EXPECT_EQ(double_to_half(-0x1.8p-25), 0x8001);
}

}  // namespace dtype_test
}  // namespace hexproof
