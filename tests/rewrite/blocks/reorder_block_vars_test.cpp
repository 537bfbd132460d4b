#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace reorder_block_vars_test {

constexpr const char* kText = R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 4):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vk]
)";

TEST(ReorderBlockVars, AnotherOrder) {
  expect_applies(kText, "reorder-block-vars", {{"at", nth<Block>(parse(kText))}, {"order", Path{1, 0}}}, R"(
def after(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 4):
        with T.block("B"):
            vk, vi = T.axis.remap("RS", [k, i])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vk]
)");
}

TEST(ReorderBlockVars, Condition1TheOrderNamesEachOnce) {
  PrimFunc func = parse(kText);
  for (const Path& order : {Path{0}, Path{0, 0}, Path{0, 2}, Path{-1, 0}, Path{0, 1, 2}, Path{}}) {
    EXPECT_TRUE(not_applicable(func, "reorder-block-vars", {{"at", nth<Block>(func)}, {"order", order}}));
  }
  EXPECT_TRUE(not_applicable(func, "reorder-block-vars", {{"at", nth<For>(func)}, {"order", Path{1, 0}}}));
}

}  // namespace reorder_block_vars_test
}  // namespace hexproof
