#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace merge_loops_test {

Args first_loop(const PrimFunc& func) { return {{"at", loop_named(func, "i")}}; }

void expect_merge(const std::string& before, const std::string& expected, const Sizes& sizes = {}) {
  expect_applies(before, "merge-loops", first_loop(parse(before)), expected, sizes);
}

void expect_no_merge(const std::string& before, const std::string& why = "what the first loop does later",
                     const Sizes& sizes = {}) {
  PrimFunc func = parse(before);
  expect_refused_rightly(func, "merge-loops", first_loop(func), why, sizes);
}

TEST(MergeLoops, ElementByElement) {
  for (const char* type : {"float32", "float16", "int8", "uint64", "bool"}) {
    std::string t(type);
    expect_merge(R"(
def before(A: T.Buffer((16,), ")" +
                     t + R"("), B: T.Buffer((16,), ")" + t + R"("), C: T.Buffer((16,), ")" + t + R"(")):
    for i in range(16):
        B[i] = A[i]
    for j in range(16):
        C[j] = B[j]
)",
                 R"(
def after(A: T.Buffer((16,), ")" +
                     t + R"("), B: T.Buffer((16,), ")" + t + R"("), C: T.Buffer((16,), ")" + t + R"(")):
    for i in range(16):
        B[i] = A[i]
        C[i] = B[i]
)");
  }
}

// The stencil of RFC 0077: the second loop reads what the first one writes one iteration later.
TEST(MergeLoops, Condition3TheStencilReadsAhead) {
  expect_no_merge(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((15,), "int32")):
    for i in range(15):
        B[i] = A[i] + A[i]
    for j in range(15):
        C[j] = B[j] + B[j + 1]
)");
  expect_merge(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(1, 16):
        B[i] = A[i] + A[i]
    for j in range(1, 16):
        C[j] = B[j] + B[j - 1]
)",
               "");
}

// RFC 0077 prints its second condition with the wrong loop and the wrong order. Read as printed, R1 against W2 for
// i < j, nothing stands against this pair, in which the first loop reads later what the second overwrites earlier.
TEST(MergeLoops, Condition3TheSecondOneOfTheRfcTheRightWayRound) {
  expect_no_merge(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(1, 16):
        B[i] = A[i - 1]
    for j in range(1, 16):
        A[j] = 7
)");
  expect_merge(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(15):
        B[i] = A[i + 1]
    for j in range(15):
        A[j] = 7
)",
               "");
}

TEST(MergeLoops, Condition3BothWriteOneCell) {
  expect_no_merge(R"(
def before(A: T.Buffer((17,), "int32")):
    for i in range(16):
        A[i] = 1
    for j in range(16):
        A[j + 1] = 2
)");
  expect_merge(R"(
def before(A: T.Buffer((17,), "int32")):
    for i in range(16):
        A[i + 1] = 1
    for j in range(16):
        A[j] = 2
)",
               "");
}

// Without the guard the two loops would meet.
TEST(MergeLoops, OnlyBecauseOfAGuard) {
  expect_merge(R"(
def before(A: T.Buffer((17,), "int32"), C: T.Buffer((17,), "int32")):
    for i in range(16):
        if i % 2 == 0:
            A[i] = 1
    for j in range(16):
        if j % 2 == 0:
            C[j] = A[j + 1]
)",
               "");
  expect_no_merge(R"(
def before(A: T.Buffer((17,), "int32"), C: T.Buffer((17,), "int32")):
    for i in range(16):
        A[i] = 1
    for j in range(16):
        if j % 2 == 0:
            C[j] = A[j + 1]
)");
}

TEST(MergeLoops, Condition4Accumulations) {
  const char* text = R"(
def before(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i in range(16):
        C[0] = C[0] + A[i]
    for j in range(16):
        C[0] = C[0] + B[j]
)";
  auto with_type = [&](const std::string& type) {
    std::string out = text;
    for (size_t at; (at = out.find("TYPE")) != std::string::npos;) out.replace(at, 4, type);
    return out;
  };
  for (const char* type : {"int8", "int32", "uint16"}) expect_merge(with_type(type), "");
  for (const char* type : {"float16", "float32", "float64"}) expect_no_merge(with_type(type));
  PrimFunc granted = parse(with_type("float32"));
  granted.attrs["hexproof.fp"] = std::string("reassoc");
  applied(granted, "merge-loops", first_loop(granted));
  granted.attrs["hexproof.fp"] = std::string("nsz contract");
  EXPECT_TRUE(refusal(granted, "merge-loops", first_loop(granted)));
}

