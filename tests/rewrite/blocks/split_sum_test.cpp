#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace split_sum_test {

Args of(const std::string& block = "C") { return {{"block", block}}; }

/// A sum over rows of products with zero points; TYPE of sums, INIT, and what is added.
std::string sum_of(std::string term, std::string type = "int32", std::string init = "0",
                   std::string update = "C[vi, vj] + ") {
  std::string text = R"(
def before(A: T.Buffer((6, 5), "uint8"), B: T.Buffer((4, 5), "int8"), Z: T.Buffer((4,), "TYPE"), C: T.Buffer((6, 4), "TYPE")):
    for i, j, k in T.grid(6, 4, 5):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = INIT
            C[vi, vj] = UPDATE
)";
  for (const auto& [word, with] : {std::pair{std::string("TYPE"), type}, {"INIT", init}, {"UPDATE", update + term}}) {
    for (size_t k; (k = text.find(word)) != text.npos;) text.replace(k, word.size(), with);
  }
  return text;
}

const std::string kA = "T.Cast(\"int32\", A[vi, vk])", kB = "T.Cast(\"int32\", B[vj, vk])";
const std::string kSum = sum_of("(" + kA + " - 7) * (" + kB + " + Z[vj])");

TEST(SplitSum, OfAProductOfSums) {
  expect_applies(kSum, "split-sum", of(), R"(
def after(A: T.Buffer((6, 5), "uint8"), B: T.Buffer((4, 5), "int8"), Z: T.Buffer((4,), "int32"), C: T.Buffer((6, 4), "int32")):
    C_sum0 = T.alloc_buffer((6, 4), "int32")
    C_sum1 = T.alloc_buffer((6,), "int32")
    C_sum2 = T.alloc_buffer((4,), "int32")
    C_term2 = T.alloc_buffer((4,), "int32")
    for i, j, k in T.grid(6, 4, 5):
        with T.block("C_sum0"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C_sum0[vi, vj] = 0
            C_sum0[vi, vj] = C_sum0[vi, vj] + T.Cast("int32", A[vi, vk]) * T.Cast("int32", B[vj, vk])
    for i, k in T.grid(6, 5):
        with T.block("C_sum1"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C_sum1[vi] = 0
            C_sum1[vi] = C_sum1[vi] + T.Cast("int32", A[vi, vk])
    for j, k in T.grid(4, 5):
        with T.block("C_sum2"):
            vj, vk = T.axis.remap("SR", [j, k])
            with T.init():
                C_sum2[vj] = 0
            C_sum2[vj] = C_sum2[vj] + T.Cast("int32", B[vj, vk])
    for j in range(4):
        with T.block("C_term2"):
            vj = T.axis.spatial(4, j)
            C_term2[vj] = -7 * C_sum2[vj]
    for i, j in T.grid(6, 4):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = C_sum0[vi, vj] + Z[vj] * C_sum1[vi] + C_term2[vj] + (0 - 7 * Z[vj]) * 5
)");
}

TEST(SplitSum, OfOtherTermsTypesAndInits) {
  expect_applies(sum_of("T.Cast(\"int8\", A[vi, vk]) * (B[vj, vk] - Z[vj])", "int8", "T.int8(3)"), "split-sum", of(),
                 "");
  expect_applies(sum_of("T.Cast(\"uint16\", A[vi, vk]) * (T.uint16(9) - Z[vj])", "uint16", "Z[vj]"), "split-sum", of(),
                 "");
  expect_applies(sum_of("(" + kA + " + Z[vj] - (" + kB + " + " + kA + "))"), "split-sum", of(),
                 "");  // A twice: one sum
  const char* none = R"(
def before(A: T.Buffer((4, 5), "int32"), C: T.Buffer((4,), "int32")):
    for k in range(5):
        for i in range(4):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                C[vi] = A[vi, vk] - 3 + C[vi]
)";
  expect_applies(none, "split-sum", of(), "");
}

TEST(SplitSum, Condition1WhatIsASum) {
  for (const char* update : {"C[vi, vj] * ", "C[vi, vj] - "}) {
    EXPECT_TRUE(not_applicable(parse(sum_of("(" + kA + " - 7)", "int32", "0", update)), "split-sum", of())) << update;
  }
  const PrimFunc floats = parse(sum_of("(T.Cast(\"float32\", A[vi, vk]) - Z[vj])", "float32", "T.float32(0)"));
  expect_not_applicable(floats, "split-sum", of(), "integers");
  for (const char* law : {"associative", "commutative", "start neutral", "of all terms", "leaves none"}) {
    expect_owed(parse(kSum), "split-sum", of(), law);
  }
}

TEST(SplitSum, Condition2IndexArithmeticIsOneTerm) {
  expect_owed(parse(kSum), "split-sum", of(), "the terms add up");
  // What is index arithmetic is not multiplied out: its parts need not fit by themselves.
  const PrimFunc func = parse(sum_of("(" + kA + " * (vk * 3 - vj))"));
  const PrimFunc after = applied(func, "split-sum", of());
  EXPECT_FALSE(find_blocks(after, "C_sum0").empty());
  EXPECT_TRUE(find_blocks(after, "C_sum1").empty());
}

std::string sizes_of(const std::string& extents) {
  return R"(
def before(m: T.int32, n: T.int32, p: T.int32, A: T.Buffer((4, p), "int32"), B: T.Buffer((4, p), "int32"), C: T.Buffer((4, 4), "int32")):
    for i, j, k in T.grid()" +
         extents + R"():
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + (A[vi, vk] + B[vj, vk])
)";
}

