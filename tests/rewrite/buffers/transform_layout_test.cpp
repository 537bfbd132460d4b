#include "rewrite/layout/inverse_map.h"
#include "tests/rewrite/conditions.h"
#include "tests/rewrite/layouts/layouts.h"
#include "verify/check/check.h"

namespace hexproof {
namespace transform_layout_test {

IndexMap tiles() { return index_map("lambda i, j: [i // 4, j // 2, i % 4, j % 2]"); }
IndexMap offset() { return index_map("lambda i: [(i + 2) // 8, (i + 2) % 8]"); }

constexpr const char* kCopy = R"(
def main(A: T.Buffer((8, 6), "float32"), B: T.Buffer((8, 6), "float32")):
    for i, j in T.grid(8, 6):
        B[i, j] = A[i, j] + A[7 - i, j]
)";

/// A temporary between two loops; the second reads it in another order.
constexpr const char* kTemp = R"(
def main(A: T.Buffer((8, 6), "float32"), B: T.Buffer((8, 6), "float32")):
    C = T.alloc_buffer((8, 6), "float32")
    for i, j in T.grid(8, 6):
        C[i, j] = A[i, j]
    for i, j in T.grid(8, 6):
        B[i, j] = C[7 - i, 5 - j]
)";

TEST(TransformLayout, ParameterInTiles) {
  PrimFunc func = parse(kCopy);
  expect_program(applied(func, "transform-layout", layout("A", tiles())), R"(
def main(A: T.Buffer((2, 3, 4, 2), "float32"), B: T.Buffer((8, 6), "float32")):
    for i, j in T.grid(8, 6):
        B[i, j] = A[i // 4, j // 2, i % 4, j % 2] + A[(7 - i) // 4, j // 2, (7 - i) % 4, j % 2]
)");
  expect_related(func, layout("A", tiles()));
  expect_related(func, layout("B", tiles()));
}

TEST(TransformLayout, Allocation) {
  expect_applies(kTemp, "transform-layout", layout("C", tiles()), R"(
def main(A: T.Buffer((8, 6), "float32"), B: T.Buffer((8, 6), "float32")):
    C = T.alloc_buffer((2, 3, 4, 2), "float32")
    for i, j in T.grid(8, 6):
        C[i // 4, j // 2, i % 4, j % 2] = A[i, j]
    for i, j in T.grid(8, 6):
        B[i, j] = C[(7 - i) // 4, (5 - j) // 2, (7 - i) % 4, (5 - j) % 2]
)");
}

// In int32 the map is the identity: its e, which wraps, is 0. Over indices of 64 bits e is i, and 3 to 6 share a cell.
TEST(TransformLayout, AMapIsIndexArithmetic) {
  const PrimFunc func = parse(R"(
def main(A: T.Buffer((T.int64(8),), "int32"), B: T.Buffer((T.int64(8),), "int32")):
    C = T.alloc_buffer((T.int64(8),), "int32")
    for i in T.serial(T.int64(8)):
        C[i] = A[i]
    for i in T.serial(T.int64(8)):
        B[i] = C[i]
)");
  const Var v = Var::fresh("i", kInt32);
  auto times = [](const Expr& x) { return binary(Op::Mul, x, i32(65536), true); };
  const Expr i(v), e = floordiv(floordiv(times(times(i)), i32(65536)), i32(65536));
  const IndexMap map{{v}, {i - e + min(e, i32(3)) + floordiv(e, i32(7)) * i32(4)}, {}};
  expect_not_applicable_rightly(func, "transform-layout", layout("C", map), "is no int32 arithmetic", R"(
def main(A: T.Buffer((T.int64(8),), "int32"), B: T.Buffer((T.int64(8),), "int32")):
    C = T.alloc_buffer((T.int64(8),), "int32")
    for i in T.serial(T.int64(8)):
        C[T.min(i, T.int64(3)) + i // T.int64(7) * T.int64(4)] = A[i]
    for i in T.serial(T.int64(8)):
        B[i] = C[T.min(i, T.int64(3)) + i // T.int64(7) * T.int64(4)]
)");
}

TEST(TransformLayout, TwiceComposes) {
  PrimFunc func = parse(kCopy);
  Derivation d(func);
  d.apply("transform-layout", layout("A", tiles()), test_prover());
  IndexMap swap = index_map("lambda a, b, c, e: [b, a, e, c]");
  d.apply("transform-layout", layout("A", swap), test_prover());
  ASSERT_EQ(d.interface().size(), 1u);
  std::vector<Tensor> before = random_inputs(func, 1), after = pack_all(d, before);
  run(func, before);
  run(d.current(), after);
  EXPECT_EQ(first_difference(before[1], unpack_all(d, after)[1]), -1);
}

// The merging map of RFC 39 has no padding when the inner extent is the factor ...
TEST(TransformLayout, MergingMap) {
  IndexMap merge = index_map("lambda i, j, k: [i * 6 + j, k // 4, k % 4]");
  const char* func = R"(
def main(A: T.Buffer((3, 6, 8), "int8"), B: T.Buffer((3, 6, 8), "int8")):
    for i, j, k in T.grid(3, 6, 8):
        B[i, j, k] = A[i, 5 - j, k] * A[i, j, k]
)";
  PrimFunc after = applied(parse(func), "transform-layout", layout("A", merge));
  std::vector<int64_t> shape = constant_shape(after.params[0].buffer).value();
  EXPECT_EQ(shape, (std::vector<int64_t>{18, 2, 4}));
  expect_related(parse(func), layout("A", merge));
}

// ... with a larger factor it leaves cells without an element, and with a smaller one two elements meet.
TEST(TransformLayout, Condition3AMergingMapWithAnotherFactor) {
  expect_related(parse(kCopy), layout("B", index_map("lambda i, j: [i * 8 + j]"), i32(3)));
  expect_refused_rightly(parse(kTemp), "transform-layout", layout("C", index_map("lambda i, j: [i * 5 + j]")),
                         "no two logical indices go to one cell (the cells [0, 5] and [1, 0] both go to [5])");
}

TEST(TransformLayout, Condition3NotInjective) {
  IndexMap fold = index_map("lambda i, j: [i // 2, j]");
  expect_refused_rightly(parse(kTemp), "transform-layout", layout("C", fold), "no two logical indices go to one cell");
}

// A box that starts below 0, or above it, is not the smallest one that starts at 0.
TEST(TransformLayout, Condition2ABoxThatDoesNotStartAtZero) {
  EXPECT_TRUE(not_applicable(parse(kTemp), "transform-layout", layout("C", index_map("lambda i, j: [i - 1, j]"))));
  EXPECT_TRUE(not_applicable(parse(kTemp), "transform-layout", layout("C", index_map("lambda i, j: [i + 1, j]"))));
  EXPECT_TRUE(not_applicable(parse(kTemp), "transform-layout",
                             layout("C", index_map("lambda i, j: [(i + 8) // 8, i % 8, j]"))));
}

TEST(TransformLayout, Reversed) {
  IndexMap reverse = index_map("lambda i, j: [7 - i, j]");
  std::optional<Layout> found = layout_of(reverse, {i32(8), i32(6)}).layout;
  ASSERT_TRUE(found && found->inverse);
  EXPECT_TRUE(is_int(found->in_image, 1));
  expect_applies(kTemp, "transform-layout", layout("C", reverse), "");
}

// 3 * i % 8 goes round all remainders: no inverse is found, but equal boxes and injectivity suffice.
TEST(TransformLayout, Condition4WithoutInverse) {
  IndexMap round = index_map("lambda i, j: [i * 3 % 8, j]");
  std::optional<Layout> found = layout_of(round, {i32(8), i32(6)}).layout;
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->inverse);
  expect_applies(kTemp, "transform-layout", layout("C", round), "");
  // With 9 in the place of 8 there is padding, and the inverse must be given: 3 * p is i, 0 or 3 * i = 9 apart.
  IndexMap wide = index_map("lambda i, j: [i * 5 % 9, j]");
  std::optional<Refused> refused = refusal(parse(kTemp), "transform-layout", layout("C", wide));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("the inverse of the map must be found or given"), std::string::npos);
}

TEST(TransformLayout, Condition4AnInverseThatIsGiven) {
  Args args = layout("C", index_map("lambda i, j: [i * 3 % 8, j]"));
  args["inverse"] = index_map("lambda p, j: [p * 3 % 8, j]");
  expect_applies(kTemp, "transform-layout", args, "");
  args["inverse"] = index_map("lambda p, j: [p * 5 % 8, j]");
  EXPECT_TRUE(refusal(parse(kTemp), "transform-layout", args));
  // With padding: 5 * i % 9 leaves out one of nine cells, and 2 undoes 5.
  args = layout("C", index_map("lambda i, j: [i * 5 % 9, j]"), i32(1));
  args["inverse"] = index_map("lambda p, j: [p * 2 % 9, j]");
  expect_applies(kTemp, "transform-layout", args, "");
}

TEST(TransformLayout, AxisSeparators) {
  IndexMap map = tiles();
  map.axis_separators = {2};
  PrimFunc after = applied(parse(kTemp), "transform-layout", layout("C", map));
  EXPECT_EQ(stmt_at(after, *find_allocation(after, "C")).as<AllocBuffer>()->buffer->axis_separators,
            std::vector<int>{2});
  map.axis_separators = {4};
  EXPECT_TRUE(not_applicable(parse(kTemp), "transform-layout", layout("C", map)));
}

TEST(TransformLayout, SymbolicExtentsAreCarriedOver) {
  const char* func = R"(
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 8), "int32")
    B = T.match_buffer(b, (n, 8), "int32")
    for i, j in T.grid(n, 8):
        B[i, j] = A[i, 7 - j]
)";
  IndexMap split = index_map("lambda i, j: [j // 4, i, j % 4]");
  EXPECT_NO_THROW(applied(parse(func), "transform-layout", layout("A", split)));
}

