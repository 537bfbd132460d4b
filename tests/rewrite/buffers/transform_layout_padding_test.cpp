// Layouts with padding: where it is, what it holds, and which pad values are refused.
#include <cmath>
#include <limits>

#include "rewrite/layout/pad_value.h"
#include "tests/rewrite/layouts/layouts.h"

namespace hexproof {
namespace transform_layout_padding_test {

constexpr const char* kDouble = R"(
def main(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] * T.float32(2)
)";

/// A reading and a written temporary, after the RFC's listing of transform_layout.
constexpr const char* kCaches = R"(
def func(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    A_cache = T.alloc_buffer((14,), "float32")
    for i in T.serial(14):
        with T.block("A_cache"):
            v = T.axis.spatial(14, i)
            A_cache[v] = A[v]
    B_cache = T.alloc_buffer((14,), "float32")
    for i in T.serial(14):
        with T.block("compute"):
            v = T.axis.spatial(14, i)
            B_cache[v] = T.float32(2) * A_cache[v]
    for i in T.serial(14):
        with T.block("B_cache"):
            v = T.axis.spatial(14, i)
            B[v] = B_cache[v]
)";

constexpr const char* kTiles = "lambda i: [i // 4, i % 4]";
constexpr const char* kOffset = "lambda i: [(i + 2) // 8, (i + 2) % 8]";

Args transformed_at(const char* buffer, const char* map, std::vector<Expr> (*index)(Expr, Expr), DType type) {
  IndexMap pad = index_map("lambda io, ii: [0]");
  pad.outputs = {call(type, kTransformedCell, index(pad.inputs[0], pad.inputs[1]))};
  return layout(buffer, map, pad);
}

TEST(TransformLayoutPadding, InputIsAssumedAndOutputIsWritten) {
  Derivation d(parse(kDouble));
  d.apply("transform-layout", layout("A", kTiles, i32(-1)), test_prover());
  d.apply("transform-layout", layout("B", kTiles, i32(-2)), test_prover());
  expect_program(d.current(), R"(
def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.float32(-1))
    for i in range(14):
        B[i // 4, i % 4] = A[i // 4, i % 4] * T.float32(2)
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 14:
            B[io, ii] = T.float32(-2)
)");
  expect_related(d);
}

TEST(TransformLayoutPadding, StagesFollowTheWriters) {
  Derivation d(parse(kCaches));
  d.apply("transform-layout", layout("A_cache", kTiles, i32(-1)), test_prover());
  d.apply("transform-layout", layout("B_cache", kTiles, i32(-2)), test_prover());
  expect_program(d.current(), R"(
def func(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    A_cache = T.alloc_buffer((4, 4), "float32")
    for i in T.serial(14):
        with T.block("A_cache"):
            v = T.axis.spatial(14, i)
            A_cache[v // 4, v % 4] = A[v]
    for io, ii in T.grid(4, 4):
        with T.block("A_cache_padding"):
            vio, vii = T.axis.remap("SS", [io, ii])
            if vio * 4 + vii >= 14:
                A_cache[vio, vii] = T.float32(-1)
    B_cache = T.alloc_buffer((4, 4), "float32")
    for i in T.serial(14):
        with T.block("compute"):
            v = T.axis.spatial(14, i)
            B_cache[v // 4, v % 4] = T.float32(2) * A_cache[v // 4, v % 4]
    for io, ii in T.grid(4, 4):
        with T.block("B_cache_padding"):
            vio, vii = T.axis.remap("SS", [io, ii])
            if vio * 4 + vii >= 14:
                B_cache[vio, vii] = T.float32(-2)
    for i in T.serial(14):
        with T.block("B_cache"):
            v = T.axis.spatial(14, i)
            B[v] = B_cache[v // 4, v % 4]
)");
  expect_related(d);
  EXPECT_TRUE(d.interface().empty());
}

// RFC 77, "Padded Transformations": 16 elements in eights need none; 14 elements two; with an offset of 2 they stand
// in front, and 16 elements then need three rows.
TEST(TransformLayoutPadding, WhereItIs) {
  struct Case {
    int size;
    const char *map, *predicate;
    std::vector<int64_t> shape;
  };
  for (const Case& c :
       {Case{16, "lambda i: [i // 8, i % 8]", "", {2, 8}},
        Case{14, "lambda i: [i // 8, i % 8]", "io * 8 + ii >= 14", {2, 8}},
        Case{14, kOffset, "io * 8 + ii < 2", {2, 8}}, Case{16, kOffset, "io * 8 + ii < 2 or io * 8 + ii >= 18", {3, 8}},
        Case{7, "lambda i: [i * 3]", "i % 3 != 0", {19}},
        Case{7, "lambda i: [i // 2 * 4 + i % 2]", "i % 4 >= 2 or i // 4 * 2 + i % 4 >= 7", {13}},
        Case{3, kOffset, "ii < 2", {1, 5}}, Case{12, "lambda i: [i, i % 4]", "io % 4 != ii", {12, 4}}}) {
    std::string n = std::to_string(c.size);
    PrimFunc func = parse("def main(A: T.Buffer((" + n + ",), \"int8\"), B: T.Buffer((" + n +
                          ",), \"int8\")):\n    for i in range(" + n + "):\n        B[i] = A[i] + A[" +
                          std::to_string(c.size - 1) + " - i]\n");
    for (const char* buffer : {"A", "B"}) {
      Derivation d(func);
      d.apply("transform-layout", layout(buffer, c.map, i32(5)), test_prover());
      const LayoutChange change = d.interface().at(0).layers.at(0);
      std::vector<int64_t> shape = constant_shape(change.after).value();
      EXPECT_EQ(shape, c.shape) << c.map;
      EXPECT_EQ(change.padding.predicate ? print(change.padding.predicate) : "", c.predicate) << c.map;
      expect_related(d);
    }
  }
}

TEST(TransformLayoutPadding, SymbolicSizes) {
  PrimFunc func = parse(R"(
def main(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "float16")
    B = T.match_buffer(b, (n,), "float16")
    for i in range(n):
        B[i] = A[i] + T.float16(1)
)");
  Derivation d(func);
  d.apply("transform-layout", layout("A", kTiles, fimm(kFloat32, -0.0)), test_prover());
  d.apply("transform-layout", layout("B", kOffset, i32(7)), test_prover());
  expect_program(d.current(), R"(
def main(a: T.handle, b: T.handle, n: T.int32):
    T.func_attr({"hexproof.padding.1": "lambda io, ii: io * 8 + ii < 2 or io * 8 + ii >= n + 2"})
    A = T.match_buffer(a, ((n + 3) // 4, 4), "float16")
    B = T.match_buffer(b, ((n + 9) // 8, 8), "float16")
    for io, ii in T.grid((n + 3) // 4, 4):
        T.assume(io * 4 + ii < n or A[io, ii] == T.float16(-0.0))
    for i in range(n):
        B[(i + 2) // 8, (i + 2) % 8] = A[i // 4, i % 4] + T.float16(1)
    for io, ii in T.grid((n + 9) // 8, 8):
        if io * 8 + ii < 2 or io * 8 + ii >= n + 2:
            B[io, ii] = T.float16(7)
)");
  for (int64_t n : {1, 4, 7, 14, 30}) expect_related(d, {{"n", n}}, 4);
}

// Two sizes: each output ends where its own size does.
TEST(TransformLayoutPadding, TwoSymbolicSizes) {
  PrimFunc func = parse(R"(
def main(a: T.handle, b: T.handle, n: T.int32, m: T.int32):
    A = T.match_buffer(a, (n, m), "int8")
    B = T.match_buffer(b, (n, m), "int8")
    T.assume(n <= 100000000 and m <= 100000000)  # where the other one is 0, the memory bounds neither
    for i, j in T.grid(n, m):
        B[i, j] = A[i, j] + A[n - 1 - i, j]
)");
  for (const char* map :
       {"lambda i, j: [i // 4, j // 3, i % 4, j % 3]", "lambda i, j: [i * 4 + j % 4, j // 4]",
        "lambda i, j: [j, (i + 3) // 4, (i + 3) % 4]", "lambda i, j: [j // 4 // 2, i, j // 4 % 2, j % 4]"}) {
    for (const char* buffer : {"A", "B"}) {
      Derivation d(func);
      d.apply("transform-layout", layout(buffer, map, i32(9)), test_prover());
      for (int64_t n : {1, 3, 9}) expect_related(d, {{"n", n}, {"m", 2 * n + 1}}, 2);
    }
  }
}

// A size that no other argument tells would be lost with the layout.
TEST(TransformLayoutPadding, SymbolicSizeMustStayDefined) {
  PrimFunc func = parse(R"(
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = A[i]
)");
  Derivation d(func);
  d.apply("transform-layout", layout("A", kTiles, i32(0)), test_prover());
  expect_related(d, {{"n", 6}}, 3);
  EXPECT_TRUE(not_applicable(d.current(), "transform-layout", layout("B", kTiles, i32(0))));
}

TEST(TransformLayoutPadding, WrapsAround) {
  auto first_row = +[](Expr io, Expr ii) -> std::vector<Expr> {
    return {i32(0), floormod(io * i32(4) + ii - i32(14), i32(4))};
  };
  for (const char* buffer : {"A", "B"}) {
    expect_related(parse(kDouble), transformed_at(buffer, kTiles, first_row, kFloat32));
  }
  expect_related(parse(kCaches), transformed_at("A_cache", kTiles, first_row, kFloat32));
}

// Each of these reads something that is not there (yet): the program that is refused meets an error when it runs.
TEST(TransformLayout, Condition6APadValueMustNotReadPadding) {
  auto own = +[](Expr io, Expr ii) -> std::vector<Expr> { return {io, ii}; };
  auto other = +[](Expr io, Expr ii) -> std::vector<Expr> { return {io, i32(5) - ii}; };
  auto outside = +[](Expr io, Expr ii) -> std::vector<Expr> { return {io + i32(1), ii}; };
  for (auto index : {own, other}) {
    std::optional<Refused> refused =
        refusal(parse(kCaches), "transform-layout", transformed_at("A_cache", kTiles, index, kFloat32));
    ASSERT_TRUE(refused);
    EXPECT_NE(refused->obligation.why.find("reads no padding"), std::string::npos) << refused->what();
  }
  std::optional<Refused> refused =
      refusal(parse(kCaches), "transform-layout", transformed_at("A_cache", kTiles, outside, kFloat32));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("a cell of the buffer"), std::string::npos) << refused->what();
  PrimFunc broken = proposed(parse(kCaches), "transform-layout", transformed_at("A_cache", kTiles, own, kFloat32));
  EXPECT_NE(difference(parse(kCaches), broken), "");
}

// What an allocation holds where nobody wrote it is nothing to pad with.
TEST(TransformLayout, Condition6APadValueMustReadWhatWasWritten) {
  const char* func = R"(
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    C = T.alloc_buffer((14,), "int32")
    for i in range(13):
        C[i + 1] = A[i]
    for i in range(13):
        B[i] = C[i + 1]
)";
  auto cell0 = +[](Expr, Expr) -> std::vector<Expr> { return {i32(0), i32(0)}; };
  auto cell1 = +[](Expr, Expr) -> std::vector<Expr> { return {i32(0), i32(1)}; };
  expect_refused_rightly(parse(func), "transform-layout", transformed_at("C", kTiles, cell0, kInt32), "written");
  expect_applies(func, "transform-layout", transformed_at("C", kTiles, cell1, kInt32), "");
}

// `ninf` says that no cell holds an infinity: padding that did would prove anything of what reads it.
TEST(TransformLayout, Condition8PadValuesKeepWhatFlagsPromise) {
  auto refused = [](const char* flags, const char* type, const Arg& pad) {
    std::string t = type;
    PrimFunc func = parse("def main(A: T.Buffer((14,), \"" + t + "\"), B: T.Buffer((14,), \"" + t +
                          "\")):\n    for i in range(14):\n        B[i] = A[i]\n");
    func.attrs["hexproof.fp"] = std::string(flags);
    return not_applicable(func, "transform-layout", layout("A", kTiles, pad));
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(refused("nsz", "float32", fimm(kFloat32, -infinity)));
  EXPECT_FALSE(refused("nnan", "float32", fimm(kFloat32, -infinity)));
  EXPECT_TRUE(refused("ninf", "float32", fimm(kFloat32, -infinity)));
  EXPECT_TRUE(refused("nnan ninf", "float32", std::string("T.undef()")));
  EXPECT_FALSE(refused("nnan ninf", "float32", fimm(kFloat32, 0.0)));
  EXPECT_FALSE(refused("nsz reassoc contract", "float32", std::string("T.undef()")));
  EXPECT_FALSE(refused("nnan ninf", "int8", std::string("T.undef()")));
}

// With X * Y + Z fused to 7.9999995 in one evaluation and rounded to 8.0 in the other, the cell [2, 3] is read:
// element 11.
TEST(TransformLayout, Condition9AnIndexThatIsLeftOpenIsUsedOnce) {
  auto applies = [](const char* flags, const char* map) {
    PrimFunc func = parse(R"(
def main(X: T.Buffer((3,), "float32"), A: T.Buffer((16, 1), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[T.Cast("int32", T.min(T.max(X[0] * X[1] + X[2], T.float32(0)), T.float32(15))), 0]
)");
    func.attrs["hexproof.fp"] = std::string(flags);
    return !not_applicable(func, "transform-layout", layout("A", map));
  };
  EXPECT_FALSE(applies("contract", "lambda i, j: [i // 4, i % 4]"));
  EXPECT_FALSE(applies("reassoc", "lambda i, j: [i // 4, i % 4]"));
  EXPECT_TRUE(applies("nsz", "lambda i, j: [i // 4, i % 4]"));
  EXPECT_TRUE(applies("contract", "lambda i, j: [j, i]"));
}

TEST(TransformLayoutPadding, PadValuesThatDoNotFit) {
  auto bad = [](const char* type, const Arg& pad) {
    std::string t = type;
    PrimFunc func = parse("def main(A: T.Buffer((14,), \"" + t + "\"), B: T.Buffer((14,), \"" + t +
                          "\")):\n    for i in range(14):\n        B[i] = A[i]\n");
    return not_applicable(func, "transform-layout", layout("A", kTiles, pad));
  };
  EXPECT_TRUE(bad("int8", i32(128)));
  EXPECT_FALSE(bad("int8", i32(-128)));
  EXPECT_FALSE(bad("int8", std::string("T.int32(-128)")));
  EXPECT_FALSE(bad("float32", std::string("T.float32(-0.0)")));
  EXPECT_FALSE(bad("float32", std::string("T.undef()")));
  EXPECT_TRUE(bad("int8", std::string("i + 1")));
  EXPECT_TRUE(bad("int8", std::string("")));
  EXPECT_TRUE(bad("uint8", i32(-1)));
  EXPECT_TRUE(bad("int32", fimm(kFloat32, 1.0)));
  EXPECT_TRUE(bad("float16", fimm(kFloat32, 1e6)));
  EXPECT_TRUE(bad("float16", i32(2049)));
  EXPECT_FALSE(bad("float16", i32(2048)));
  IndexMap two = index_map("lambda io, ii: [io, ii]"), one = index_map("lambda i: [i]");
  EXPECT_TRUE(bad("int32", two));
  EXPECT_TRUE(bad("int32", one));
  IndexMap free = index_map("lambda io, ii: [io]");
  free.outputs = {Expr(Var::fresh("n", kInt32))};
  EXPECT_TRUE(bad("int32", free));
  free.outputs = {call(kInt32, "rand", {free.inputs[0]})};
  EXPECT_TRUE(bad("int32", free));
}

// A function of the index is written as it is: 10 // (io - 3) divides by zero right in the padding.
TEST(TransformLayout, Condition6APadValueIsFreeOfErrors) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = A[i]
)");
  expect_related(func, layout("B", kTiles, index_map("lambda io, ii: [io * 100 + ii]")));
  expect_related(func, layout("A", kTiles, index_map("lambda io, ii: [io * 100 + ii]")));
  expect_related(func, layout("B", kTiles, index_map("lambda io, ii: [10 // (ii - 1)]")));
  std::optional<Refused> refused =
      refusal(func, "transform-layout", layout("B", kTiles, index_map("lambda io, ii: [10 // (io - 3)]")));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("computing the pad value"), std::string::npos);
}

}  // namespace transform_layout_padding_test
}  // namespace hexproof
