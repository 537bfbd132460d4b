#include "ir/dtype.h"

#include <gtest/gtest.h>

#include "ir/float16.h"

namespace hexproof {
namespace {

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

TEST(Float16, RoundsToNearestEven) {
  EXPECT_EQ(double_to_half(2049.0), double_to_half(2048.0));
  EXPECT_EQ(double_to_half(2051.0), double_to_half(2052.0));
  EXPECT_EQ(double_to_half(65519.9), 0x7bff);
  EXPECT_EQ(double_to_half(65520.0), 0x7c00);
  EXPECT_EQ(double_to_half(0x1p-25), 0);
  EXPECT_EQ(double_to_half(-0x1.8p-25), 0x8001);
}

}  // namespace
}  // namespace hexproof
