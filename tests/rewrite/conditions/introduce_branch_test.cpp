#include "rewrite/passes/passes.h"
#include "tests/rewrite/conditions.h"
#include "tests/support/put.h"

namespace hexproof {
namespace introduce_branch_test {

PrimFunc passed(const PrimFunc& func, int (*pass)(Strategy&)) {
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  pass(s);
  EXPECT_EQ(difference(func, derivation.current(), {}, 60), "") << print(derivation.current());
  return derivation.current();
}
PrimFunc overcomputed(const PrimFunc& func) {
  return passed(func, [](Strategy& s) { return remove_branching_through_overcompute(s); });
}
Expr var_of(const PrimFunc& func, const std::string& loop) {
  return Expr(stmt_at(func, loop_named(func, loop)).as<For>()->var);
}
size_t ifs(const PrimFunc& func) {
  return find_all(func, [](const Stmt& s) { return s.as<If>() != nullptr; }).size();
}

TEST(IntroduceBranch, WhatIsOverwrittenAnyway) {
  // RFC 0077, "Remove Overcompute Through Branching".
  const std::string text = R"(
def f(A: T.Buffer((5, 4), "TYPE"), F: T.Buffer((3,), "TYPE"), B: T.Buffer((4, 4), "TYPE")):
    for io, ii in T.grid(4, 4):
        B[io, ii] = T.TYPE(0)
        for f in range(3):
            B[io, ii] = B[io, ii] + F[f] * A[io + (ii + f) // 4, (ii + f) % 4]
    READ
    for io, ii in T.grid(4, 4):
        if io == 3 and ii >= 2:
            B[io, ii] = T.TYPE(0)
)";
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    PrimFunc func = parse(put(put(text, "TYPE", type), "    READ\n", ""));
    Derivation derivation(func);
    Strategy s(derivation, test_prover());
    EXPECT_EQ(remove_overcompute_through_branching(s), 1);
    EXPECT_EQ(ifs(derivation.current()), 2u) << print(derivation.current());
    EXPECT_EQ(difference(func, derivation.current()), "");
    EXPECT_EQ(ifs(overcomputed(derivation.current())), 1u) << "and back";
  }
  PrimFunc read = parse(put(put(text, "TYPE", "int32"), "READ", "A[0, 0] = B[3, 3]"));
  Args args{{"at", Path{0, 0, 0}}, {"by", nth<Store>(read, 3)}, {"stores", std::string("by 2.0.0.0; by 2.0.0.0")}};
  expect_refused_rightly(read, "introduce-branch", args, "reads the cell");
}

// Where the condition comes from: a later store, an assume, an earlier stage.
TEST(IntroduceBranch, FromWhatIsKnownOfThePadding) {
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    PrimFunc assumed = parse(put(R"(
def f(A: T.Buffer((4, 4), "TYPE"), B: T.Buffer((1,), "TYPE")):
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.TYPE(0))
    B[0] = T.TYPE(0)
    for io, ii in T.grid(4, 4):
        B[0] = B[0] + A[io, ii]
)",
                                 "TYPE", type));
    Derivation derivation(assumed);  // random inputs hardly ever satisfy the assume
    Strategy s(derivation, test_prover());
    EXPECT_EQ(remove_overcompute_through_branching(s), 1) << print(derivation.current());
    EXPECT_EQ(ifs(derivation.current()), 1u);
    PrimFunc filled = parse(put(R"(
def f(A: T.Buffer((14,), "TYPE"), B: T.Buffer((4, 4), "TYPE")):
    for io, ii in T.grid(4, 4):
        if io == 3 and ii >= 2:
            B[io, ii] = T.TYPE(7)
    for io, ii in T.grid(4, 4):
        B[io, ii] = T.if_then_else(io * 4 + ii < 14, A[io * 4 + ii], T.TYPE(7))
)",
                                "TYPE", type));
    EXPECT_EQ(ifs(passed(filled, &remove_overcompute_through_branching)), 2u);
    PrimFunc ranged = parse(put(R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(16):
        B[i] = A[i]
    for i in range(14, 16):
        B[i] = T.TYPE(0)
)",
                                "TYPE", type));
    EXPECT_EQ(ifs(passed(ranged, &remove_overcompute_through_branching)), 1u);
  }
  // Nothing is known of the padding.
  PrimFunc open = parse(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    for i in range(16):
        T.assume(i < 14 or A[i] >= 0)
    for i in range(16):
        B[0] = B[0] + A[i]
)");
  EXPECT_EQ(ifs(passed(open, &remove_overcompute_through_branching)), 0u);
}

