#include "verify/access/domain_touched.h"

#include <gtest/gtest.h>

#include "ir/interpreter/interpreter.h"
#include "ir/text/text.h"
#include "verify/facts/facts.h"

namespace hexproof {
namespace domain_touched_test {

Prover& prover() {
  static Prover the_prover;
  return the_prover;
}

struct Found {
  PrimFunc func;
  DomainTouched touched;
};

/// Of the function's whole body, or of the statement at the path.
Found find(const std::string& text, const std::string& buffer, const Path& at = {}) {
  PrimFunc func = pick_function(parse_module(text), "");
  for (const Buffer& b : func.buffer_params()) {
    if (b->name == buffer) return {func, domain_touched(stmt_at(func, at), b, facts_at(func, at), prover())};
  }
  ADD_FAILURE() << "no buffer " << buffer;
  return {func, {}};
}

std::string text(const std::vector<TouchedRange>& box) {
  std::string out;
  for (const TouchedRange& r : box)
    out.append("[").append(print(r.first)).append(", +").append(print(r.extent)).append("]");
  return out;
}

bool evaluates(const Expr& e, const VarMap& values) {
  Buffer out = make_buffer("out", kBool, {i32(1)});
  PrimFunc func;
  func.params = {{Var::fresh("out", kHandle), out}};
  func.body = make_stmt(Store{out, {i32(0)}, substitute(e, values)});
  std::vector<Tensor> tensors = {make_tensor(kBool, {1})};
  RunResult result = run(func, tensors);
  EXPECT_FALSE(result.error) << result.error->str();
  return tensors[0].data[0] != 0;
}

/// The cells of a buffer of constants for which the condition holds.
std::vector<int64_t> cells(const DomainTouched& touched, const Expr& condition) {
  std::vector<int64_t> shape = constant_shape(touched.buffer).value(), out;
  int64_t size = 1;
  for (int64_t n : shape) size *= n;
  for (int64_t flat = 0; flat < size; ++flat) {
    VarMap values;
    int64_t rest = flat;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
      values.emplace(touched.cell[d], imm(touched.cell[d].dtype(), rest % shape[d]));
    if (evaluates(condition, values)) out.push_back(flat);
  }
  return out;
}

/// The cells that are written when the program runs: the others stay uninitialised.
std::vector<int64_t> written(const PrimFunc& func, const std::string& buffer) {
  std::vector<Tensor> tensors;
  size_t at = 0;
  for (const Buffer& b : func.buffer_params()) {
    std::vector<int64_t> shape = constant_shape(b).value();
    tensors.push_back(make_tensor(b->dtype, shape));
    if (b->name == buffer) {
      at = tensors.size() - 1;
      tensors.back().initialised.assign(static_cast<size_t>(tensors.back().size()), 0);
    }
  }
  RunResult result = run(func, tensors);
  EXPECT_FALSE(result.error) << result.error->str();
  std::vector<int64_t> out;
  for (int64_t i = 0; i < tensors[at].size(); ++i) {
    if (tensors[at].initialised.empty() || tensors[at].initialised[static_cast<size_t>(i)]) out.push_back(i);
  }
  return out;
}

void expect_exact(const std::string& program, const std::string& buffer, const std::string& predicate,
                  const std::string& box) {
  Found f = find(program, buffer);
  EXPECT_TRUE(f.touched.exact()) << program;
  EXPECT_EQ(print(f.touched.written_when()), predicate) << program;
  EXPECT_EQ(text(f.touched.box), box) << program;
  EXPECT_EQ(cells(f.touched, f.touched.written_when()), written(f.func, buffer)) << program;
}

TEST(DomainTouched, Loops) {
  expect_exact(R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(3, 9):
        A[i] = 0
)",
               "A", "3 <= c0 and c0 < 9", "[3, +6]");
  expect_exact(R"(
def main(A: T.Buffer((16,), "int32")):
    for i, j in T.grid(4, 4):
        A[i * 4 + j] = 0
)",
               "A", "T.bool(True)", "[0, +16]");
}

