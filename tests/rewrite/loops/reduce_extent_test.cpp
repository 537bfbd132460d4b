#include "rewrite/passes/passes.h"
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace reduce_extent_test {

Args loop(const PrimFunc& func, const std::string& name = "i") { return {{"at", loop_named(func, name)}}; }
Args range(const PrimFunc& func, int64_t min, int64_t extent, const std::string& name = "i") {
  return {{"at", loop_named(func, name)}, {"min", min}, {"extent", extent}};
}

PrimFunc reduced(const PrimFunc& func) {
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  reduce_loop_extents(s);
  EXPECT_EQ(difference(func, derivation.current()), "") << print(derivation.current());
  return derivation.current();
}

TEST(ReduceExtent, AComparisonWithAConstant) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 5:
            A[i] = 1
)";
  expect_applies(text, "reduce-extent", loop(parse(text)), R"(
def after(A: T.Buffer((16,), "int32")):
    for i in range(5):
        if i < 5:
            A[i] = 1
)");
}

TEST(ReduceExtent, BothEndsAndAConjunctOnData) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if 2 * i >= 7 and i // 4 < 3 and A[i] > 0:
            A[i] = 0
)";
  expect_applies(text, "reduce-extent", loop(parse(text)), R"(
def after(A: T.Buffer((16,), "int32")):
    for i in range(4, 12):
        if 2 * i >= 7 and i // 4 < 3 and A[i] > 0:
            A[i] = 0
)");
}

TEST(ReduceExtent, SymbolicBounds) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        if i < n and i + 3 >= n:
            A[i] = 1
)";
  // Whether n - 3 is an int32 is not known: nothing promises that n is not the least one.
  EXPECT_TRUE(refusal(parse(text), "reduce-extent", loop(parse(text))));
  const char* bounded = R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    if n >= 0 and n < 100:
        for i in range(16):
            if i < n and i + 3 >= n:
                A[i] = 1
)";
  PrimFunc func = parse(bounded), after = applied(func, "reduce-extent", loop(func));
  EXPECT_EQ(print(after).find("range(16)"), std::string::npos) << print(after);
  for (int64_t n : {0, 2, 7, 16, 18, 40}) EXPECT_EQ(difference(func, after, {{"n", n}}), "") << print(after);
}

TEST(ReduceExtent, TheLoopsOfPadding) {
  // RFC 0077: the loop over io goes, and ii runs from 2.
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 4), "float32")):
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= 14:
            A[io, ii] = T.float32(0)
)");
  expect_program(reduced(func), R"(
def after(A: T.Buffer((4, 4), "float32")):
    for ii in range(2, 4):
        A[3, ii] = T.float32(0)
)");
}

TEST(ReduceExtent, AfterHoisting) {
  // RFC 0077: "for i, j: if i == 0 and j < 2".
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 4), "float32")):
    for i, j in T.grid(4, 4):
        if i == 0 and j < 2:
            A[i, j] = T.float32(0)
)");
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  hoist_expression(s, {flags({HoistConditional::BooleanExpression}), 0, {}});
  expect_program(derivation.current(), R"(
def hoisted(A: T.Buffer((4, 4), "float32")):
    for i in range(4):
        if i == 0:
            for j in range(4):
                if j < 2:
                    A[i, j] = T.float32(0)
)");
  reduce_loop_extents(s);
  expect_program(derivation.current(), R"(
def after(A: T.Buffer((4, 4), "float32")):
    for j in range(2):
        A[0, j] = T.float32(0)
)");
  EXPECT_EQ(difference(func, derivation.current()), "");
}

TEST(ReduceExtent, NothingIsLeft) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if i >= 6:
            A[i] = 0
    B[0] = 1
)");
  expect_program(reduced(func), R"(
def after(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    B[0] = 1
)");
}

// 1. Iterations that do something are kept, at either end.
TEST(ReduceExtent, Condition1TooSmallARange) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int8")):
    for i in range(16):
        if i >= 3 and i < 9:
            A[i] = T.int8(1)
)");
  expect_refused_rightly(func, "reduce-extent", range(func, 3, 5), "every iteration that does something");
  expect_refused_rightly(func, "reduce-extent", range(func, 4, 5), "every iteration that does something");
  applied(func, "reduce-extent", range(func, 3, 6));
  applied(func, "reduce-extent", range(func, 2, 9));
}

