#include "rewrite/interface.h"
#include "rewrite/inverse_map.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

/// The map over fresh int32 variables.
template <class... V>
IndexMap index_map(std::vector<Expr> (*outputs)(V...)) {
  IndexMap map;
  for (size_t k = 0; k < sizeof...(V); ++k) map.inputs.push_back(Var::fresh(std::string(1, char('i' + k)), kInt32));
  std::vector<Expr> ordered;
  for (const Var& v : map.inputs) ordered.emplace_back(v);
  map.outputs = [&]<size_t... K>(std::index_sequence<K...>) { return outputs(ordered[K]...); }
  (std::index_sequence_for<V...>{});
  return map;
}

Args layout(const std::string& buffer, const IndexMap& map) { return {{"buffer", buffer}, {"map", map}}; }

IndexMap tiles() {
  return index_map(+[](Expr i, Expr j) {
    return std::vector<Expr>{floordiv(i, i32(4)), floordiv(j, i32(2)), floormod(i, i32(4)), floormod(j, i32(2))};
  });
}
IndexMap offset() {
  return index_map(+[](Expr i) {
    return std::vector<Expr>{floordiv(i + i32(2), i32(8)), floormod(i + i32(2), i32(8))};
  });
}

/// Before and after agree under the interface relation.
void expect_related(const PrimFunc& func, const Args& args) {
  Derivation d(func);
  d.apply("transform-layout", args, test_prover());
  EXPECT_EQ(ill_formed(d.current()), "") << print(d.current());
  for (uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<Tensor> before = random_inputs(func, seed), after = pack_all(d, before);
    RunResult a = run(func, before), b = run(d.current(), after);
    ASSERT_FALSE(a.error) << a.error->str();
    ASSERT_FALSE(b.error) << b.error->str() << print(d.current());
    std::vector<Tensor> unpacked = unpack_all(d, after);
    for (size_t k = 0; k < before.size(); ++k) EXPECT_EQ(first_difference(before[k], unpacked[k]), -1);
  }
}

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

TEST(TransformLayout, TwiceComposes) {
  PrimFunc func = parse(kCopy);
  Derivation d(func);
  d.apply("transform-layout", layout("A", tiles()), test_prover());
  IndexMap swap = index_map(+[](Expr a, Expr b, Expr c, Expr e) { return std::vector<Expr>{b, a, e, c}; });
  d.apply("transform-layout", layout("A", swap), test_prover());
  ASSERT_EQ(d.interface().size(), 1u);
  std::vector<Tensor> before = random_inputs(func, 1), after = pack_all(d, before);
  run(func, before);
  run(d.current(), after);
  EXPECT_EQ(first_difference(before[1], unpack_all(d, after)[1]), -1);
}

// The merging map of RFC 39 has no padding when the inner extent is the factor ...
TEST(TransformLayout, MergingMap) {
  IndexMap merge = index_map(+[](Expr i, Expr j, Expr k) {
    return std::vector<Expr>{i * i32(6) + j, floordiv(k, i32(4)), floormod(k, i32(4))};
  });
  const char* func = R"(
def main(A: T.Buffer((3, 6, 8), "int8"), B: T.Buffer((3, 6, 8), "int8")):
    for i, j, k in T.grid(3, 6, 8):
        B[i, j, k] = A[i, 5 - j, k] * A[i, j, k]
)";
  PrimFunc after = applied(parse(func), "transform-layout", layout("A", merge));
  std::vector<int64_t> shape;
  ASSERT_TRUE(constant_shape(after.params[0].buffer, &shape));
  EXPECT_EQ(shape, (std::vector<int64_t>{18, 2, 4}));
  expect_related(parse(func), layout("A", merge));
}

