#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace add_unit_loop_test {

constexpr const char* kText = R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("A"):
            v = T.axis.spatial(8, i)
            A[v] = A[v] + 1
)";

TEST(AddUnitLoop, AroundALoopAndABlock) {
  expect_applies(kText, "add-unit-loop", {{"at", nth<For>(parse(kText))}, {"name", std::string("u")}}, R"(
def after(A: T.Buffer((8,), "int32")):
    for u in range(1):
        for i in range(8):
            with T.block("A"):
                v = T.axis.spatial(8, i)
                A[v] = A[v] + 1
)");
  expect_applies(kText, "add-unit-loop", {{"at", nth<Block>(parse(kText))}, {"name", std::string("i")}}, "");
}

TEST(AddUnitLoop, DoesNotApply) {
  PrimFunc func = parse(kText);
  EXPECT_TRUE(not_applicable(func, "add-unit-loop", {{"at", nth<Store>(func)}, {"name", std::string("u")}}));
  EXPECT_TRUE(not_applicable(func, "add-unit-loop", {{"at", nth<For>(func)}, {"name", std::string()}}));
  EXPECT_TRUE(not_applicable(func, "add-unit-loop", {{"at", Path{7, 7}}, {"name", std::string("u")}}));
}

}  // namespace add_unit_loop_test
}  // namespace hexproof
