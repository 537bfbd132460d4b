#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace rfactor_test {

Args at(const PrimFunc& func, size_t loop, int64_t axis = 0) {
  return {{"loop", nth<For>(func, loop)}, {"axis", axis}};
}

/// A sum over rows, with `TYPE`, an init value, and an accumulation.
std::string sum_of(std::string type, std::string init, std::string update, std::string flags = "") {
  std::string text = R"(
def before(A: T.Buffer((6, 4, 5), "TYPE"), C: T.Buffer((6,), "TYPE")):
FLAGS    for i, k, r in T.grid(6, 4, 5):
        with T.block("C"):
            vi = T.axis.spatial(6, i)
            vk = T.axis.reduce(20, k * 5 + r)
            with T.init():
                C[vi] = INIT
            C[vi] = UPDATE
)";
  for (const auto& [word, with] :
       {std::pair{std::string("TYPE"), type}, {"INIT", init}, {"UPDATE", update}, {"FLAGS", flags}}) {
    for (size_t k; (k = text.find(word)) != text.npos;) text.replace(k, word.size(), with);
  }
  return text;
}

const std::string kSum = sum_of("int32", "0", "C[vi] + A[vi, vk // 5, vk % 5]");

TEST(Rfactor, OfIntegers) {
  for (size_t loop : {1, 2}) {
    for (int64_t axis : {0, 1}) expect_applies(kSum, "rfactor", at(parse(kSum), loop, axis), "");
  }
  expect_applies(kSum, "rfactor", at(parse(kSum), 1), R"(
def after(A: T.Buffer((6, 4, 5), "int32"), C: T.Buffer((6,), "int32")):
    C_rf = T.alloc_buffer((4, 6), "int32")
    for i, k, r in T.grid(6, 4, 5):
        with T.block("C_rf"):
            vi, vk, vr = T.axis.remap("SSR", [i, k, r])
            with T.init():
                C_rf[vk, vi] = 0
            C_rf[vk, vi] = C_rf[vk, vi] + A[vi, (vk * 5 + vr) // 5, (vk * 5 + vr) % 5]
    for i, k in T.grid(6, 4):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + C_rf[vk, vi]
)");
}

TEST(Rfactor, OfOtherOperatorsAndWithoutAnInit) {
  for (const char* update : {"C[vi] * A[vi, vk // 5, vk % 5]", "T.max(A[vi, vk // 5, vk % 5], C[vi])",
                             "T.min(C[vi], A[vi, vk // 5, vk % 5])"}) {
    for (const char* type : {"int8", "int32", "uint8"}) {
      std::string text = sum_of(type, std::string("T.") + type + "(3)", update);
      expect_applies(text, "rfactor", at(parse(text), 1), "");
    }
  }
  const char* none = R"(
def before(A: T.Buffer((4, 5), "int32"), C: T.Buffer((4,), "int32")):
    for k in range(5):
        for i in range(4):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                C[vi] = C[vi] + A[vi, vk]
)";
  expect_applies(none, "rfactor", at(parse(none), 0), "");
}

