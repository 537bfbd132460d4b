#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace {

constexpr const char* kText = R"(
def before(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("B"):
            v = T.axis.spatial(8, i)
            T.reads(A[v])
            T.writes(B[v])
            B[v] = A[v] + 1
    for i in range(8):
        C[i] = B[7 - i]
)";

Args to(const std::string& buffer, const std::string& scope) { return {{"buffer", buffer}, {"scope", scope}}; }

TEST(SetScope, OfAnAllocation) {
  std::string after = kText;
  after.replace(after.find("(8,), \"int32\")\n    for"), 14, "(8,), \"int32\", scope=\"global.vtcm\")");
  expect_applies(kText, "set-scope", to("B", "global.vtcm"), after);
}

TEST(SetScope, Condition1AnArgument) {
  expect_not_applicable(parse(kText), "set-scope", to("A", "global.vtcm"), "is an argument");
}

TEST(SetScope, Condition2AView) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((8,), "int32")
    V = T.decl_buffer((4, 2), "int32", data=B.data)
    for i in range(8):
        B[i] = A[i]
    for i in range(8):
        C[i] = V[i // 2, i % 2]
)");
  EXPECT_TRUE(not_applicable(func, "set-scope", to("B", "global.vtcm")));
}

TEST(SetScope, DoesNotApply) {
  EXPECT_TRUE(not_applicable(parse(kText), "set-scope", to("B", "")));
  EXPECT_TRUE(not_applicable(parse(kText), "set-scope", to("none", "local")));
}

}  // namespace
}  // namespace hexproof
