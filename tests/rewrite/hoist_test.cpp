// The pass HoistExpression with its flags, and the traps on its way.
#include "rewrite/passes/passes.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace hoist_test {

/// The condition of the k-th if, or the root-th expression of a statement, out of the loop `loop`.
Args if_out_of(const PrimFunc& func, const std::string& loop, size_t k = 0, Path expr = {0}) {
  return {{"at", loop_named(func, loop)}, {"statement", nth<If>(func, k)}, {"expr", expr}};
}
Args let_out_of(const PrimFunc& func, const std::string& loop) {
  return {{"at", loop_named(func, loop)}, {"statement", nth<LetStmt>(func)}};
}

PrimFunc hoisted(const PrimFunc& func, uint8_t conditionals, uint8_t bindings, const Sizes& sizes = {}) {
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  hoist_expression(s, {conditionals, bindings, {}});
  EXPECT_EQ(difference(func, derivation.current(), sizes), "") << print(derivation.current());
  return derivation.current();
}
constexpr uint8_t kStmts = flags({HoistConditional::IfElseStmt});
constexpr uint8_t kBools = flags({HoistConditional::BooleanExpression});
constexpr uint8_t kNeeded = flags({HoistLetBinding::RequiredByConditional});

// Trap 7, the incorrectly hoisted example of RFC 0077.
TEST(Trap, 07_a_condition_that_a_let_binds) {
  const std::string text = R"(
def before(A: T.Buffer((4,), "TYPE"), n: T.int32):
    for i in range(4):
        is_in_bounds: T.bool = VALUE
        if is_in_bounds:
            A[i] = T.TYPE(0)
)";
  auto with = [&](std::string value, const std::string& type) {
    std::string out = text;
    out.replace(out.find("VALUE"), 5, value);
    for (size_t at; (at = out.find("TYPE")) != std::string::npos;) out.replace(at, 4, type);
    return parse(out);
  };
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    PrimFunc func = with("i < 3", type);
    EXPECT_TRUE(not_applicable(func, "hoist-condition", if_out_of(func, "i")));
    EXPECT_TRUE(not_applicable(func, "hoist-let", let_out_of(func, "i")));
    EXPECT_EQ(print(hoisted(func, kStmts, kNeeded, {{"n", 2}})), print(func));
    // The sound sibling: what is bound is the same in every iteration.
    PrimFunc same = with("n < 3", type);
    EXPECT_TRUE(not_applicable(same, "hoist-condition", if_out_of(same, "i")));
    PrimFunc out = hoisted(same, kStmts, kNeeded, {{"n", 2}});
    std::string after = print(out);
    EXPECT_LT(after.find("is_in_bounds"), after.find("for i")) << after;
    EXPECT_LT(after.find("if is_in_bounds"), after.find("for i")) << after;
    // Without the flag nothing moves.
    EXPECT_EQ(print(hoisted(same, kStmts, 0, {{"n", 2}})), print(same));
  }
  // What the wrong hoisting computes.
  PrimFunc func = with("i < 3", "int32"), wrong = parse(R"(
def before(A: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        A[i] = 0
)");
  EXPECT_NE(difference(func, wrong, {{"n", 2}}), "");
}

// Trap 6: the loop may run zero times.
TEST(Trap, 06_a_hoisted_condition_that_would_be_an_error) {
  const std::string text = R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    if LOW <= n and n <= 8:
        for i in range(n):
            if CONDITION:
                A[i] = 1
)";
  auto with = [&](const std::string& low, const std::string& condition) {
    std::string out = text;
    out.replace(out.find("LOW"), 3, low);
    out.replace(out.find("CONDITION"), 9, condition);
    return parse(out);
  };
  auto args = [](const PrimFunc& func) { return if_out_of(func, "i", 1); };
  PrimFunc divides = with("0", "8 // n > 2"), positive = with("1", "8 // n > 2");
  expect_refused_rightly(divides, "hoist-condition", args(divides), "is no error", {{"n", 0}});
  for (int64_t n : {1, 3}) {
    EXPECT_EQ(difference(positive, applied(positive, "hoist-condition", args(positive)), {{"n", n}}), "");
  }
  PrimFunc reads = with("0", "B[n - 1] > 0"), in_bounds = with("1", "B[n - 1] > 0");
  expect_refused_rightly(reads, "hoist-condition", args(reads), "the loop runs", {{"n", 0}});
  for (int64_t n : {1, 8}) {
    EXPECT_EQ(difference(in_bounds, applied(in_bounds, "hoist-condition", args(in_bounds)), {{"n", n}}), "");
  }
}

TEST(HoistExpression, AsFarAsItGoes) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 4, 4), "int32"), n: T.int32):
    for i, j, k in T.grid(4, 4, 4):
        if n > 2:
            if i < j:
                A[i, j, k] = 1
)");
  expect_program(hoisted(func, kStmts, 0, {{"n", 3}}), R"(
def after(A: T.Buffer((4, 4, 4), "int32"), n: T.int32):
    if n > 2:
        for i, j in T.grid(4, 4):
            if i < j:
                for k in range(4):
                    A[i, j, k] = 1
)");
}

TEST(HoistExpression, FlagsChoose) {
  const char* text = R"(
def before(A: T.Buffer((4, 4), "int32"), n: T.int32):
    for i, j in T.grid(4, 4):
        A[i, j] = T.if_then_else(n > 2, 1, 2)
)";
  PrimFunc func = parse(text);
  EXPECT_EQ(print(hoisted(func, kStmts, 0, {{"n", 3}})), print(func));
  EXPECT_EQ(print(hoisted(func, 0, 0, {{"n", 3}})), print(func));
  for (uint8_t f : {flags({HoistConditional::IfElseExpr}), kBools}) {
    expect_program(hoisted(func, f, 0, {{"n", 3}}), R"(
def after(A: T.Buffer((4, 4), "int32"), n: T.int32):
    if n > 2:
        for i, j in T.grid(4, 4):
            A[i, j] = 1
    else:
        for i, j in T.grid(4, 4):
            A[i, j] = 2
)");
  }
}

TEST(HoistExpression, BlockVariables) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        with T.block("A"):
            vi, vj = T.axis.remap("SS", [i, j])
            if vi < 2:
                A[vi, vj] = 1
)");
  EXPECT_EQ(print(hoisted(func, kStmts, 0)), print(func));
  std::string after = print(hoisted(func, flags({HoistConditional::IfElseStmt, HoistConditional::UsingBlockVar}), 0));
  EXPECT_LT(after.find("if i < 2"), after.find("for j")) << after;
}

}  // namespace hoist_test
}  // namespace hexproof