TEST(IntroduceBranch, AConditionOfOnesOwn) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        T.assume(i < 6 or A[i] == 0)
    for i in range(8):
        B[i] = B[i] + A[i]
)");
  Expr i = Expr(stmt_at(func, {1}).as<For>()->var), n = Expr(func.scalars()[0]);
  auto args = [&](const Expr& c) { return Args{{"at", Path{1, 0}}, {"condition", c}}; };
  EXPECT_EQ(ifs(applied(func, "introduce-branch", args(lt(i, i32(6))))), 1u);
  EXPECT_TRUE(refusal(func, "introduce-branch", args(lt(i, i32(5)))));
  EXPECT_TRUE(refusal(func, "introduce-branch", args(lt(floordiv(i, n), i32(6))))) << "n may be zero";
  EXPECT_TRUE(not_applicable(func, "introduce-branch", args(lt(Expr(Var::fresh("x", kInt32)), i32(6)))));
}

TEST(IntroduceBranch, WithAValue) {
  PrimFunc func = parse(R"(
def f(B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = 1
    for i in range(6, 8):
        B[i] = 2
)");
  Args args{{"at", Path{0, 0}},
            {"by", nth<Store>(func, 1)},
            {"stores", std::string("by 1.0")},
            {"value", Expr(func.scalars()[0])}};
  PrimFunc after = applied(func, "introduce-branch", args);
  EXPECT_NE(print(after).find("B[i] = n"), std::string::npos) << print(after);
  EXPECT_EQ(difference(func, after, {{"n", 5}}), "");
}

TEST(IntroduceBranch, DoesNotApply) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = B[i]
    A[0] = 1
)");
  Expr i = var_of(func, "i");
  expect_not_applicable(func, "introduce-branch", {{"at", Path{0, 0}}, {"condition", i}}, "the condition is none");
  expect_not_applicable(func, "introduce-branch", {{"at", Path{0, 0}}, {"by", Path{1}}}, "stores nothing there");
  expect_not_applicable(func, "introduce-branch", {{"at", Path{0, 0}}}, "argument 'condition' is missing");
}

// Each store of what is not run any more must leave no trace.
TEST(IntroduceBranch, Condition1AStoreThatIsSeen) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = A[i]
        B[i] = VALUE
)";
  PrimFunc seen = parse(put(text, "VALUE", "1")), same = parse(put(text, "VALUE", "B[i]"));
  auto below_six = [](const PrimFunc& func) {
    return Args{{"at", below(loop_named(func, "i"), 0)}, {"condition", lt(var_of(func, "i"), i32(6))}};
  };
  expect_refused_rightly(seen, "introduce-branch", below_six(seen), "leaves the bits that the cell holds");
  EXPECT_EQ(difference(same, applied(same, "introduce-branch", below_six(same))), "");
  // Written again, but not everywhere.
  PrimFunc late = parse(R"(
def f(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = 1
    for i in range(6, 8):
        B[i] = 2
)");
  Args five{{"at", Path{0, 0}}, {"condition", lt(var_of(late, "i"), i32(5))}, {"stores", std::string("by 1.0")}};
  expect_refused_rightly(late, "introduce-branch", five, "written again");
  five["condition"] = lt(var_of(late, "i"), i32(6));
  EXPECT_EQ(difference(late, applied(late, "introduce-branch", five)), "");
}

