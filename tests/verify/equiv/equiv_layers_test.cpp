// Interface relations of several layers, and pad values that depend on the index or are cells of the buffer itself.
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"

namespace hexproof {
namespace equiv_layers_test {

constexpr const char* kBefore = R"(
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = A[i] * 2
)";
/// The same with B as (2, 4), and STAGE behind it.
std::string packed(const std::string& stage) {
  std::string text = R"(
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((2, 4), "int32")):
    for i in range(6):
        B[i // 4, i % 4] = A[i] * 2
)";
  return text + stage;
}

Buffer box(std::vector<int> shape, DType type = kInt32) {
  std::vector<Expr> extents;
  for (int n : shape) extents.push_back(i32(n));
  return make_buffer("box", type, extents);
}

Var index(const char* name) { return Var::fresh(name, kInt32); }

/// lambda i: [i // 4, i % 4] into (2, 4), with this padding.
LayoutChange tiles(Padding::Kind kind, const std::function<Expr(const Buffer&, const Expr&, const Expr&)>& pad = {}) {
  Var i = index("i");
  LayoutChange layer{.before = box({6}),
                     .after = box({2, 4}),
                     .map = {{i}, {floordiv(Expr(i), i32(4)), floormod(Expr(i), i32(4))}, {}},
                     .padding = {.kind = kind}};
  if (!pad) return layer;
  layer.padding.indices = {index("io"), index("ii")};
  layer.padding.value = pad(layer.after, Expr(layer.padding.indices[0]), Expr(layer.padding.indices[1]));
  return layer;
}
RelationRequest of(const std::string& name, std::vector<LayoutChange> layers) {
  RelationRequest out;
  out.layers.emplace(name, std::move(layers));
  return out;
}

/// Both methods; a wrong pair is refuted by one and not proved by the other.
void proved(const std::string& before, const std::string& after, const RelationRequest& request,
            bool parametric = true) {
  EXPECT_PROVED(before, after, request);
  Prover prover;
  Evidence e = equiv_parametric(pair_programs(parse(before), parse(after), request), prover);
  EXPECT_TRUE(!parametric || e.finding == Finding::Proved) << e.says;
}
void refuted(const std::string& before, const std::string& after, const RelationRequest& request) {
  EXPECT_REFUTED(before, after, request);
  Prover prover;
  Evidence e = equiv_parametric(pair_programs(parse(before), parse(after), request), prover);
  EXPECT_NE(e.finding, Finding::Proved) << after;
}

TEST(EquivLayers, APadValueOfTheIndex) {
  RelationRequest request = of(
      "B",
      {tiles(Padding::Kind::Value, [](const Buffer&, const Expr& io, const Expr& ii) { return io * i32(10) + ii; })});
  proved(kBefore, packed("    for j in range(2, 4):\n        B[1, j] = 10 + j\n"), request);
  refuted(kBefore, packed("    for j in range(2, 4):\n        B[1, j] = 11 + j\n"), request);
  refuted(kBefore, packed(""), request);
  // Nobody looks at padding that is not observed.
  request.logical_only = {"B"};
  proved(kBefore, packed(""), request);
}

TEST(EquivLayers, APadValueThatIsACell) {
  auto wrap = [](const Buffer& b, const Expr& io, const Expr& ii) {
    return load(b, {i32(0), floormod(io * i32(4) + ii - i32(6), i32(4))});
  };
  RelationRequest request = of("B", {tiles(Padding::Kind::Value, wrap)});
  proved(kBefore, packed("    for j in range(2, 4):\n        B[1, j] = B[0, j - 2]\n"), request);
  proved(kBefore, packed("    for j in range(2):\n        B[1, j + 2] = A[j] * 2\n"), request);
  refuted(kBefore, packed("    for j in range(2, 4):\n        B[1, j] = B[0, j - 1]\n"), request);
  // Of what is only read, the padding holds it from the start.
  const char* sum = R"(
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = A[0] + A[1]
)";
  const char* from_padding = R"(