TEST(MergeLoops, Condition2DomainsMustBeEqual) {
  expect_no_merge(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
    for j in range(12):
        B[j] = 2
)",
                  "one extent");
  expect_no_merge(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(0, 12):
        A[i] = 1
    for j in range(4, 16):
        B[j] = 2
)",
                  "start at one value");
  expect_merge(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), n: T.int32, m: T.int32):
    if n == m and n <= 16:
        for i in range(n):
            A[i] = 1
        for j in range(m):
            B[j] = 2
)",
               "", {{"n", 9}, {"m", 9}});
}

// The second loop's guard reads what the first loop's later iterations change.
TEST(MergeLoops, Condition3AGuardThatReadsWhatTheFirstLoopWrites) {
  expect_no_merge(R"(
def before(F: T.Buffer((1,), "int32"), A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        F[0] = A[i]
    for j in range(4):
        if F[0] > 0:
            B[j] = 1
)");
}

TEST(MergeLoops, Condition5ParallelLoopsMustNotRace) {
  expect_no_merge(R"(
def before(A: T.Buffer((17,), "int32"), C: T.Buffer((16,), "int32")):
    for i in T.parallel(16):
        A[i + 1] = 1
    for j in T.parallel(16):
        C[j] = A[j]
)",
                  "merged parallel loop");
  expect_merge(R"(
def before(A: T.Buffer((17,), "int32"), C: T.Buffer((16,), "int32")):
    for i in T.parallel(16):
        A[i] = 1
    for j in T.parallel(16):
        C[j] = A[j]
)",
               "");
}

TEST(MergeLoops, DoesNotApply) {
  for (const char* text : {R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
)",
                           R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
    A[0] = 2
)",
                           R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
    for j in T.parallel(16):
        A[j] = 2
)",
                           R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
    for j in range(A[0]):
        A[j] = 2
)"}) {
    PrimFunc func = parse(text);
    EXPECT_TRUE(not_applicable(func, "merge-loops", first_loop(func))) << text;
  }
}

TEST(MergeLoops, Condition1BoundsThatAreDataAndKindsThatDiffer) {
  PrimFunc data = parse(R"(
def before(A: T.Buffer((16,), "int32"), N: T.Buffer((1,), "int32")):
    for i in range(N[0] % 4 + 1):
        A[i] = 1
    for j in range(N[0] % 4 + 1):
        N[0] = 7
)");
  expect_not_applicable(data, "merge-loops", first_loop(data), "depends on the content of a buffer");
  for (const char* kinds : {"serial parallel", "parallel serial", "vectorized vectorized", "unroll serial"}) {
    std::string both = kinds, one = both.substr(0, both.find(' ')), two = both.substr(both.find(' ') + 1);
    PrimFunc func = parse("def before(A: T.Buffer((16,), 'int32')):\n    for i in T." + one +
                          "(16):\n        A[i] = 1\n    for j in T." + two + "(16):\n        A[j] = 2\n");
    EXPECT_TRUE(not_applicable(func, "merge-loops", first_loop(func))) << kinds;
  }
  PrimFunc types = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
    for j in range(T.int64(16)):
        A[j] = 2
)");
  EXPECT_TRUE(not_applicable(types, "merge-loops", first_loop(types)));
}

// A serial loop and a parallel one, merged into a parallel one, would race.
TEST(MergeLoops, Condition1ASerialLoopStaysSerial) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((1,), "int32")):
    for i in T.parallel(16):
        A[i] = 1
    for j in range(16):
        C[0] = C[0] + A[j]
)");
  expect_not_applicable_rightly(func, "merge-loops", first_loop(func), "", R"(
def wrong(A: T.Buffer((16,), "int32"), C: T.Buffer((1,), "int32")):
    for i in T.parallel(16):
        A[i] = 1
        C[0] = C[0] + A[i]
)");
}

// The second loop divides by what only the last iteration of the first one assumes not to be zero.
TEST(MergeLoops, Condition6AnAssumeOfALaterIteration) {
  const std::string text = R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        T.assume(n > 0WHEN)
    for j in range(8):
        A[j] = 8 // n
)";
  auto with = [&](const std::string& when) {
    std::string out = text;
    return parse(out.replace(out.find("WHEN"), 4, when));
  };
  PrimFunc last = with(" or i < 7"), each = with("");
  EXPECT_TRUE(refusal(last, "merge-loops", first_loop(last)));
  // The program ends at the assume; what the rule would make of it divides first.
  EXPECT_EQ(error_of(last, {{"n", 0}}), ErrorKind::FalseAssume);
  EXPECT_EQ(error_of(proposed(last, "merge-loops", first_loop(last)), {{"n", 0}}), ErrorKind::Operation);
  EXPECT_EQ(difference(each, applied(each, "merge-loops", first_loop(each)), {{"n", 3}}), "");
}

}  // namespace merge_loops_test
}  // namespace hexproof