// RFC 77: the padding stage touches what the compute stage does not.
TEST(DomainTouched, GuardsAreCarriedOver) {
  Found padding = find(R"(
def main(B: T.Buffer((4, 4), "float32")):
    for io, ii in T.grid(4, 4):
        if io == 3 and ii >= 2:
            B[io, ii] = T.float32(0)
)",
                       "B");
  ASSERT_TRUE(padding.touched.exact());
  EXPECT_EQ(cells(padding.touched, padding.touched.written_when()), (std::vector<int64_t>{14, 15}));
  Found compute = find(R"(
def main(B: T.Buffer((4, 4), "float32")):
    for i in range(14):
        B[i // 4, i % 4] = T.float32(1)
)",
                       "B");
  ASSERT_TRUE(compute.touched.exact());
  EXPECT_EQ(cells(compute.touched, compute.touched.written_when()), written(compute.func, "B"));
  EXPECT_EQ(text(compute.touched.box), "[0, +4][0, +4]");
}

TEST(DomainTouched, ReadsAndWrites) {
  Found f = find(R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(5):
        A[i + 1] = A[i + 9] + A[15 - i]
)",
                 "A");
  ASSERT_TRUE(f.touched.exact());
  EXPECT_EQ(cells(f.touched, f.touched.written_when()), (std::vector<int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(cells(f.touched, f.touched.read_when()), (std::vector<int64_t>{9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(text(f.touched.box), "[1, +15]");
  EXPECT_TRUE(f.touched.box_exact);
}

TEST(DomainTouched, InsideOfALoop) {
  Found f = find(R"(
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    for io in range(8):
        for ii in range(8):
            A[io * 8 + ii] = 0
)",
                 "A", {0});
  ASSERT_TRUE(f.touched.exact());
  EXPECT_EQ(text(f.touched.box), "[io * 8, +8]");
  EXPECT_TRUE(f.touched.box_exact);
}

TEST(DomainTouched, SymbolicSizes) {
  Found f = find(R"(
def main(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 8), "int32")
    for i, j in T.grid(n, 8):
        if j > 0:
            A[i, j] = A[i, j - 1]
)",
                 "A");
  ASSERT_TRUE(f.touched.exact());
  EXPECT_EQ(print(f.touched.written_when()), "c1 > 0");
  EXPECT_EQ(print(f.touched.read_when()), "c1 + 1 < 8");
  EXPECT_EQ(text(f.touched.box), "[0, +n][0, +8]");
}

// A box that the guard keeps away from its corner is no exact one, and holds all the same.
TEST(DomainTouched, BoxThatIsTooLarge) {
  Found f = find(R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 10:
            A[i] = 0
)",
                 "A");
  EXPECT_FALSE(f.touched.box_exact);
  EXPECT_TRUE(f.touched.exact());
  EXPECT_EQ(cells(f.touched, f.touched.written_when()), written(f.func, "A"));
}

// What cannot be inverted, or depends on data, is over-approximated.
TEST(DomainTouched, OverApproximation) {
  Found squares = find(R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(4):
        A[i * i] = 0
)",
                       "A");
  EXPECT_FALSE(squares.touched.exact());
  std::vector<int64_t> claimed = cells(squares.touched, squares.touched.written_when());
  for (int64_t cell : written(squares.func, "A")) {
    EXPECT_NE(std::find(claimed.begin(), claimed.end(), cell), claimed.end());
  }
  Found data = find(R"(
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        A[B[i]] = 0
)",
                    "A");
  EXPECT_FALSE(data.touched.exact());
  EXPECT_EQ(cells(data.touched, data.touched.written_when()).size(), 16u);
}

TEST(DomainTouched, NothingIsTouched) {
  Found f = find(R"(
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = 0
)",
                 "B");
  EXPECT_TRUE(f.touched.accesses.empty());
  EXPECT_TRUE(f.touched.box.empty());
  EXPECT_TRUE(is_int(f.touched.touched_when(), 0));
}

TEST(DomainTouched, IndicesOfAnotherTypeThanTheShape) {
  for (const char* type : {"int8", "int16", "int64"}) {
    Found f = find("def main(A: T.Buffer((64,), \"int32\")):\n    for i in range(T." + std::string(type) +
                       "(32)):\n        A[i] = 1\n",
                   "A");
    EXPECT_EQ(cells(f.touched, f.touched.written_when()).size(), 32u) << type;
  }
}

// What never happens touches nothing; no loop variable stands in the answer.
TEST(DomainTouched, AccessesThatNeverHappen) {
  Found f = find(R"(
def main(A: T.Buffer((8,), "int32")):
    for i in range(8):
        if i > 9:
            A[i] = 1
    for j in range(0):
        A[j + 1] = 3
)",
                 "A");
  EXPECT_TRUE(f.touched.box.empty());
  EXPECT_TRUE(f.touched.exact());
  EXPECT_TRUE(is_int(f.touched.touched_when(), 0));
}

}  // namespace domain_touched_test
}  // namespace hexproof
