// A rewrite carries the class of each operation with it: what wrapped wraps, what was an error where it overflows still
// is.
#include "tests/rewrite/traps/traps.h"
#include "verify/check/check.h"

namespace hexproof {
namespace arith_class_test {

constexpr int64_t kMost = 2147483647, kLeast = -2147483648;

/// B[i] = value, for i below 4, with the lines before it in the loop.
PrimFunc loop(const std::string& value, const std::string& lines = "") {
  return parse("def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), n: T.int32, m: T.int32):\n" +
               std::string(lines.find("T.int32()") == std::string::npos ? "" : "    x = T.int32()\n") +
               "    for i in range(4):\n" + (lines.find("T.int32()") == std::string::npos ? lines : "") +
               "        B[i] = " + value + "\n");
}
const std::string kLet = "x = T.int32()";

void expect_holds(const PrimFunc& func, const std::string& text) {
  EXPECT_NE(print(func).find(text), std::string::npos) << print(func);
}
/// The same program for the values that matter, and no errors that were none.
void expect_same(const PrimFunc& before, const PrimFunc& after) {
  for (int64_t n : {int64_t{0}, int64_t{1}, kMost, kLeast}) {
    for (int64_t m : {int64_t{0}, int64_t{1}}) {
      EXPECT_EQ(difference(before, after, {{"n", n}, {"m", m}}), "") << print(after);
    }
  }
}

// The only load goes with a condition that reads none.
TEST(ArithClassRules, HoistConditionKeepsData) {
  for (const char* choice : {"T.if_then_else", "T.Select"}) {
    PrimFunc func = loop(std::string(choice) + "(n > 0, A[i], 3) + 2147483647");
    Args args{{"at", loop_named(func, "i")}, {"statement", nth<Store>(func)}, {"expr", Path{1, 0, 0}}};
    PrimFunc after = applied(func, "hoist-condition", args);
    expect_holds(after, "T.wrap(T.int32(3) + 2147483647)");
    expect_same(func, after);
    EXPECT_EQ(check(after, test_prover()).finding, Finding::Proved) << print(after);
    // With index arithmetic in its place the program would have an error that it had not.
    std::string text = print(after);
    text.replace(text.find("T.wrap("), 6, "");
    EXPECT_NE(difference(func, parse(text), {{"n", 0}, {"m", 0}}), "") << text;
  }
}

TEST(ArithClassRules, HoistConditionThroughALet) {
  PrimFunc func = loop("x + 2147483647", "        x: T.int32 = T.if_then_else(n > 0, A[i], 3)\n");
  Args args{{"at", loop_named(func, "i")}, {"statement", nth<LetStmt>(func)}, {"expr", Path{0, 0}}};
  PrimFunc after = applied(func, "hoist-condition", args);
  expect_holds(after, "T.wrap(x + 2147483647)");
  expect_same(func, after);
  // The let can be put in on either side, and the sum keeps its class.
  PrimFunc inlined = applied(after, "inline-let", {{"at", nth<LetStmt>(after, 1)}});
  expect_holds(inlined, "T.wrap(T.int32(3) + 2147483647)");
  expect_same(func, inlined);
}

TEST(ArithClassRules, HoistConditionThroughABlockVariable) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    for i in range(4):
        with T.block("b"):
            v = T.axis.opaque(4, T.if_then_else(n > 0, A[i] % 4, 3))
            B[i] = v + 2147483647
)");
  Args args{{"at", loop_named(func, "i")}, {"statement", nth<Block>(func)}, {"expr", Path{2, 0}}};
  PrimFunc after = applied(func, "hoist-condition", args);
  expect_holds(after, "T.wrap(v + 2147483647)");
  expect_same(func, after);
}

// The value of a let whose body reads nothing does not count.
TEST(ArithClassRules, ALetThatReadsAndDoesNotUse) {
  PrimFunc func = loop("T.Let(i - 4, where={x: A[i]}) + 2147483647 + 1", kLet);
  EXPECT_EQ(print(simplified(func)), print(func));
  expect_same(func, simplified(func));
  PrimFunc data = loop("T.Let(x - 4, where={x: A[i]}) + 2147483647 + 1", kLet), after = simplified(data);
  expect_holds(after, "+ -2147483648");
  expect_same(data, after);
}

