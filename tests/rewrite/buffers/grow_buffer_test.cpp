#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace grow_buffer_test {

constexpr const char* kText = R"(
def before(A: T.Buffer((4, 8), "int32"), B: T.Buffer((8, 4), "int32")):
    C = T.alloc_buffer((4, 8), "int32")
    for i, j in T.grid(4, 8):
        C[i, j] = A[i, j]
    for j, i in T.grid(8, 4):
        B[j, i] = C[i, j]
)";

Args to(int64_t rows, int64_t columns, const std::string& buffer = "C") {
  return {{"buffer", buffer}, {"shape", std::vector<Expr>{i32(rows), i32(columns)}}};
}

TEST(GrowBuffer, RowsFurtherApart) {
  expect_applies(kText, "grow-buffer", to(4, 9), R"(
def after(A: T.Buffer((4, 8), "int32"), B: T.Buffer((8, 4), "int32")):
    C = T.alloc_buffer((4, 9), "int32")
    for i, j in T.grid(4, 8):
        C[i, j] = A[i, j]
    for j, i in T.grid(8, 4):
        B[j, i] = C[i, j]
)");
}

TEST(GrowBuffer, Condition1AnAllocationThatNothingElseSpeaksOf) {
  const PrimFunc func = parse(kText);
  expect_not_applicable(func, "grow-buffer", to(4, 9, "A"), "is an argument");
  const PrimFunc view = parse(R"(
def before(B: T.Buffer((32,), "int32")):
    C = T.alloc_buffer((4, 8), "int32")
    D = T.decl_buffer((32,), "int32", data=C.data)
    for i, j in T.grid(4, 8):
        C[i, j] = i
    for i in range(32):
        B[i] = D[i]
)");
  EXPECT_TRUE(not_applicable(view, "grow-buffer", to(4, 9)));
  const PrimFunc assumed = parse(R"(
def before(B: T.Buffer((32,), "int32")):
    C = T.alloc_buffer((4, 8), "int32")
    for i, j in T.grid(4, 8):
        C[i, j] = i
        T.assume(C[i, j] < 4)
        B[i * 8 + j] = C[i, j]
)");
  expect_not_applicable(assumed, "grow-buffer", to(4, 9), "an assume speaks of 'C'");
}

TEST(GrowBuffer, Condition2NoExtentIsSmaller) {
  expect_refused_rightly(parse(kText), "grow-buffer", to(5, 7), "no extent is smaller");
  EXPECT_TRUE(not_applicable(parse(kText), "grow-buffer", to(4, 8)));
}

TEST(GrowBuffer, Condition3TheExtentsAreKnownAndFit) {
  const PrimFunc func = parse(kText);
  const Var n = Var::fresh("n", kInt32);
  EXPECT_TRUE(not_applicable(func, "grow-buffer",
                             {{"buffer", std::string("C")}, {"shape", std::vector<Expr>{i32(4), Expr(n)}}}));
  EXPECT_TRUE(
      not_applicable(func, "grow-buffer", {{"buffer", std::string("C")}, {"shape", std::vector<Expr>{i32(4)}}}));
  EXPECT_TRUE(refusal(func, "grow-buffer", to(65536, 65536)));
}

}  // namespace grow_buffer_test
}  // namespace hexproof
