#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace hoist_condition_test {

/// The condition of the k-th if, or the root-th expression of a statement, out of the loop `loop`.
Args if_out_of(const PrimFunc& func, const std::string& loop, size_t k = 0, Path expr = {0}) {
  return {{"at", loop_named(func, loop)}, {"statement", nth<If>(func, k)}, {"expr", expr}};
}

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
            B[i] = T.wrap(7 + T.Select(i < 2, 1, 0))
)",
                   {{"n", n}});
  }
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

// A condition that depends on what is bound inside.
TEST(HoistCondition, Condition1DependsOnTheLoop) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        if i < 3:
            A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "hoist-condition", if_out_of(func, "i")));
}

TEST(HoistCondition, Condition2OnDataThatTheLoopLeavesAlone) {
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
  // A cell that the loop writes.
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

TEST(HoistCondition, Condition3ReadsUnderAnotherCondition) {
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

TEST(HoistCondition, Condition4Undef) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = T.Select(T.undef(dtype="int32") > 0, 1, 2)
)");
  Args args = {{"at", loop_named(func, "i")}, {"statement", nth<Store>(func)}, {"expr", Path{1, 0}}};
  EXPECT_TRUE(not_applicable(func, "hoist-condition", args));
}

TEST(HoistCondition, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        if n > 3:
            A[i] = n + 1
    for j in range(8):
        A[j] = 2
)");
  expect_not_applicable(func, "hoist-condition", if_out_of(func, "j"), "does not stand in the statement");
  Args number = {{"at", loop_named(func, "i")}, {"statement", nth<Store>(func)}, {"expr", Path{1}}};
  expect_not_applicable(func, "hoist-condition", number, "no condition");
}

// A name that is bound inside has no value in front.
TEST(HoistCondition, Condition1WhatIsBoundInside) {
  PrimFunc let = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        x: T.int32 = n + i
        if x > 3:
            A[i] = 1
)");
  expect_not_applicable(let, "hoist-condition", if_out_of(let, "i"), "depends on 'x', which is bound inside");
  PrimFunc memory = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        C = T.decl_buffer((1,), "int32")
        C[0] = n + i
        if C[0] > 3:
            A[i] = 1
)");
  expect_not_applicable(memory, "hoist-condition", if_out_of(memory, "i"), "which is bound inside");
  // The value of one iteration is not that of all.
  EXPECT_NE(difference(let, parse(R"(
def wrong(A: T.Buffer((8,), "int32"), n: T.int32):
    x: T.int32 = n
    if x > 3:
        for i in range(8):
            A[i] = 1
)"),
                       {{"n", 0}}),
            "");
}

// A loop that runs zero times never asked.
TEST(HoistCondition, Condition3AnErrorWhereTheLoopDoesNotRun) {
  PrimFunc divides = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(T.min(n, 8)):
        if 8 // n > 2:
            A[i] = 1
)");
  expect_refused_rightly(divides, "hoist-condition", if_out_of(divides, "i"), "is no error", {{"n", 0}});
  PrimFunc reads = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    if n <= 8:
        for i in range(n):
            if B[n - 1] > 2:
                A[i] = 1
)");
  expect_refused_rightly(reads, "hoist-condition", if_out_of(reads, "i", 1), "the loop runs", {{"n", 0}});
}

// A constant is decided by what folds it, and needs no branch.
TEST(HoistCondition, Condition4AConstant) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = T.Select(T.bool(True), 1, 2)
)");
  Args args = {{"at", loop_named(func, "i")}, {"statement", nth<Store>(func)}, {"expr", Path{1, 0}}};
  expect_not_applicable(func, "hoist-condition", args, "the condition is a constant");
}

// Two loops over one thread index, or two memories by one name, are not what stood there.
TEST(HoistCondition, Condition5WhatMayNotBeCopied) {
  PrimFunc threads = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for k in range(2):
        for i in T.thread_binding(8, thread="threadIdx.x"):
            if n > 3:
                A[i] = 1
            else:
                A[i] = 2
)");
  expect_not_applicable(threads, "hoist-condition", if_out_of(threads, "k"), "a thread-bound loop would be copied");
  const std::string text = R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for k in range(8):
        P = T.allocate([4], "int32", "global")
        Q = T.decl_buffer((4,), "int32", data=P)
        Q[0] = k
        if n > 3:
            A[k] = Q[0]
        OTHER
)";
  auto with = [&](const std::string& other) {
    std::string out = text;
    return parse(out.replace(out.find("OTHER"), 5, other));
  };
  PrimFunc raw = with("else:\n            A[k] = Q[0] + 1");
  expect_not_applicable(raw, "hoist-condition", if_out_of(raw, "k"), "an allocation of raw memory would be copied");
}

}  // namespace hoist_condition_test
}  // namespace hexproof
