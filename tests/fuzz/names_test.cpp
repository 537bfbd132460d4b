// Programs under names that are easily taken for others mean what they meant.
#include "fuzz/programs/names.h"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/case.h"
#include "fuzz/constructs/constructs.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "ir/wellformed.h"

namespace hexproof {
namespace names_test {

Choices numbers(uint64_t seed) {
  std::vector<uint32_t> values(200);
  for (uint32_t& v : values) v = static_cast<uint32_t>(next_random(seed) >> 16);
  return Choices(std::move(values));
}

TEST(Names, ChangeNothingButNames) {
  int renamed = 0;
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Choices choices = numbers(seed);
    const PrimFunc func = random_constructed_program(choices).func, other = under_other_names(func, choices);
    ASSERT_EQ(ill_formed(other), "") << print(func) << print(other);
    ASSERT_TRUE(same_program(func, other)) << print(func) << print(other);
    ASSERT_TRUE(same_program(other, pick_function(parse_module(print(other), "p.py"), ""))) << print(other);
    renamed += print(func) != print(other);
    for (const Var& v : other.scalars()) seen.insert(v.name());
  }
  EXPECT_GT(renamed, 60);
  EXPECT_TRUE(seen.count("max_") && seen.count("T_")) << "no scalar is called as an operator is printed";
}

// A map keeps the names that it is written with, which need not be those that it is printed with.
TEST(Names, OfMaps) {
  const IndexMap map = index_map_of("lambda max, max_: [max_ // 4, max]");
  EXPECT_EQ(map.inputs.at(0).name(), "max");
  EXPECT_EQ(map.inputs.at(1).name(), "max_");
  EXPECT_EQ(print(map), "lambda max_, max__1: [max__1 // 4, max_]");
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Choices choices = numbers(seed);
    for (const std::string& name : index_names(choices, "i", 3)) seen.insert(name);
  }
  EXPECT_TRUE(seen.count("max") && seen.count("max_") && seen.count("i0"));
}

}  // namespace names_test
}  // namespace hexproof