def f(A: T.Buffer((2, 4), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = A[1, 2] + A[1, 3]
)";
  RelationRequest of_input = of("A", {tiles(Padding::Kind::Value, wrap)});
  proved(sum, from_padding, of_input);
  refuted(sum, "def f(A: T.Buffer((2, 4), 'int32'), B: T.Buffer((1,), 'int32')):\n    B[0] = A[1, 1] + A[1, 3]\n",
          of_input);
  refuted(sum, from_padding, of("A", {tiles(Padding::Kind::Undefined)}));
  refuted(sum, from_padding, of("A", {tiles(Padding::Kind::Unreadable)}));
}

/// Six elements after two in front of them, which hold 7; then rows of five, whose padding is `last`.
std::vector<LayoutChange> shifted_rows(Padding::Kind last) {
  Var i = index("i"), j = index("j");
  LayoutChange shift{.before = box({6}),
                     .after = box({8}),
                     .map = {{i}, {Expr(i) + i32(2)}, {}},
                     .padding = {.kind = Padding::Kind::Value, .value = i32(7)}};
  LayoutChange rows{.before = shift.after,
                    .after = box({2, 5}),
                    .map = {{j}, {floordiv(Expr(j), i32(5)), floormod(Expr(j), i32(5))}, {}},
                    .padding = {.kind = last}};
  if (last == Padding::Kind::Value) rows.padding.value = i32(9);
  return {shift, rows};
}

TEST(EquivLayers, LayersHaveTheirOwnPadding) {
  auto after = [](const std::string& stage) {
    std::string text = R"(
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((2, 5), "int32")):
    for i in range(6):
        B[(i + 2) // 5, (i + 2) % 5] = A[i] * 2
)";
    return text + stage;
  };
  const std::string seven = "    for j in range(2):\n        B[0, j] = 7\n";
  const std::string nine = "    for j in range(2):\n        B[1, 3 + j] = 9\n";
  // The parametric method does not ask which layer brought a cell.
  proved(kBefore, after(seven + nine), of("B", shifted_rows(Padding::Kind::Value)), false);
  for (Padding::Kind free : {Padding::Kind::Undefined, Padding::Kind::Unreadable}) {
    proved(kBefore, after(seven), of("B", shifted_rows(free)), false);
    refuted(kBefore, after(nine), of("B", shifted_rows(free)));
  }
  refuted(kBefore, after(seven), of("B", shifted_rows(Padding::Kind::Value)));
  refuted(kBefore, after(nine + "    for j in range(2):\n        B[0, j] = 9\n"),
          of("B", shifted_rows(Padding::Kind::Value)));
}

TEST(EquivLayers, PaddingOfAnInputByLayers) {
  const char* constant = "def f(A: T.Buffer((6,), 'int32'), B: T.Buffer((1,), 'int32')):\n    B[0] = VALUE\n";
  auto reads = [](const std::string& cell) {
    return "def f(A: T.Buffer((2, 5), 'int32'), B: T.Buffer((1,), 'int32')):\n    B[0] = A[" + cell + "]\n";
  };
  auto value = [&](const std::string& text) {
    std::string out = constant;
    return out.replace(out.find("VALUE"), 5, text);
  };
  proved(value("7"), reads("0, 1"), of("A", shifted_rows(Padding::Kind::Value)), false);
  proved(value("9"), reads("1, 4"), of("A", shifted_rows(Padding::Kind::Value)), false);
  proved(value("A[0]"), reads("0, 2"), of("A", shifted_rows(Padding::Kind::Value)), false);
  proved(value("7"), reads("0, 1"), of("A", shifted_rows(Padding::Kind::Unreadable)), false);
  for (Padding::Kind kind : {Padding::Kind::Value, Padding::Kind::Undefined, Padding::Kind::Unreadable}) {
    refuted(value("7"), reads("1, 4"), of("A", shifted_rows(kind)));
    refuted(value("9"), reads("0, 0"), of("A", shifted_rows(kind)));
  }
}

