#include "ir/visit.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

constexpr const char* kThree = R"(
def main(A: T.Buffer((3, 4, 5), "float32"), B: T.Buffer((3, 4, 5), "float32")):
    C = T.alloc_buffer((3, 4, 5), "float32")
    for i, j, k in T.grid(3, 4, 5):
        C[i, j, k] = A[i, j, k]
    for i, j, k in T.grid(3, 4, 5):
        B[i, j, k] = C[2 - i, j, 4 - k]
)";

TEST(Flatten, Allocation) {
  expect_applies(kThree, "flatten", {{"buffer", std::string("C")}}, R"(
def main(A: T.Buffer((3, 4, 5), "float32"), B: T.Buffer((3, 4, 5), "float32")):
    C = T.alloc_buffer((60,), "float32")
    for i, j, k in T.grid(3, 4, 5):
        C[i * 20 + j * 5 + k] = A[i, j, k]
    for i, j, k in T.grid(3, 4, 5):
        B[i, j, k] = C[(2 - i) * 20 + j * 5 + (4 - k)]
)");
}

TEST(Flatten, EverythingAndTwice) {
  PrimFunc func = parse(kThree);
  PrimFunc once = applied(func, "flatten", {});
  EXPECT_EQ(difference(func, once), "");
  PrimFunc twice = applied(once, "flatten", {});
  EXPECT_TRUE(same_program(once, twice));
  bool flat = true;
  visit_all_exprs(once.body, [&](const Expr& e) { flat &= e->op != Op::Load || e->args.size() == 1; });
  EXPECT_TRUE(flat) << print(once);
}

TEST(Flatten, AxisSeparatorsMakeGroups) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((2, 3, 4, 5), "int32"), B: T.Buffer((120,), "int32")):
    C = T.alloc_buffer((2, 3, 4, 5), "int32", axis_separators=[2])
    for i, j, k, l in T.grid(2, 3, 4, 5):
        C[i, j, k, l] = A[i, j, k, l]
    for i, j, k, l in T.grid(2, 3, 4, 5):
        B[((i * 3 + j) * 4 + k) * 5 + l] = C[i, j, k, l]
)");
  PrimFunc after = applied(func, "flatten", {{"buffer", std::string("C")}});
  const Buffer& flat = stmt_at(after, *find_allocation(after, "C")).as<AllocBuffer>()->buffer;
  std::vector<int64_t> shape;
  ASSERT_TRUE(constant_shape(flat, &shape));
  EXPECT_EQ(shape, (std::vector<int64_t>{6, 20}));
  EXPECT_EQ(flat->axis_separators, std::vector<int>{1});
  EXPECT_EQ(difference(func, after), "");
  EXPECT_TRUE(same_program(after, applied(after, "flatten", {{"buffer", std::string("C")}})));
}

// 50000 * 50000 cells do not fit an int32 index; with extents of 64 bits they do.
TEST(Flatten, IndexThatDoesNotFit) {
  const char* large = R"(
def main(A: T.Buffer((1,), "int8")):
    C = T.alloc_buffer((50000, 50000), "int8")
    C[49999, 49999] = A[0]
)";
  EXPECT_TRUE(refusal(parse(large), "flatten", {{"buffer", std::string("C")}}));
  const char* wide = R"(
def main(A: T.Buffer((1,), "int8")):
    C = T.alloc_buffer((T.int64(50000), T.int64(50000)), "int8")
    C[T.int64(49999), T.int64(49999)] = A[0]
)";
  EXPECT_NO_THROW(applied(parse(wide), "flatten", {{"buffer", std::string("C")}}));
}

TEST(Flatten, VectorAccess) {
  expect_applies(R"(
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    for i in range(4):
        B[i, 0:8] = A[i, T.Ramp(0, 1, 8)]
)",
                 "flatten", {{"buffer", std::string("A")}}, "");
}

}  // namespace
}  // namespace hexproof
