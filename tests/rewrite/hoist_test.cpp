// hoist-condition, hoist-let, and the pass HoistExpression with its flags.
#include "rewrite/passes/passes.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

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

TEST(HoistCondition, WithAnElse) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        if n > 3:
            A[i] = T.float32(1)
        else:
            A[i] = T.float32(2)
)";
  expect_applies(text, "hoist-condition", if_out_of(parse(text), "i"), R"(
def after(A: T.Buffer((16,), "float32"), n: T.int32):
    if n > 3:
        for i in range(16):
            A[i] = T.float32(1)
    else:
        for i in range(16):
            A[i] = T.float32(2)
)",
                 {{"n", 4}});
}

TEST(HoistCondition, APartOfACondition) {
  const char* text = R"(
def before(A: T.Buffer((4, 4), "int8")):
    for i, j in T.grid(4, 4):
        if i == 0 and j < 2:
            A[i, j] = T.int8(0)
)";
  expect_applies(text, "hoist-condition", if_out_of(parse(text), "j", 0, {0, 0}), R"(
def after(A: T.Buffer((4, 4), "int8")):
    for i in range(4):
        if i == 0:
            for j in range(4):
                if j < 2:
                    A[i, j] = T.int8(0)
)");
}

TEST(HoistCondition, EachOccurrence) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        if n > 3:
            A[i] = 1
        B[i] = T.if_then_else(n > 3, A[i], 7) + T.Select(n > 3 or i < 2, 1, 0)
)";
  for (int64_t n : {2, 5}) {
    expect_applies(text, "hoist-condition", if_out_of(parse(text), "i"), R"(
def after(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), n: T.int32):
    if n > 3:
        for i in range(16):
            A[i] = 1
            B[i] = A[i] + 1
    else:
        for i in range(16):
            B[i] = 7 + T.Select(i < 2, 1, 0)
)",
                   {{"n", n}});
  }
}

TEST(HoistCondition, OnDataThatTheLoopLeavesAlone) {
  const std::string text = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if B[3] > 0:
            TARGET[i] = 1
)";
  auto with = [&](const std::string& target) {
    std::string out = text;
    return out.replace(out.find("TARGET"), 6, target);
  };
  expect_applies(with("A"), "hoist-condition", if_out_of(parse(with("A")), "i"), R"(
def after(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    if B[3] > 0:
        for i in range(16):
            A[i] = 1
)");
  // 2. A cell that the loop writes.
  PrimFunc changes = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if B[3] > 0:
            B[i] = 0
        else:
            A[i] = 1
)");
  expect_refused_rightly(changes, "hoist-condition", if_out_of(changes, "i"), "changes nothing");
}

// 1. A condition that depends on what is bound inside.
TEST(HoistCondition, DependsOnTheLoop) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 3:
            A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "hoist-condition", if_out_of(func, "i")));
}

// Data wraps, arithmetic on indices may not overflow: what is chosen by data stays data.
TEST(HoistCondition, ArithmeticOnDataStaysThat) {
  const std::string text = R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "uint32")):
    for i in range(4):
        B[i] = VALUE
)";
  auto with = [&](const std::string& value) {
    std::string out = text;
    return parse(out.replace(out.find("VALUE"), 5, value));
  };
  auto condition = [](const PrimFunc& func, Path expr) {
    return Args{{"at", loop_named(func, "i")}, {"statement", nth<Store>(func)}, {"expr", std::move(expr)}};
  };
  PrimFunc wraps = with("T.uint32(4294967295) * T.if_then_else(A[0] > 0, T.uint32(3), T.uint32(5))");
  PrimFunc after = applied(wraps, "hoist-condition", condition(wraps, {1, 1, 0}));
  EXPECT_NE(print(after).find("T.wrap(T.uint32(4294967295) * T.uint32(5))"), std::string::npos) << print(after);
  EXPECT_EQ(difference(wraps, after), "");
  PrimFunc chosen = with("T.if_then_else(A[0] > 0, T.uint32(3), T.uint32(5))");
  applied(chosen, "hoist-condition", condition(chosen, {1, 0}));
}

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

TEST(HoistCondition, ReadsUnderAnotherCondition) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        if n >= 0 and n < 8:
            if B[n] > 0:
                A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "hoist-condition", if_out_of(func, "i", 1)));
  EXPECT_NE(difference(func, parse(R"(
def wrong(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    if B[n] > 0:
        for i in range(8):
            if n >= 0 and n < 8:
                A[i] = 1
)"),
                       {{"n", 9}}),
            "");
}

TEST(HoistCondition, Undef) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = T.Select(T.undef(dtype="int32") > 0, 1, 2)
)");
  Args args = {{"at", loop_named(func, "i")}, {"statement", nth<Store>(func)}, {"expr", Path{1, 0}}};
  EXPECT_TRUE(not_applicable(func, "hoist-condition", args));
}

TEST(HoistCondition, OutOfAParallelLoopWithBlocks) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in T.parallel(8):
        if n > 0:
            with T.block("A"):
                vi = T.axis.spatial(8, i)
                A[vi] = 1
        else:
            with T.block("B"):
                vj = T.axis.spatial(8, i)
                A[vj] = 2
)");
  PrimFunc after = applied(func, "hoist-condition", if_out_of(func, "i"));
  for (int64_t n : {0, 1}) EXPECT_EQ(difference(func, after, {{"n", n}}), "") << print(after);
}

TEST(HoistLet, AStatementAndAnExpression) {
  const char* statement = R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        x: T.int32 = B[0] * 2
        A[i] = x + i
)";
  expect_applies(statement, "hoist-let", let_out_of(parse(statement), "i"), R"(
def after(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    x: T.int32 = B[0] * 2
    for i in range(8):
        A[i] = x + i
)");
  PrimFunc expression = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    x = T.int32()
    for i in range(8):
        A[i] = T.Let(x + x, where={x: n // 2}) + i
)");
  Args args = {{"at", loop_named(expression, "i")}, {"statement", nth<Store>(expression)}, {"expr", Path{1, 0}}};
  PrimFunc after = applied(expression, "hoist-let", args);
  EXPECT_LT(print(after).find("n // 2"), print(after).find("for i")) << print(after);
  EXPECT_EQ(difference(expression, after, {{"n", 7}}), "");
}

TEST(HoistLet, WhatTheLoopWrites) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        x: T.int32 = A[0] * 2
        A[i] = x + i
)");
  expect_refused_rightly(func, "hoist-let", let_out_of(func, "i"), "changes nothing");
}

TEST(HoistLet, AnErrorWhereTheLoopDoesNotRun) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    if n >= 0 and n <= 8:
        for i in range(n):
            x: T.int32 = 8 // n
            A[i] = x
)");
  expect_refused_rightly(func, "hoist-let", let_out_of(func, "i"), "is no error", {{"n", 0}});
  PrimFunc undef = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        x: T.int32 = T.undef(dtype="int32")
        A[i] = x
)");
  EXPECT_TRUE(not_applicable(undef, "hoist-let", let_out_of(undef, "i")));
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

}  // namespace
}  // namespace hexproof