TEST(EquivLayers, WhatDoesNotFit) {
  auto pairing = [](const RelationRequest& request) {
    return pair_programs(parse(kBefore), parse(packed("")), request);
  };
  EXPECT_NO_THROW(pairing(of("B", {tiles(Padding::Kind::Unreadable)})));
  EXPECT_THROW(pairing(of("B", {})), Error);
  EXPECT_THROW(pairing(of("C", {tiles(Padding::Kind::Unreadable)})), Error);
  EXPECT_THROW(pairing(of("B", shifted_rows(Padding::Kind::Unreadable))), Error);
  LayoutChange untyped = tiles(Padding::Kind::Value);
  EXPECT_THROW(pairing(of("B", {untyped})), Error);
  untyped.padding.value = imm(kInt64, 0);
  EXPECT_THROW(pairing(of("B", {untyped})), Error);
  // It reads padding; it is outside; it computes with cells.
  auto padded = [&](const std::function<Expr(const Buffer&, const Expr&, const Expr&)>& pad) {
    return of("B", {tiles(Padding::Kind::Value, pad)});
  };
  EXPECT_THROW(pairing(padded([](const Buffer& b, const Expr&, const Expr&) {
                 return load(b, {i32(1), i32(3)});
               })),
               Error);
  EXPECT_THROW(pairing(padded([](const Buffer& b, const Expr&, const Expr& ii) {
                 return load(b, {i32(0), ii + i32(2)});
               })),
               Error);
  EXPECT_THROW(pairing(padded([](const Buffer& b, const Expr&, const Expr&) {
                 return load(b, {i32(0), i32(0)}) + i32(1);
               })),
               Unsupported);
}

// A buffer that keeps its layout, with padding that nobody filled: what is read of it may not matter, and is an error.
TEST(EquivLayers, UnfilledPadding) {
  auto program = [](const std::string& attr, const std::string& value) {
    std::string text = "def f(A: T.Buffer((2, 4), 'int32'), B: T.Buffer((1,), 'int32')):\n";
    if (!attr.empty()) text += "    T.func_attr({\"hexproof.padding.0\": \"" + attr + "\"})\n";
    return parse(text + "    B[0] = " + value + "\n");
  };
  const std::string padding = "lambda io, ii: io * 4 + ii >= 6";
  Prover prover;
  auto finding = [&](const PrimFunc& before, const PrimFunc& after) {
    return equiv(pair_programs(before, after), prover).finding;
  };
  EXPECT_EQ(finding(program(padding, "A[1, 1]"), program(padding, "A[1, 1] + 0 * A[1, 0]")), Finding::Proved);
  for (const std::string& attr : {padding, std::string()}) {
    EXPECT_EQ(finding(program(padding, "A[1, 1]"), program(attr, "A[1, 1] + 0 * A[1, 2]")), Finding::Refuted) << attr;
  }
  EXPECT_EQ(finding(program("", "A[1, 1]"), program("", "A[1, 1] + 0 * A[1, 2]")), Finding::Proved);
}

TEST(EquivLayers, SymbolicSizes) {
  const char* before = R"(
def f(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = A[i]
)";
  std::string after = R"(
def f(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, ((n + 3) // 4, 4), "int32")
    for i in range(n):
        B[i // 4, i % 4] = A[i]
    for io, ii in T.grid((n + 3) // 4, 4):
        if io * 4 + ii >= n:
            B[io, ii] = io + ii
)";
  ProgramPair pair = pair_programs(parse(after), parse(after));
  const Buffer box = pair.before.buffer_params().at(1);
  LayoutChange layer =
      tiles(Padding::Kind::Value, [](const Buffer&, const Expr& io, const Expr& ii) { return io + ii; });
  layer.after = box;
  Prover prover;
  Evidence e = equiv_parametric(pair_programs(parse(before), pair.before, of("B", {layer})), prover);
  EXPECT_EQ(e.finding, Finding::Proved) << e.says;
  layer.padding.value = layer.padding.value + i32(1);
  e = equiv_parametric(pair_programs(parse(before), pair.before, of("B", {layer})), prover);
  EXPECT_NE(e.finding, Finding::Proved);
}

}  // namespace equiv_layers_test
}  // namespace hexproof
