#include "ir/base/wide_text.h"

#include <gtest/gtest.h>

#include "ir/dtype.h"

namespace hexproof {
namespace wide_text_test {

TEST(WideText, Numbers) {
  EXPECT_TRUE(parse_wide("0") == Wide{0});
  EXPECT_TRUE(parse_wide("-17") == Wide{-17});
  EXPECT_TRUE(parse_wide("101", 2) == Wide{5});
  const Wide most = ~(Wide{1} << 127);
  EXPECT_TRUE(parse_wide(to_string(most)) == most);
}

TEST(WideText, WhatIsNone) {
  for (const char* text : {"", "-", "--1", "1 ", "+1", "0x1", "1.5"}) EXPECT_FALSE(parse_wide(text)) << text;
  EXPECT_FALSE(parse_wide("102", 2));
  EXPECT_FALSE(parse_wide("-1", 2));
  EXPECT_FALSE(parse_wide("170141183460469231731687303715884105728"));  // 2^127
}

}  // namespace wide_text_test
}  // namespace hexproof
