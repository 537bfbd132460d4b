// What becomes of vectorized loops is said.
#include <gtest/gtest.h>

#include "tests/backend/emitted.h"

namespace hexproof {
namespace vectorized_notes_test {

using Code = VectorizedLoop::Code;

/// `%s` is the body of a vectorized loop over j of 64.
std::vector<VectorizedLoop> loops_of(const std::string& body, Target target) {
  const std::string text = R"(
def f(A: T.Buffer((8, 64), "int32"), B: T.Buffer((8, 64), "int32"), X: T.Buffer((8, 64), "float32")):
    for i in range(8):
        for j in T.vectorized(64):
)" + body;
  return testing::emitted(text, target).kernel.vectorized;
}

constexpr const char* kPlain = "            B[i, j] = A[i, j] + 1\n";
constexpr const char* kStrided = "            B[i, j] = A[j % 8, i]\n";
constexpr const char* kBlock = R"(            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + 1
)";

TEST(VectorizedNotes, VectorCode) {
  for (Target target : {Target::Host, Target::Hexagon}) {
    const auto loops = loops_of(kPlain, target);
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].var.name(), "j");
    EXPECT_EQ(loops[0].code, Code::Vector) << loops[0].why;
  }
}

TEST(VectorizedNotes, WhatIsScalarOnHexagonAndWhy) {
  for (const auto& [body, why] : std::vector<std::pair<std::string, std::string>>{
           {kBlock, "there is a block in it"},
           {kStrided, "does not follow the loop cell by cell"},
           {"            B[i, j] = A[A[i, 0] & 7, j] + 1\n", "which cells of 'A' it takes, is data"},
           {"            X[i, j] = X[i, j] + T.float32(1)\n", "it stores float32 to 'X'"},
           {"            for k in range(2):\n                B[i, j] = k\n", "there is a loop in it"}}) {
    const auto loops = loops_of(body, Target::Hexagon);
    ASSERT_EQ(loops.size(), 1u) << body;
    EXPECT_EQ(loops[0].code, Code::Scalar) << body;
    EXPECT_NE(loops[0].why.find(why), std::string::npos) << loops[0].why;
  }
}

TEST(VectorizedNotes, WhatLlvmDoesNotTake) {
  const auto loops = loops_of("            X[i, j] = T.exp(X[i, j])\n", Target::Host);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].code, Code::Scalar);
  EXPECT_TRUE(loops[0].why.starts_with("LLVM")) << loops[0].why;
}

}  // namespace vectorized_notes_test
}  // namespace hexproof