TEST(SplitSum, Condition3EveryLoopRuns) {
  // Where no column runs, the sums of rows would read what the program does not.
  expect_refused_rightly(parse(sizes_of("4, m, 5")), "split-sum", of(), "runs at least once",
                         {{"n", 1}, {"m", 0}, {"p", 0}});
  // Where no term is added, nothing is initialised.
  expect_refused_rightly(parse(sizes_of("4, 4, n")), "split-sum", of(), "runs at least once",
                         {{"n", 0}, {"m", 1}, {"p", 1}});
}

TEST(SplitSum, Condition4TheInitRunsFirst) {
  const PrimFunc often = parse(R"(
def before(A: T.Buffer((4, 5, 2), "int32"), C: T.Buffer((4,), "int32")):
    for i, k, r in T.grid(4, 5, 2):
        with T.block("C"):
            vi = T.axis.spatial(4, i)
            vk = T.axis.reduce(5, k)
            vr = T.axis.opaque(2, r)
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + (A[vi, vk, vr] - 3)
)");
  expect_refused_rightly(often, "split-sum", of(), "at its start alone");
}

TEST(SplitSum, Condition5CellsOfTheirOwn) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 5), "int32"), C: T.Buffer((2,), "int32")):
    for k, i in T.grid(5, 4):
        with T.block("C"):
            vi = T.axis.opaque(4, i)
            vk = T.axis.reduce(5, k)
            with T.init():
                C[vi // 2] = 0
            C[vi // 2] = C[vi // 2] + (A[vi, vk] - 3)
)");
  expect_refused_rightly(func, "split-sum", of(), "different cells");
}

TEST(SplitSum, Condition6WhatReadsTheSum) {
  expect_not_applicable(parse(sum_of("(" + kA + " - C[vi, 0])")), "split-sum", of(), "reads 'C'");
  expect_not_applicable(parse(sum_of("(" + kA + " - T.undef(dtype=\"int32\"))")), "split-sum", of(), "undef");
}

TEST(SplitSum, Condition7TheSumsFit) {
  const PrimFunc func = parse(R"(
def before(n: T.int32, A: T.Buffer((n,), "uint8"), C: T.Buffer((1,), "int32")):
    T.assume(n > 0)
    for i, j, k in T.grid(1, n, 1):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SRR", [i, j, k])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + (T.Cast("int32", A[vj]) - 3)
)");
  expect_applies(print(func), "split-sum", of(), "", {{"n", 3}});
}

TEST(SplitSum, DoesNotApply) {
  expect_not_applicable(parse(sum_of("Z[vj]")), "split-sum", of(), "nothing of the sum varies");
}

}  // namespace split_sum_test
}  // namespace hexproof