// ... with a larger factor it leaves cells without an element, and with a smaller one two elements meet.
TEST(TransformLayout, MergingMapWithAnotherFactor) {
  IndexMap wide = index_map(+[](Expr i, Expr j) { return std::vector<Expr>{i * i32(8) + j}; });
  IndexMap narrow = index_map(+[](Expr i, Expr j) { return std::vector<Expr>{i * i32(5) + j}; });
  std::optional<Refused> padded = refusal(parse(kTemp), "transform-layout", layout("C", wide));
  ASSERT_TRUE(padded);
  EXPECT_NE(padded->obligation.why.find("the first padded cell is [6]"), std::string::npos) << padded->what();
  expect_refused_rightly(parse(kTemp), "transform-layout", layout("C", narrow),
                         "no two logical indices go to one cell (the cells [0, 5] and [1, 0] both go to [5])");
}

TEST(TransformLayout, OffsetMapNeedsPadding) {
  const char* func = R"(
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = A[i] + 1
)";
  std::optional<Refused> refused = refusal(parse(func), "transform-layout", layout("A", offset()));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->answer.verdict, Verdict::Refuted);
  EXPECT_NE(refused->obligation.why.find("the first padded cell is [0, 0]"), std::string::npos) << refused->what();
}

TEST(TransformLayout, NotInjective) {
  IndexMap fold = index_map(+[](Expr i, Expr j) { return std::vector<Expr>{floordiv(i, i32(2)), j}; });
  expect_refused_rightly(parse(kTemp), "transform-layout", layout("C", fold), "no two logical indices go to one cell");
}

// A box that is larger than the image: 8 rows in tiles of 3 leave a row of padding.
TEST(TransformLayout, BoxThatIsNotMinimal) {
  IndexMap thirds = index_map(+[](Expr i, Expr j) {
    return std::vector<Expr>{floordiv(i, i32(3)), floormod(i, i32(3)), j};
  });
  std::optional<Refused> refused = refusal(parse(kTemp), "transform-layout", layout("C", thirds));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("the first padded cell is [2, 2, 0]"), std::string::npos) << refused->what();
}

TEST(TransformLayout, ImageBelowZero) {
  IndexMap down = index_map(+[](Expr i, Expr j) { return std::vector<Expr>{i - i32(1), j}; });
  expect_refused_rightly(parse(kTemp), "transform-layout", layout("C", down), "");
}

// Reversing a dimension is no rearrangement of digits: no inverse is found, but equal boxes and injectivity suffice.
TEST(TransformLayout, WithoutInverse) {
  IndexMap reverse = index_map(+[](Expr i, Expr j) { return std::vector<Expr>{i32(7) - i, j}; });
  std::vector<Expr> shape = {i32(8), i32(6)};
  std::optional<Layout> found = layout_of(reverse, shape);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->inverse);
  expect_applies(kTemp, "transform-layout", layout("C", reverse), "");
}

TEST(TransformLayout, InverseThatIsGiven) {
  IndexMap reverse = index_map(+[](Expr i, Expr j) { return std::vector<Expr>{i32(7) - i, j}; });
  IndexMap wrong = index_map(+[](Expr i, Expr j) { return std::vector<Expr>{i32(6) - i, j}; });
  Args args = layout("C", reverse);
  args["inverse"] = reverse;
  expect_applies(kTemp, "transform-layout", args, "");
  args["inverse"] = wrong;
  EXPECT_TRUE(refusal(parse(kTemp), "transform-layout", args));
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
  IndexMap split = index_map(+[](Expr i, Expr j) {
    return std::vector<Expr>{floordiv(j, i32(4)), i, floormod(j, i32(4))};
  });
  EXPECT_NO_THROW(applied(parse(func), "transform-layout", layout("A", split)));
  IndexMap cut = index_map(+[](Expr i, Expr j) {
    return std::vector<Expr>{floordiv(i, i32(4)), floormod(i, i32(4)), j};
  });
  EXPECT_TRUE(not_applicable(parse(func), "transform-layout", layout("A", cut)));
}

// An index in an assume may be out of bounds where the other side of the `or` holds; in the new box it would be
// another cell.
TEST(TransformLayout, AssumeOutOfBounds) {
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

}  // namespace
}  // namespace hexproof