// What stands under a guard is not known to be evaluated.
TEST(ArithClassRules, AnOperationUnderAGuardIsNotPresent) {
  const std::string guarded = "T.if_then_else(n >= 0 and n < 4 and m >= 0 and m <= n, A[n - m], 0)";
  PrimFunc func = loop("(" + guarded + " + n) - (" + guarded + " + m)"), after = simplified(func);
  EXPECT_EQ(difference(func, after, {{"n", kLeast}, {"m", 1}}), "") << print(after);
  EXPECT_EQ(print(after).find("B[i] = n - m"), std::string::npos) << print(after);
  // Where it is always evaluated, it fits.
  PrimFunc always = loop("(A[n - m] + n) - (A[n - m] + m)"), less = simplified(always);
  expect_holds(less, "B[i] = n - m");
  for (int64_t n : {2, 3}) EXPECT_EQ(difference(always, less, {{"n", n}, {"m", 1}}), "");
  // The same with a difference of differences.
  PrimFunc other = loop("((" + guarded + " + n) - m) - " + guarded);
  EXPECT_EQ(difference(other, simplified(other), {{"n", kLeast}, {"m", 1}}), "") << print(simplified(other));
}

TEST(ArithClassRules, FoldingDoesAsTheClassSays) {
  expect_holds(simplified(loop("T.wrap(T.int32(2147483647) + 1)")), "B[i] = -2147483648");
  expect_holds(simplified(loop("T.int32(2147483647) + 1")), "T.int32(2147483647) + 1");
  // What fits has the value that it has when it wraps, so the sums may meet in one that does; not the other way round.
  PrimFunc inner = loop("T.nowrap(A[i] + 2147483647) + 1"), outer = loop("T.nowrap(A[i] + 2147483647 + 1)");
  expect_holds(simplified(inner), "B[i] = A[i] + -2147483648");
  EXPECT_EQ(difference(inner, simplified(inner), {{"n", 0}, {"m", 0}}, 200), "");
  EXPECT_EQ(difference(outer, simplified(outer), {{"n", 0}, {"m", 0}}, 200), "");
  // Wrapping sums of an index meet in one that wraps.
  PrimFunc sums = loop("T.wrap(T.wrap(n + 2147483647) + 1)"), after = simplified(sums);
  expect_holds(after, "T.wrap(n + -2147483648)");
  expect_same(sums, after);
}

// Arithmetic that is proved to fit need not say that it wraps.
TEST(ArithClassRules, NoWrap) {
  expect_holds(simplified(loop("T.wrap(i + 1)")), "B[i] = i + 1");
  expect_holds(simplified(loop("T.wrap(T.wrap(i * 4) + 1)")), "B[i] = i * 4 + 1");
  PrimFunc open = loop("T.wrap(n + 1)");
  EXPECT_EQ(print(simplified(open)), print(open));
  std::optional<Refused> refused =
      refusal(open, "simplify", {{"at", Path{}}, {"applications", std::string("no-wrap#0@0/1")}});
  ASSERT_TRUE(refused);
  EXPECT_NE(std::string(refused->what()).find("fits its type"), std::string::npos) << refused->what();
  EXPECT_TRUE(match_rule(kNoWrap, stmt_at(loop("A[i] + 1"), {0}).as<Store>()->value).empty());
}

TEST(ArithClassRules, KnownValuesOfCells) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    for i in range(4):
        A[i] = 2147483647
    for i in range(4):
        B[i] = A[i] + 1
    for i in range(4):
        A[i] = 7
    for i in range(4):
        if A[i] + 2147483647 < 0:
            B[i] = B[i] * 2
)");
  PrimFunc after = simplified(func);
  expect_holds(after, "B[i] = -2147483648");
  expect_same(func, after);
}

TEST(ArithClassRules, BranchesAreDecidedByTheClass) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    if CONDITION:
        B[0] = 1
)";
  auto with = [&](const std::string& condition) {
    std::string out = text;
    return parse(out.replace(out.find("CONDITION"), 9, condition));
  };
  auto take = [](const PrimFunc& func) { return Args{{"at", nth<If>(func)}, {"takes", int64_t{1}}}; };
  PrimFunc index = with("n + 1 > n"), wraps = with("T.wrap(n + 1) > n"), told = with("T.nowrap(A[0] + 1) > A[0]");
  applied(index, "eliminate-branch", take(index));
  applied(told, "eliminate-branch", take(told));
  expect_refused_rightly(wraps, "eliminate-branch", take(wraps), "always holds", {{"n", kMost}, {"m", 0}});
  PrimFunc data = with("A[0] + 1 > A[0]");
  expect_refused_rightly(data, "eliminate-branch", take(data), "always holds", {{"n", 0}, {"m", 0}}, 200);
}