// An index in an assume may be out of bounds where the other side of the `or` holds; in the new box it would be
// another cell.
TEST(TransformLayout, Condition5AnAssumeOutOfBounds) {
  const char* out = R"(
def main(A: T.Buffer((8, 6), "int32"), B: T.Buffer((8, 6), "int32")):
    for i, j in T.grid(8, 6):
        T.evaluate(T.assume(i >= 7 or A[i + 1, j] == 0))
        B[i, j] = A[i, j]
)";
  const char* in = R"(
def main(A: T.Buffer((8, 6), "int32"), B: T.Buffer((8, 6), "int32")):
    for i, j in T.grid(8, 6):
        T.evaluate(T.assume(i >= 7 or A[i, j] == 0))
        B[i, j] = A[i, j]
)";
  std::optional<Refused> refused = refusal(parse(out), "transform-layout", layout("A", tiles()));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("assume"), std::string::npos);
  EXPECT_NO_THROW(applied(parse(in), "transform-layout", layout("A", tiles())));
}

TEST(TransformLayout, DoesNotApply) {
  PrimFunc func = parse(kCopy);
  EXPECT_TRUE(not_applicable(func, "transform-layout", layout("X", tiles())));
  EXPECT_TRUE(not_applicable(func, "transform-layout", layout("A", offset())));
  EXPECT_TRUE(not_applicable(func, "transform-layout", {{"buffer", std::string("A")}}));
  IndexMap free = tiles();
  free.outputs[0] = Expr(Var::fresh("z", kInt32));
  EXPECT_TRUE(not_applicable(func, "transform-layout", layout("A", free)));
  PrimFunc view = parse(R"(
def main(A: T.Buffer((8, 6), "int32"), B: T.Buffer((48,), "int32")):
    F = T.Buffer((48,), "int32", data=A.data)
    for i in range(48):
        B[i] = F[i]
)");
  EXPECT_TRUE(not_applicable(view, "transform-layout", layout("A", tiles())));
}

