#include "tests/rewrite/conditions.h"
#include "verify/check/check.h"

namespace hexproof {
namespace swap_statements_test {

constexpr const char* kRule = "swap-statements";
Args at(std::initializer_list<int> path) { return {{"at", Path(path)}}; }

TEST(SwapStatements, LoopsOverCellsOfTheirOwn) {
  const char* before = R"(
def before(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[i]
    for j in range(16):
        C[j] = A[j] + A[j]
)";
  expect_applies(before, kRule, at({0}), R"(
def after(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for j in range(16):
        C[j] = A[j] + A[j]
    for i in range(16):
        B[i] = A[i]
)");
  EXPECT_TRUE(not_applicable(parse(before), kRule, at({1})));
  EXPECT_TRUE(not_applicable(parse(before), kRule, at({0, 0})));
}

// One buffer, other cells of it: the padding in front of a window that leaves it alone.
TEST(SwapStatements, OtherCellsOfOneBuffer) {
  const std::string text = R"(
def before(A: T.Buffer((3, 8), "int32"), B: T.Buffer((3, 8), "int32")):
    for io, ii in T.grid(3, 8):
        if 2 <= io * 8 + ii and io * 8 + ii < 20:
            B[io, ii] = B[io, ii] + A[io, ii]
    for io, ii in T.grid(3, 8):
        if io == 0 and ii < 2 or io == 2 and ii >= FIRST:
            B[io, ii] = 0
)";
  auto with = [&](const std::string& first) {
    std::string out = text;
    return out.replace(out.find("FIRST"), 5, first);
  };
  expect_applies(with("4"), kRule, at({0}), "");
  expect_refused_rightly(parse(with("3")), kRule, at({0}), "touch no cell of each other's");
}

// 1. Written and read, read and written, written twice.
TEST(SwapStatements, Condition1OneCell) {
  for (const char* second : {"B[0] = A[3]", "A[3] = 7", "A[2] = B[1]"}) {
    PrimFunc func = parse(std::string(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    A[3] = A[2] + 1
    )") + second + "\n");
    expect_refused_rightly(func, kRule, at({0}), "touch no cell of each other's");
  }
}

// What a guard reads counts, too.
TEST(SwapStatements, Condition1AGuard) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    A[3] = A[3] + 1
    if A[3] > 0:
        B[0] = 1
)");
  expect_refused_rightly(func, kRule, at({0}), "touch no cell of each other's");
}

// An assume does not move over a store to its cells: it would be false there.
TEST(SwapStatements, Condition1AnAssumeOverAStore) {
  const std::string text = R"(
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    A[3] = 1
    T.assume(A[CELL] == 1)
)";
  auto with = [&](const std::string& cell) {
    std::string out = text;
    return parse(out.replace(out.find("CELL"), 4, cell));
  };
  applied(with("4"), kRule, at({0}));
  expect_refused_rightly(with("3"), kRule, at({0}), "touch no cell of each other's");
}

// 2. Accumulations.
TEST(SwapStatements, Condition2Sums) {
  const std::string text = R"(
def before(A: T.Buffer((16,), "TYPE"), B: T.Buffer((1,), "TYPE")):
ATTR    for i in range(8):
        B[0] = B[0] + A[i]
    for j in range(8, 16):
        B[0] = B[0] + A[j]
)";
  auto with = [&](const std::string& type, const std::string& attr) {
    std::string out = text;
    for (size_t k; (k = out.find("TYPE")) != std::string::npos;) out.replace(k, 4, type);
    return out.replace(out.find("ATTR"), 4, attr);
  };
  for (const char* type : {"int8", "int32"}) expect_applies(with(type, ""), kRule, at({0}), "");
  for (const char* type : {"float16", "float32"}) {
    expect_refused_rightly(parse(with(type, "")), kRule, at({0}), "touch no cell of each other's");
    applied(parse(with(type, "    T.func_attr({\"hexproof.fp\": \"reassoc\"})\n")), kRule, at({0}));
  }
}

// 3. The store divides by n, which the assume in front of it says not to be zero.
TEST(SwapStatements, Condition3AnErrorThatAnAssumeKeepsAway) {
  const std::string text = R"(
def before(A: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n > 0)
    A[0] = 8 // DIVISOR
)";
  auto with = [&](const std::string& divisor) {
    std::string out = text;
    return parse(out.replace(out.find("DIVISOR"), 7, divisor));
  };
  PrimFunc relies = with("n"), own = with("T.max(n, 1)");
  EXPECT_EQ(check(relies, test_prover()).finding, Finding::Proved);
  EXPECT_TRUE(refusal(relies, kRule, at({0})));
  EXPECT_EQ(error_of(relies, {{"n", 0}}), ErrorKind::FalseAssume);
  EXPECT_EQ(error_of(proposed(relies, kRule, at({0})), {{"n", 0}}), ErrorKind::Operation);
  EXPECT_EQ(check(proposed(relies, kRule, at({0})), test_prover()).finding, Finding::Refuted);
  EXPECT_EQ(difference(own, applied(own, kRule, at({0})), {{"n", 3}}), "");
}

}  // namespace swap_statements_test
}  // namespace hexproof
