// elide-padding: a padded allocation as a view of memory without its padding.
#include "tests/rewrite/conditions.h"
#include "tests/rewrite/layouts/layouts.h"
#include "verify/check/check.h"

namespace hexproof {
namespace elide_padding_test {

constexpr const char* kTiles = "lambda i: [i // 4, i % 4]";

std::string copy_of(const std::string& type = "int32") {
  return "def main(X: T.Buffer((14,), \"" + type + "\"), Y: T.Buffer((14,), \"" + type +
         "\")):\n    A = T.alloc_buffer((14,), \"" + type +
         "\")\n    for i in range(14):\n        A[i] = X[i]\n    for i in range(14):\n        Y[i] = A[i]\n";
}

Args elide(const std::string& buffer, std::vector<Expr> shape, const std::string& map) {
  return {{"buffer", buffer}, {"shape", std::move(shape)}, {"map", index_map(map)}};
}

/// The program with its buffer A in tiles, padding that may be neither read nor relied on, or with that value.
Derivation tiled(const std::string& program, const std::string& map = kTiles, const std::optional<Arg>& pad = {}) {
  Derivation d(parse(program));
  Args args = layout("A", map);
  if (pad) args["pad_value"] = *pad;
  d.apply("transform-layout", args, test_prover());
  return d;
}

// RFC 77, "Unresolved questions", the listing on padding that is elided.
TEST(ElidePadding, AViewOfTheFlatBuffer) {
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    Derivation d = tiled(copy_of(type));
    d.apply("elide-padding", elide("A", {i32(14)}, kTiles), test_prover());
    std::string t = type;
    expect_program(d.current(), R"(
def main(X: T.Buffer((14,), ")" + t +
                                    R"("), Y: T.Buffer((14,), ")" + t + R"(")):
    A_backing = T.alloc_buffer((14,), ")" +
                                    t + R"(")
    A = T.decl_buffer((4, 4), ")" + t +
                                    R"(", data=A_backing.data)
    for i in range(14):
        A[i // 4, i % 4] = X[i]
    for i in range(14):
        Y[i] = A[i // 4, i % 4]
)");
    expect_related(d);
    EXPECT_EQ(check(d.current(), test_prover()).finding, Finding::Proved);
  }
}

// Loops over the tiles touch no padding only because of their guards.
TEST(ElidePadding, Condition2UnderTheGuardsOfEachAccess) {
  const std::string loops = R"(
def main(X: T.Buffer((14,), "int32"), Y: T.Buffer((14,), "int32")):
    A = T.alloc_buffer((4, 4), "int32")
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < BOUND:
            A[io, ii] = X[(io * 4 + ii) % 14]
    for i in range(14):
        Y[i] = A[i // 4, i % 4]
)";
  auto with = [&](const std::string& bound) {
    std::string text = loops;
    return parse(text.replace(text.find("BOUND"), 5, bound));
  };
  PrimFunc guarded = with("14");
  PrimFunc elided = applied(guarded, "elide-padding", elide("A", {i32(14)}, kTiles));
  EXPECT_EQ(difference(guarded, elided), "");
  // One cell too many: the write leaves the memory.
  PrimFunc wide = with("15"), tempting = proposed(wide, "elide-padding", elide("A", {i32(14)}, kTiles));
  std::optional<Refused> refused = refusal(wide, "elide-padding", elide("A", {i32(14)}, kTiles));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->obligation.why, "no access touches padding");
  EXPECT_NE(difference(wide, tempting), "");
  EXPECT_EQ(check(tempting, test_prover()).finding, Finding::Refuted);
  // Storage for 15 would do, but then the layout is not that of 15 elements in fours: it is, and holds.
  EXPECT_EQ(difference(wide, applied(wide, "elide-padding", elide("A", {i32(15)}, kTiles))), "");
}

// Padding that is filled, or computed over, is touched.
TEST(ElidePadding, Condition2PaddingThatIsTouched) {
  for (const Arg& pad : {Arg(i32(0)), Arg(undef(kInt32))}) {
    Derivation d = tiled(copy_of(), kTiles, pad);
    std::optional<Refused> refused = refusal(d.current(), "elide-padding", elide("A", {i32(14)}, kTiles));
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->obligation.why, "no access touches padding");
    PrimFunc tempting = proposed(d.current(), "elide-padding", elide("A", {i32(14)}, kTiles));
    EXPECT_NE(difference(d.current(), tempting), "") << "the stage writes behind the memory";
  }
  // Read only.
  PrimFunc reads = parse(R"(
def main(X: T.Buffer((16,), "int32"), Y: T.Buffer((16,), "int32")):
    A = T.alloc_buffer((4, 4), "int32")
    for i in range(14):
        A[i // 4, i % 4] = X[i]
    A[3, 2] = 0
    for i in range(15):
        Y[i] = A[i // 4, i % 4]
)");
  EXPECT_TRUE(refusal(reads, "elide-padding", elide("A", {i32(14)}, kTiles)));
  EXPECT_NE(difference(reads, proposed(reads, "elide-padding", elide("A", {i32(14)}, kTiles))), "");
}

TEST(ElidePadding, Condition1OnlyLayoutsThatKeepTheOrder) {
  // Columns first, and padding in front: the offset of an element is another one.
  for (const char* map : {"lambda i: [i % 4, i // 4]", "lambda i: [(i + 2) // 8, (i + 2) % 8]"}) {
    Derivation d = tiled(copy_of(), map);
    std::optional<Refused> refused = refusal(d.current(), "elide-padding", elide("A", {i32(14)}, map));
    ASSERT_TRUE(refused) << map;
    EXPECT_EQ(refused->obligation.why, "every element has the offset that it had");
    EXPECT_NE(difference(d.current(), proposed(d.current(), "elide-padding", elide("A", {i32(14)}, map))), "");
  }
  // Of two dimensions only the outer one can be cut into tiles.
  const std::string matrix = R"(
def main(X: T.Buffer((6, 5), "int32"), Y: T.Buffer((6, 5), "int32")):
    A = T.alloc_buffer((6, 5), "int32")
    for i, j in T.grid(6, 5):
        A[i, j] = X[i, j]
    for i, j in T.grid(6, 5):
        Y[i, j] = A[i, j]
)";
  Derivation outer = tiled(matrix, "lambda i, j: [i // 4, i % 4, j]");
  outer.apply("elide-padding", elide("A", {i32(6), i32(5)}, "lambda i, j: [i // 4, i % 4, j]"), test_prover());
  expect_related(outer);
  Derivation inner = tiled(matrix, "lambda i, j: [i, j // 4, j % 4]");
  EXPECT_TRUE(
      refusal(inner.current(), "elide-padding", elide("A", {i32(6), i32(5)}, "lambda i, j: [i, j // 4, j % 4]")));
}

TEST(ElidePadding, NotApplicable) {
  PrimFunc func = tiled(copy_of()).current();
  EXPECT_TRUE(not_applicable(func, "elide-padding", elide("X", {i32(14)}, kTiles))) << "an argument";
  EXPECT_TRUE(not_applicable(func, "elide-padding", elide("A", {i32(14)}, "lambda i: [i]"))) << "another box";
  Var foreign = Var::fresh("m", kInt32);
  EXPECT_TRUE(not_applicable(func, "elide-padding", elide("A", {Expr(foreign)}, kTiles))) << "an unknown extent";
  PrimFunc elided = applied(func, "elide-padding", elide("A", {i32(14)}, kTiles));
  EXPECT_TRUE(not_applicable(elided, "elide-padding", elide("A", {i32(14)}, kTiles))) << "it is a view already";
}

TEST(ElidePadding, InSchedules) {
  const std::string program = R"(
def main(a: T.handle, b: T.handle, n: T.int32):
    X = T.match_buffer(a, (n + 8,), "float32")
    Y = T.match_buffer(b, (n,), "float32")
    with T.block("root"):
        A = T.alloc_buffer((n,), "float32")
        for i in range(n):
            with T.block("copy"):
                v = T.axis.spatial(n, i)
                A[v] = X[v]
        for i in range(n):
            with T.block("compute"):
                v = T.axis.spatial(n, i)
                Y[v] = A[v] * T.float32(2)
)";
  auto schedule = [](const std::string& text) { return std::make_shared<const SourceFile>(SourceFile{"s.py", text}); };
  // Two layouts after each other are one.
  Derivation d(parse(program));
  run_schedule(d, test_prover(), schedule(R"(
sch.transform_layout("compute", "A", lambda i: [i // 8, i % 8])
sch.transform_layout("compute", "A", lambda io, ii: [io, ii // 4, ii % 4])
sch.elide_padding("compute", "A")
)"));
  std::string text = print(d.current());
  EXPECT_NE(text.find("A_backing = T.alloc_buffer((n,), \"float32\")"), std::string::npos) << text;
  EXPECT_NE(text.find("A = T.decl_buffer(((n + 7) // 8, 2, 4), \"float32\", data=A_backing.data)"), std::string::npos)
      << text;
  for (int64_t n : {0, 1, 7, 8, 13}) EXPECT_EQ(difference(d.source(), d.current(), {{"n", n}}), "");
  EXPECT_EQ(check(d.current(), test_prover()).finding, Finding::Proved);
  for (const char* wrong : {"sch.elide_padding(\"compute\", \"A\")\n", "sch.elide_padding(\"compute\", \"Y\")\n"}) {
    Derivation none(parse(program));
    EXPECT_THROW(run_schedule(none, test_prover(), schedule(wrong)), Error);
    EXPECT_TRUE(none.steps().empty());
  }
}

// The memory of the elements is a new one, with a size of its own.
TEST(ElidePadding, Condition3TheNumberOfElementsFits) {
  PrimFunc func = parse(R"(
def main(B: T.Buffer((16,), "int32"), n: T.int32):
    A = T.alloc_buffer((4, 4), "int32")
    B[0] = 1
)");
  Expr n(func.scalars()[0]);
  auto to = [](const Expr& cells) { return elide("A", {cells}, "lambda i: [i // 4, i % 4]"); };
  expect_refused_rightly(func, "elide-padding", to(n * n), "the number of elements fits its type", {{"n", 65536}});
  expect_refused_rightly(func, "elide-padding", to(binary(Op::Min, n, i32(14))), "", {{"n", -1}});
}

}  // namespace elide_padding_test
}  // namespace hexproof
