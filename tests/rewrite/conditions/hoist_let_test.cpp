#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace hoist_let_test {

Args let_out_of(const PrimFunc& func, const std::string& loop) {
  return {{"at", loop_named(func, loop)}, {"statement", nth<LetStmt>(func)}};
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

TEST(HoistLet, Condition2WhatTheLoopWrites) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        x: T.int32 = A[0] * 2
        A[i] = x + i
)");
  expect_refused_rightly(func, "hoist-let", let_out_of(func, "i"), "changes nothing");
}

TEST(HoistLet, Condition3AnErrorWhereTheLoopDoesNotRun) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    if n >= 0 and n <= 8:
        for i in range(n):
            x: T.int32 = 8 // n
            A[i] = x
)");
  expect_refused_rightly(func, "hoist-let", let_out_of(func, "i"), "is no error", {{"n", 0}});
}

// Each binding chose anew.
TEST(HoistLet, Condition4AnUndef) {
  PrimFunc undef = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        x: T.int32 = T.undef(dtype="int32")
        A[i] = x
)");
  EXPECT_TRUE(not_applicable(undef, "hoist-let", let_out_of(undef, "i")));
}

TEST(HoistLet, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        x: T.int32 = n + 1
        A[i] = x + i
)");
  expect_not_applicable(func, "hoist-let", {{"at", nth<LetStmt>(func)}, {"statement", nth<LetStmt>(func)}},
                        "stands there already");
  expect_not_applicable(func, "hoist-let", {{"at", loop_named(func, "i")}, {"statement", nth<Store>(func)}}, "a let");
  Args sum = {{"at", loop_named(func, "i")}, {"statement", nth<Store>(func)}, {"expr", Path{1}}};
  expect_not_applicable(func, "hoist-let", sum, "no T.Let");
}

// In front of the loop there is no i, and no cell of what the loop allocates.
TEST(HoistLet, Condition1WhatIsBoundInside) {
  const std::string text = R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        C = T.decl_buffer((1,), "int32")
        C[0] = n + i
        x: T.int32 = VALUE
        A[i] = x
)";
  auto with = [&](const std::string& value) {
    std::string out = text;
    return parse(out.replace(out.find("VALUE"), 5, value));
  };
  PrimFunc index = with("i + n"), memory = with("C[0] * 2"), sound = with("n // 3");
  expect_not_applicable(index, "hoist-let", let_out_of(index, "i"), "depends on 'i', which is bound inside");
  expect_not_applicable(memory, "hoist-let", let_out_of(memory, "i"), "which is bound inside");
  EXPECT_EQ(difference(sound, applied(sound, "hoist-let", let_out_of(sound, "i")), {{"n", 3}}), "");
  EXPECT_NE(difference(index, parse(R"(
def wrong(A: T.Buffer((8,), "int32"), n: T.int32):
    x: T.int32 = 0 + n
    for i in range(8):
        A[i] = x
)"),
                       {{"n", 3}}),
            "");
}

// One variable, two values: bound in front it would have one of them. (Text gives each T.Let a variable of its own.)
TEST(HoistLet, Condition5AVariableThatIsBoundTwice) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        A[i] = n
)");
  Expr n(func.scalars()[0]);
  Var x = Var::fresh("x", kInt32);
  auto bound = [&](const Expr& first, const Expr& second) {
    Store store = *stmt_at(func, nth<Store>(func)).as<Store>();
    store.value = let(x, first, Expr(x) + i32(1)) + let(x, second, Expr(x) + i32(2));
    return replace_at(func, nth<Store>(func), make_stmt(std::move(store), {}));
  };
  PrimFunc other = bound(floordiv(n, i32(2)), floordiv(n, i32(3))),
           same = bound(floordiv(n, i32(2)), floordiv(n, i32(2)));
  auto args = [](const PrimFunc& f) {
    return Args{{"at", loop_named(f, "i")}, {"statement", nth<Store>(f)}, {"expr", Path{1, 0}}};
  };
  expect_not_applicable_rightly(other, "hoist-let", args(other), "bound to something else", R"(
def wrong(A: T.Buffer((8,), "int32"), n: T.int32):
    x: T.int32 = n // 2
    for i in range(8):
        A[i] = x + 1 + (x + 2)
)",
                                {{"n", 6}});
  EXPECT_EQ(difference(same, applied(same, "hoist-let", args(same)), {{"n", 6}}), "");
}

}  // namespace hoist_let_test
}  // namespace hexproof