// A permission lets the store put any value there; it does not say that the value need not be put.
TEST(IntroduceBranch, Condition1APermissionIsNoReason) {
  PrimFunc func = parse(R"(
def f(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.undef(dtype="int32")
    for j in range(8):
        B[j] = 1
)");
  Args args{{"at", Path{1, 0}}, {"condition", lt(var_of(func, "j"), i32(6))}, {"stores", std::string("permitted")}};
  expect_not_applicable(func, "introduce-branch", args, "a permission does not show that a store may go");
  args.erase("stores");
  EXPECT_TRUE(refusal(func, "introduce-branch", args));
}

TEST(IntroduceBranch, Condition2AConditionThatIsAnError) {
  PrimFunc func = parse(R"(
def f(B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = B[i]
)");
  Expr i = var_of(func, "i"), n = Expr(func.scalars()[0]);
  auto args = [&](const Expr& c) { return Args{{"at", nth<Store>(func)}, {"condition", c}}; };
  expect_refused_rightly(func, "introduce-branch", args(lt(floordiv(i, n), i32(6))), "the condition is no error",
                         {{"n", 0}});
  expect_refused_rightly(func, "introduce-branch", args(lt(n * n, i32(6))), "the condition is no error",
                         {{"n", 65536}});
  EXPECT_EQ(difference(func, applied(func, "introduce-branch", args(lt(i, n))), {{"n", 3}}), "");
}

TEST(IntroduceBranch, Condition2AConditionOnData) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = B[i]
)");
  Expr i = var_of(func, "i");
  Args args{{"at", nth<Store>(func)}, {"condition", lt(load(func.buffer_params()[0], {i}), i32(6))}};
  expect_not_applicable_rightly(func, "introduce-branch", args, "depends on the content of a buffer", R"(
def wrong(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if A[i] < 6:
            B[i] = B[i]
)");
}

// What is stored instead must leave no trace either, and be computed without an error.
TEST(IntroduceBranch, Condition2AValueThatIsSeenOrAnError) {
  const std::string text = R"(
def f(B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = B[i]
    for i in range(FROM, 8):
        B[i] = 2
)";
  PrimFunc again = parse(put(text, "FROM", "6")), kept = parse(put(text, "FROM", "7"));
  auto args = [](const PrimFunc& func, const Expr& value, const std::string& stores) {
    return Args{{"at", Path{0, 0}}, {"condition", lt(var_of(func, "i"), i32(6))}, {"stores", stores}, {"value", value}};
  };
  Expr n = Expr(again.scalars()[0]);
  expect_refused_rightly(again, "introduce-branch", args(again, n * n, "by 1.0"), "the value is no error",
                         {{"n", 65536}});
  EXPECT_EQ(difference(again, applied(again, "introduce-branch", args(again, n, "by 1.0")), {{"n", 5}}), "");
  // A float may be made of integers that are an error.
  const PrimFunc floats = parse(R"(
def f(B: T.Buffer((8,), "float32"), n: T.int32):
    for i in range(8):
        B[i] = B[i]
    for i in range(6, 8):
        B[i] = T.float32(2)
)");
  const Expr quotient = cast(kFloat32, floordiv(i32(8), Expr(floats.scalars()[0])));
  expect_refused_rightly(floats, "introduce-branch", args(floats, quotient, "by 1.0"), "the value is no error",
                         {{"n", 0}});
  // The store that goes leaves the bits; what comes in its place does not.
  expect_refused_rightly(kept, "introduce-branch", args(kept, i32(9), "same"), "leaves the bits", {{"n", 5}});
}

TEST(IntroduceBranch, Condition3AssumesAndUndefs) {
  PrimFunc func = parse(R"(
def f(B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        T.assume(n > 0)
        B[i] = B[i]
    for j in range(8):
        B[j] = B[j] + T.undef(dtype="int32") * 0
)");
  Args args{{"at", Path{0, 0}}, {"condition", lt(var_of(func, "i"), i32(6))}};
  expect_not_applicable(func, "introduce-branch", args, "assumes something");
  args = {{"at", Path{1, 0}}, {"condition", lt(var_of(func, "j"), i32(6))}};
  expect_not_applicable(func, "introduce-branch", args, "holds an undef");
}

}  // namespace introduce_branch_test
}  // namespace hexproof