// Where the image leaves the box, or is no int32: the map is evaluated at each access.
TEST(TransformLayout, Condition1TheImageIsInTheBox) {
  expect_owed_rightly(parse(kTemp), "transform-layout", layout("C", tiles()),
                      "every logical index has its image in the new box", R"(
def main(A: T.Buffer((8, 6), "float32"), B: T.Buffer((8, 6), "float32")):
    C = T.alloc_buffer((2, 3, 4, 1), "float32")
    for i, j in T.grid(8, 6):
        C[i // 4, j // 2, i % 4, j % 2] = A[i, j]
    for i, j in T.grid(8, 6):
        B[i, j] = C[(7 - i) // 4, (5 - j) // 2, (7 - i) % 4, (5 - j) % 2]
)");
  // i * 2^28 is no int32 from i = 8 on.
  PrimFunc func = parse(R"(
def main(A: T.Buffer((9,), "int8"), B: T.Buffer((9,), "int8")):
    C = T.alloc_buffer((9,), "int8")
    for i in range(9):
        C[i] = A[i]
    for i in range(9):
        B[i] = C[i]
)");
  Args wide = layout("C", "lambda i: [i * 268435456 // 268435456]");
  bool no = not_applicable(func, "transform-layout", wide);
  EXPECT_TRUE(no || refusal(func, "transform-layout", wide));
  EXPECT_NE(difference(func, parse(R"(
def wrong(A: T.Buffer((9,), "int8"), B: T.Buffer((9,), "int8")):
    C = T.alloc_buffer((9,), "int8")
    for i in range(9):
        C[i * 268435456 // 268435456] = A[i]
    for i in range(9):
        B[i] = C[i * 268435456 // 268435456]
)")),
            "");
}

// Of no cells, a layout that doubles them and leaves the last one out has -1.
TEST(TransformLayout, Condition7TheNewBufferFitsInMemory) {
  const std::string text = R"(
def main(B: T.Buffer((4,), "int16"), n: T.int32):
    T.assume(n >= LEAST and n <= MOST)
    A = T.alloc_buffer((n,), "int16")
    B[0] = T.int16(1)
)";
  auto with = [&](const std::string& least, const std::string& most) {
    std::string out = text;
    out.replace(out.find("LEAST"), 5, least);
    return parse(out.replace(out.find("MOST"), 4, most));
  };
  PrimFunc none = with("0", "1000"), huge = with("1", "1000000000"), sound = with("1", "1000");
  Args twice = layout("A", "lambda i: [i * 2]");
  expect_refused_rightly(none, "transform-layout", twice, "not negative", {{"n", 0}});
  // Two thousand million cells are not made here: that they do not fit is what `check` says of the result.
  std::optional<Refused> refused = refusal(huge, "transform-layout", twice);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("at most 2^31 - 1 bytes"), std::string::npos) << refused->obligation.why;
  EXPECT_NE(check(proposed(huge, "transform-layout", twice), test_prover()).finding, Finding::Proved);
  EXPECT_EQ(difference(sound, applied(sound, "transform-layout", twice), {{"n", 5}}), "");
}

}  // namespace transform_layout_test
}  // namespace hexproof