TEST(Rfactor, Condition1WhatMayBeRegrouped) {
  const std::string update = "C[vi] + A[vi, vk // 5, vk % 5]";
  PrimFunc strict = parse(sum_of("float32", "T.float32(0)", update));
  expect_not_applicable(strict, "rfactor", at(strict, 1), "reassoc");
  EXPECT_NE(difference(strict, parse(R"(
def tempting(A: T.Buffer((6, 4, 5), "float32"), C: T.Buffer((6,), "float32")):
    R = T.alloc_buffer((4,), "float32")
    for i in range(6):
        for k in range(4):
            R[k] = T.float32(0)
            for r in range(5):
                R[k] = R[k] + A[i, k, r]
        C[i] = T.float32(0)
        for k in range(4):
            C[i] = C[i] + R[k]
)")),
            "");
  PrimFunc granted =
      parse(sum_of("float32", "T.float32(0)", update, "    T.func_attr({\"hexproof.fp\": \"reassoc\"})\n"));
  Derivation derivation(granted);
  derivation.apply("rfactor", at(granted, 1), test_prover());
  std::vector<std::string> flags;
  for (const auto& [need, answer] : derivation.steps().back().obligations) {
    flags.insert(flags.end(), need.flags.begin(), need.flags.end());
  }
  EXPECT_EQ(flags, std::vector<std::string>{"reassoc"});
  EXPECT_NE(print(derivation.current()).find("C_rf[vk, vi] = T.float32(0.0)"), std::string::npos);
  // 0.0 turns a -0.0 into 0.0, where the sum does not start at 0.0 itself; or may be fused with a product.
  for (const auto& [init, flags] : {std::pair{"T.float32(-0.0)", "reassoc"}, {"T.float32(0)", "reassoc contract"}}) {
    PrimFunc other =
        parse(sum_of("float32", init, update, std::string("    T.func_attr({\"hexproof.fp\": \"") + flags + "\"})\n"));
    PrimFunc after = applied(other, "rfactor", at(other, 1));
    EXPECT_NE(print(after).find("C_rf[vk, vi] = T.float32(-0.0)"), std::string::npos) << print(after);
    EXPECT_EQ(print(after).find("C_rf[vk, vi] = T.float32(0.0)"), std::string::npos) << print(after);
  }
  PrimFunc maximum = parse(sum_of("float32", "T.float32(0)", "T.max(C[vi], A[vi, vk // 5, vk % 5])",
                                  "    T.func_attr({\"hexproof.fp\": \"reassoc\"})\n"));
  expect_not_applicable(maximum, "rfactor", at(maximum, 1), "order");
  PrimFunc other = parse(sum_of("int32", "0", "A[vi, vk // 5, vk % 5] - C[vi]"));
  expect_not_applicable_rightly(other, "rfactor", at(other, 1), "does not accumulate", kSum);
}

TEST(Rfactor, Condition2EveryLoopRuns) {
  PrimFunc func = parse(R"(
def before(a: T.handle, C: T.Buffer((6,), "int32"), n: T.int32):
    A = T.match_buffer(a, (6, 4, n), "int32")
    for i, k, r in T.grid(6, 4, n):
        with T.block("C"):
            vi, vk, vr = T.axis.remap("SRR", [i, k, r])
            C[vi] = C[vi] + A[vi, vk, vr]
)");
  expect_refused_rightly(func, "rfactor", at(func, 1), "runs at least once", {{"n", 0}});
}

TEST(Rfactor, Condition3TheInitRunsFirst) {
  PrimFunc never = parse(R"(
def before(A: T.Buffer((6, 4), "int32"), C: T.Buffer((6,), "int32")):
    for i, k in T.grid(6, 4):
        with T.block("C"):
            vi = T.axis.spatial(6, i)
            vk = T.axis.reduce((0, 5), k + 1)
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, vk - 1]
)");
  expect_refused_rightly(never, "rfactor", at(never, 1), "first iteration of the reduction");
  PrimFunc often = parse(R"(
def before(A: T.Buffer((6, 4, 5), "int32"), C: T.Buffer((6,), "int32")):
    for i, k, r in T.grid(6, 4, 5):
        with T.block("C"):
            vi = T.axis.spatial(6, i)
            vk = T.axis.reduce(5, r)
            with T.init():
                C[vi] = 0
            C[vi] = C[vi] + A[vi, k, vk]
)");
  expect_refused_rightly(often, "rfactor", at(often, 1), "at its start alone");
}

TEST(Rfactor, Condition4CellsOfTheirOwn) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((6, 4), "int32"), C: T.Buffer((3,), "int32")):
    for i, k in T.grid(6, 4):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi // 2] = 0
            C[vi // 2] = C[vi // 2] + A[vi, vk]
)");
  EXPECT_TRUE(refusal(func, "rfactor", at(func, 1)));
  PrimFunc accumulates = parse(R"(
def before(A: T.Buffer((6, 4), "int32"), C: T.Buffer((3,), "int32")):
    for i, k in T.grid(6, 4):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            C[vi // 2] = C[vi // 2] + A[vi, vk]
)");
  expect_refused_rightly(accumulates, "rfactor", at(accumulates, 1), "different cells");
}

TEST(Rfactor, Condition5WhatReadsTheSum) {
  PrimFunc reads = parse(sum_of("int32", "0", "C[vi] + A[vi, vk // 5, vk % 5] * C[0]"));
  expect_not_applicable(reads, "rfactor", at(reads, 1), "reads 'C'");
  PrimFunc undef = parse(sum_of("int32", "0", "C[vi] + T.undef(dtype=\"int32\")"));
  expect_not_applicable(undef, "rfactor", at(undef, 1), "undef");
  PrimFunc bounds = parse(R"(
def before(A: T.Buffer((6, 6), "int32"), C: T.Buffer((6,), "int32")):
    for i in range(6):
        for k in range(i + 1):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                C[vi] = C[vi] + A[vi, vk]
)");
  EXPECT_TRUE(not_applicable(bounds, "rfactor", at(bounds, 1)));
}

TEST(Rfactor, Condition6ThePartialResultsFit) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((65536,), "int32"), C: T.Buffer((65536,), "int32")):
    for i, k in T.grid(65536, 65536):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            C[vi] = C[vi] + A[vk]
)");
  EXPECT_TRUE(refusal(func, "rfactor", at(func, 1)));
}

TEST(Rfactor, DoesNotApply) {
  PrimFunc func = parse(kSum);
  expect_not_applicable(func, "rfactor", at(func, 0), "none of the reduction");
  expect_not_applicable(func, "rfactor", at(func, 1, 2), "axis");
  expect_not_applicable(func, "rfactor", at(func, 1, -1), "axis");
}

}  // namespace rfactor_test
}  // namespace hexproof
