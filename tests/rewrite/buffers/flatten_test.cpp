#include "ir/visit.h"
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace flatten_test {

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

// Strides that are no numbers: level by level, from the first of them to the end.
TEST(Flatten, InnerExtentsThatAreNoNumbers) {
  const PrimFunc func = parse(R"(
def main(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, m, 4), "int32")
    B = T.match_buffer(b, (n, m, 4), "int32")
    T.assume(n < 1000 and m < 1000)
    for i, j, k in T.grid(n, m, 4):
        B[i, j, k] = A[i, j, k] + 1
)");
  const PrimFunc flat = applied(func, "flatten", {});
  EXPECT_NE(print(flat).find("(i * m + j) * 4 + k"), std::string::npos) << print(flat);
  EXPECT_EQ(difference(func, flat, {{"n", 3}, {"m", 5}}), "");
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

TEST(Flatten, DoesNotApply) {
  PrimFunc strided = parse(R"(
def main(a: T.handle, B: T.Buffer((4, 4), "int32")):
    A = T.match_buffer(a, (4, 4), "int32", strides=[8, 1])
    for i, j in T.grid(4, 4):
        B[i, j] = A[i, j]
)");
  expect_not_applicable(strided, "flatten", {{"buffer", std::string("A")}}, "has strides or an offset");
  expect_not_applicable(strided, "flatten", {{"buffer", std::string("C")}}, "there is no parameter or allocation 'C'");
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
  std::vector<int64_t> shape = constant_shape(flat).value();
  EXPECT_EQ(shape, (std::vector<int64_t>{6, 20}));
  EXPECT_EQ(flat->axis_separators, std::vector<int>{1});
  EXPECT_EQ(difference(func, after), "");
  EXPECT_TRUE(same_program(after, applied(after, "flatten", {{"buffer", std::string("C")}})));
}

// 50000 * 50000 cells do not fit an int32 index; with extents of 64 bits they do.
TEST(Flatten, Condition1AnIndexThatDoesNotFit) {
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

// Row-major offsets of one another's box: with the strides of another shape two cells would meet.
TEST(Flatten, Condition2NoTwoCellsMeet) {
  const std::string other = R"(
def main(A: T.Buffer((3, 4, 5), "float32"), B: T.Buffer((3, 4, 5), "float32")):
    C = T.alloc_buffer((60,), "float32")
    for i, j, k in T.grid(3, 4, 5):
        C[i * 20 + j * 4 + k] = A[i, j, k]
    for i, j, k in T.grid(3, 4, 5):
        B[i, j, k] = C[(2 - i) * 20 + j * 4 + (4 - k)]
)";
  Args args{{"buffer", std::string("C")}};
  expect_owed_rightly(parse(kThree), "flatten", args, "no two cells have one flat index", other);
  expect_owed(parse(kThree), "flatten", args, "every cell of the flat buffer is a cell of the box");
  expect_owed(parse(kThree), "flatten", args, "a level of the flat index stays inside of its level");
}

// The index in the program is a sum of strides, that of the proof is built level by level.
TEST(Flatten, Condition3WhatIsWrittenIsWhatIsProved) {
  expect_owed_rightly(parse(kThree), "flatten", {{"buffer", std::string("C")}}, "the sum of strides is the row-major",
                      R"(
def main(A: T.Buffer((3, 4, 5), "float32"), B: T.Buffer((3, 4, 5), "float32")):
    C = T.alloc_buffer((60,), "float32")
    for i, j, k in T.grid(3, 4, 5):
        C[i * 20 + j * 5 + k] = A[i, j, k]
    for i, j, k in T.grid(3, 4, 5):
        B[i, j, k] = C[(2 - i) * 15 + j * 5 + (4 - k)]
)");
}

// In the flat buffer, a cell beside the row is another cell; beside the row of the box it is none.
TEST(Flatten, Condition4AnAssumeOutOfBounds) {
  const std::string text = R"(
def main(A: T.Buffer((4, 5), "int32"), B: T.Buffer((4, 5), "int32")):
    for i, j in T.grid(4, 5):
        T.assume(j >= 4 or A[i, INDEX] != 77)
        B[i, j] = A[i, j]
)";
  auto with = [&](const std::string& index) {
    std::string out = text;
    return parse(out.replace(out.find("INDEX"), 5, index));
  };
  PrimFunc beside = with("j + 1"), inside = with("j");
  std::optional<Refused> refused = refusal(beside, "flatten", {{"buffer", std::string("A")}});
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("the index in the assume is in bounds"), std::string::npos);
  EXPECT_EQ(difference(inside, applied(inside, "flatten", {{"buffer", std::string("A")}})), "");
}

}  // namespace flatten_test
}  // namespace hexproof
