// Index maps with ^: their inverse is found, proved, and undoes them.
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/layout/inverse_map.h"
#include "tests/rewrite/conditions.h"
#include "tests/rewrite/layouts/layouts.h"
#include "verify/check/check.h"

namespace hexproof {
namespace swizzle_test {

constexpr const char* kRows = "lambda i, j: [i, j ^ (i % 8)]";

constexpr const char* kTemp = R"(
def main(A: T.Buffer((16, 8), "int32"), B: T.Buffer((16, 8), "int32")):
    C = T.alloc_buffer((16, 8), "int32")
    for i, j in T.grid(16, 8):
        C[i, j] = A[i, j] + 1
    for i, j in T.grid(16, 8):
        B[i, j] = C[15 - i, j] * 2
)";

std::optional<IndexMap> inverse(const std::string& map, const std::vector<Expr>& shape) {
  const std::optional<Layout> found = layout_of(index_map(map), shape).layout;
  return found ? found->inverse : std::nullopt;
}

/// For each cell of a small box: back to where it came from.
void expect_undone(const std::string& text, const std::vector<int64_t>& shape) {
  const IndexMap map = index_map(text);
  std::vector<Expr> extents;
  int64_t cells = 1;
  for (int64_t n : shape) extents.push_back(i32(n)), cells *= n;
  const std::optional<IndexMap> back = inverse(text, extents);
  ASSERT_TRUE(back) << text;
  for (int64_t k = 0; k < cells; ++k) {
    std::vector<int64_t> index(shape.size());
    int64_t rest = k;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
    const auto image = map_values(map, index);
    ASSERT_TRUE(image);
    // An operator that map_values does not know would be no number.
    EXPECT_EQ(map_values(*back, *image), index) << text << ": " << print(*back);
  }
}

TEST(Swizzle, InversesFlipTheSameBits) {
  expect_undone(kRows, {16, 8});
  expect_undone("lambda i, j: [i, j ^ 5]", {3, 8});
  expect_undone("lambda i: [i // 8, (i % 8) ^ (i // 8 % 8)]", {128});
  expect_undone("lambda i: [i ^ ((i >> 3) & 7)]", {512});
  expect_undone("lambda i, j: [(i << 3) + (j ^ (i % 8))]", {16, 8});
  expect_undone("lambda i, j: [i // 4, (j ^ (i % 8)) // 4, i % 4, (j ^ (i % 8)) % 4]", {16, 8});
  expect_undone("lambda i, j, k: [i, j ^ (i % 4) ^ (k % 4), k]", {4, 8, 4});
  expect_undone("lambda i, j: [i, 7 - (j ^ (i % 8))]", {16, 8});
}

// The first operand that would do leads nowhere: another one carries the index.
TEST(Swizzle, TheOperandThatCarriesAnIndexIsSearched) {
  expect_undone("lambda i, j: [i ^ j, i]", {8, 8});
  expect_undone("lambda i, j: [(i % 4) ^ (j % 4), i // 4, j]", {16, 8});
}

// Each bit needs one that the round before found.
TEST(Swizzle, IndicesThatNeedEachOther) {
  expect_undone("lambda i: [i ^ (i // 2)]", {64});
  expect_undone("lambda i, j: [i ^ j, j ^ (i // 2)]", {8, 8});
}

// What is flipped need not be a power of two where the mask stays within a part that is one.
TEST(Swizzle, PartsThatAreNoPowerOfTwo) { expect_undone("lambda n, c: [n, c // 24, (c % 24) ^ (n % 8)]", {9, 96}); }

TEST(Swizzle, SymbolicRows) {
  const Expr n(Var::fresh("n", kInt32));
  const std::optional<IndexMap> found = inverse(kRows, {n, i32(8)});
  ASSERT_TRUE(found);
  EXPECT_EQ(print(*found), "lambda p0, p1: [p0, p1 ^ p0 % 8]");
  EXPECT_TRUE(inverse("lambda i: [i // 8, (i % 8) ^ (i // 8 % 8)]", {n}));
}

// Two operands that say the same: no choice of carriers has an inverse, and none is made up.
TEST(Swizzle, NoInverseWhereTwoIndicesMeet) {
  EXPECT_FALSE(inverse("lambda i, j: [i ^ j, j ^ i]", {i32(4), i32(4)}));
  expect_refused_rightly(parse(kTemp), "transform-layout", layout("C", "lambda i, j: [i, j ^ (j // 2 * 2)]"),
                         "(the cells [0, 0] and [0, 2] both go to [0, 0])");
}

TEST(Swizzle, AnAllocation) {
  expect_applies(kTemp, "transform-layout", layout("C", kRows), R"(
def main(A: T.Buffer((16, 8), "int32"), B: T.Buffer((16, 8), "int32")):
    C = T.alloc_buffer((16, 8), "int32")
    for i, j in T.grid(16, 8):
        C[i, j ^ (i % 8)] = A[i, j] + 1
    for i, j in T.grid(16, 8):
        B[i, j] = C[15 - i, j ^ ((15 - i) % 8)] * 2
)");
}

TEST(Swizzle, ParametersAreRelated) {
  expect_related(parse(kTemp), layout("A", kRows));
  expect_related(parse(kTemp), layout("B", "lambda i, j: [i * 8 + (j ^ (i % 8))]"));
}

// Of 14 columns, the bits of three are flipped within 16: which two are padding depends on the row.
TEST(Swizzle, PaddingMovesWithTheBits) {
  const PrimFunc func = parse(R"(
def main(A: T.Buffer((16, 14), "int32"), B: T.Buffer((16, 14), "int32")):
    for i, j in T.grid(16, 14):
        B[i, j] = A[i, j] + 1
)");
  expect_related(func, layout("A", kRows, i32(3)));
  expect_related(func, layout("B", kRows, i32(3)));
  expect_program(applied(func, "transform-layout", layout("A", kRows, i32(3))), R"(
def main(A: T.Buffer((16, 16), "int32"), B: T.Buffer((16, 14), "int32")):
    for i, p1 in T.grid(16, 16):
        T.assume((p1 ^ (i % 8)) < 14 or A[i, p1] == 3)
    for i, j in T.grid(16, 14):
        B[i, j] = A[i, j ^ (i % 8)] + 1
)");
}

// There, and back by the same map; what was flipped twice is as it was.
TEST(Swizzle, TwiceIsTheProgramBefore) {
  Derivation d(parse(kTemp));
  d.apply("transform-layout", layout("C", kRows), test_prover());
  d.apply("transform-layout", layout("C", kRows), test_prover());
  EXPECT_NE(print(d.current()), print(parse(kTemp)));
  simplify(d, test_prover());
  expect_program(d.current(), kTemp);
}

// What is read was written: the write that hit the cell is found by the inverse.
TEST(Swizzle, CheckFindsTheWrite) {
  for (const char* write : {"C[i // 8, (i % 8) ^ (i // 8 % 8)]", "C[(i ^ (i // 8 % 8)) // 8, (i ^ (i // 8 % 8)) % 8]",
                            "C[i // 8, (i // 8 % 8) ^ (i % 8)]"}) {
    const std::string text = std::string(R"(
def main(A: T.Buffer((128,), "int32"), B: T.Buffer((128,), "int32")):
    C = T.alloc_buffer((16, 8), "int32")
    for i in range(128):
        )") + write + R"( = A[i]
    for i, j in T.grid(16, 8):
        B[i * 8 + j] = C[i, j]
)";
    EXPECT_EQ(check(parse(text), test_prover()).finding, Finding::Proved) << write;
  }
  const std::string missing = R"(
def main(A: T.Buffer((128,), "int32"), B: T.Buffer((128,), "int32")):
    C = T.alloc_buffer((16, 8), "int32")
    for i in range(127):
        C[i // 8, (i % 8) ^ (i // 8 % 8)] = A[i]
    for i, j in T.grid(16, 8):
        B[i * 8 + j] = C[i, j]
)";
  EXPECT_EQ(check(parse(missing), test_prover()).finding, Finding::Refuted);
}

}  // namespace swizzle_test
}  // namespace hexproof