TEST(ArithClassRules, BranchesOfTwoClassesAreTwo) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    if m > 0:
        B[0] = FIRST
    else:
        B[0] = T.wrap(n + 1)
)";
  auto with = [&](const std::string& first) {
    std::string out = text;
    return parse(out.replace(out.find("FIRST"), 5, first));
  };
  PrimFunc two = with("n + 1"), one = with("T.wrap(n + 1)");
  EXPECT_TRUE(not_applicable(two, "same-branches", {{"at", nth<If>(two)}}));
  expect_same(one, applied(one, "same-branches", {{"at", nth<If>(one)}}));
}

TEST(ArithClassRules, LetsKeepIt) {
  PrimFunc func = loop("x + 2147483647", "        x: T.int32 = A[0]\n");
  PrimFunc hoisted = applied(func, "hoist-let", {{"at", loop_named(func, "i")}, {"statement", nth<LetStmt>(func)}});
  expect_same(func, hoisted);
  expect_holds(applied(func, "inline-let", {{"at", nth<LetStmt>(func)}}), "B[i] = A[0] + 2147483647");
  // A variable of an index, told to wrap.
  PrimFunc index = loop("T.wrap(x + 2147483647)", "        x: T.int32 = n\n");
  PrimFunc inlined = applied(index, "inline-let", {{"at", nth<LetStmt>(index)}});
  expect_holds(inlined, "T.wrap(n + 2147483647)");
  expect_same(index, inlined);
}

TEST(ArithClassRules, HoistIndexTakesTheOperationAlong) {
  PrimFunc func = loop("A[i] + T.wrap(n * 4)");
  Args args{{"at", loop_named(func, "i")},
            {"statement", nth<Store>(func)},
            {"expr", Path{1, 1}},
            {"name", std::string("four")}};
  PrimFunc after = applied(func, "hoist-index", args);
  expect_holds(after, "= T.wrap(n * 4)");
  expect_same(func, after);
  PrimFunc index = loop("A[i] + n * 4");
  EXPECT_TRUE(refusal(index, "hoist-index", args));  // an error there, for all that is known
}

// Sums that wrap may change places; sums that must not overflow may overflow on the way.
TEST(ArithClassRules, AccumulationsChangePlacesWhereTheyWrap) {
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32"), n: T.int32, m: T.int32):
    for i in range(4):
        for j in range(4):
            B[0] = SUM
)";
  auto with = [&](const std::string& sum) {
    std::string out = text;
    return parse(out.replace(out.find("SUM"), 3, sum));
  };
  auto swap = [](const PrimFunc& func) { return Args{{"at", loop_named(func, "i")}, {"order", Path{1, 0}}}; };
  PrimFunc wraps = with("B[0] + A[i, j]"), told = with("T.nowrap(B[0] + A[i, j])");
  expect_same(wraps, applied(wraps, "reorder", swap(wraps)));
  EXPECT_TRUE(refusal(told, "reorder", swap(told)));
}

TEST(ArithClassRules, SplitAndUnitLoopsPutIndicesUnderIt) {
  PrimFunc func = loop("T.wrap(i * 2147483647) + A[i]");
  PrimFunc split = applied(func, "split",
                           {{"at", loop_named(func, "i")},
                            {"factor", int64_t{2}},
                            {"outer", std::string("o")},
                            {"inner", std::string("k")}});
  expect_holds(split, "T.wrap((o * 2 + k) * 2147483647)");
  expect_same(func, split);
  PrimFunc once = parse(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    for i in range(3, 4):
        B[i] = T.wrap(i * 2147483647) + A[i]
)");
  PrimFunc less = applied(once, "unit-loop", {{"at", loop_named(once, "i")}});
  expect_holds(less, "T.wrap(T.int32(3) * 2147483647)");
  expect_same(once, less);
}

TEST(ArithClassRules, LoweringABlockKeepsIt) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32, m: T.int32):
    for i in range(4):
        with T.block("b"):
            v = T.axis.opaque(4, i)
            w = T.axis.opaque(4, A[i] % 4)
            B[v] = T.wrap(v * 1073741824) + (w + 2147483647)
)");
  PrimFunc after = applied(func, "lower-block", {{"at", nth<Block>(func)}});
  expect_holds(after, "T.wrap(i * 1073741824) + (w + 2147483647)");
  expect_same(func, after);
}

}  // namespace arith_class_test
}  // namespace hexproof