// 2. No iteration is new.
TEST(ReduceExtent, Condition2ALargerRange) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(8):
        if i >= 2:
            A[i] = 1
)");
  expect_refused_rightly(func, "reduce-extent", range(func, 2, 8), "the new range lies in the old one");
}

// 4. An else runs exactly where the condition does not hold.
TEST(ReduceExtent, Condition4AnElse) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 5:
            A[i] = 1
        else:
            A[i] = 2
)");
  EXPECT_TRUE(not_applicable(func, "reduce-extent", loop(func)));
  expect_refused_rightly(func, "reduce-extent", range(func, 0, 5), "every iteration that does something");
}

TEST(ReduceExtent, AStatementBesidesTheIf) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 2
        if i < 5:
            A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "reduce-extent", loop(func)));
  expect_refused_rightly(func, "reduce-extent", range(func, 0, 5), "every iteration that does something");
}

TEST(ReduceExtent, TheInitOfABlockRunsBeforeItsIf) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            with T.init():
                C[vi] = 0
            if vi < 5:
                C[vi] = C[vi] + A[vi]
)");
  EXPECT_TRUE(not_applicable(func, "reduce-extent", loop(func)));
  expect_refused_rightly(func, "reduce-extent", range(func, 0, 5), "every iteration that does something");
}

TEST(ReduceExtent, AWhereOfABlock) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("C"):
            vi = T.axis.spatial(16, i)
            T.where(i < 5)
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi]
)");
  PrimFunc after = applied(func, "reduce-extent", loop(func));
  EXPECT_NE(print(after).find("range(5)"), std::string::npos) << print(after);
  EXPECT_EQ(difference(func, after), "");
}

// 5. Vectorized loops.
TEST(ReduceExtent, Condition5AVectorizedLoop) {
  const std::string text = R"(
def before(A: T.Buffer((16,), "int32")):
    for i in T.KIND(16):
        if i < 5:
            A[i] = 1
)";
  auto with = [&](const std::string& kind) {
    std::string out = text;
    return parse(out.replace(out.find("KIND"), 4, kind));
  };
  EXPECT_TRUE(not_applicable(with("vectorized"), "reduce-extent", loop(with("vectorized"))));
  PrimFunc parallel = with("parallel");
  EXPECT_EQ(difference(parallel, applied(parallel, "reduce-extent", loop(parallel))), "");
}

// 3. New bounds are evaluated in front of the loop, once.
TEST(ReduceExtent, Condition3ABoundThatIsAnError) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        if i < 0:
            A[i] = 1
)");
  Expr n(func.scalars()[0]);
  auto args = [&](const Expr& min, const Expr& extent) {
    return Args{{"at", loop_named(func, "i")}, {"min", min}, {"extent", extent}};
  };
  Expr square = binary(Op::Min, binary(Op::Max, n * n, i32(0)), i32(8));
  expect_refused_rightly(func, "reduce-extent", args(square, i32(4)), "the new start of the loop is no error",
                         {{"n", 65536}});
  expect_refused_rightly(func, "reduce-extent", args(i32(0), square), "the new extent of the loop is no error",
                         {{"n", 65536}});
  Expr bounded = binary(Op::Min, binary(Op::Max, n, i32(0)), i32(8));
  EXPECT_EQ(difference(func, applied(func, "reduce-extent", args(bounded, i32(4))), {{"n", 65536}}), "");
}

TEST(ReduceExtent, Condition3ABoundThatIsData) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), N: T.Buffer((1,), "int32")):
    for i in range(16):
        if i < N[0]:
            A[i] = 1
)");
  Expr cell = load(func.buffer_params()[1], {i32(0)});
  expect_not_applicable(func, "reduce-extent", {{"at", loop_named(func, "i")}, {"min", i32(0)}, {"extent", cell}},
                        "depends on the content of a buffer");
  EXPECT_NE(difference(func, parse(R"(
def wrong(A: T.Buffer((16,), "int32"), N: T.Buffer((1,), "int32")):
    for i in range(N[0]):
        if i < N[0]:
            A[i] = 1
)")),
            "");
}

}  // namespace reduce_extent_test
}  // namespace hexproof
