// Symbolic comparison: control and indices that depend on data, errors, assumes.
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"

namespace hexproof {
namespace equiv_symbolic_control_test {

TEST(EquivSymbolicControl, BranchesOnData) {
  const std::string branch = on("int32", R"(for i in range(16):
    if A[i] > 0:
        B[i] = A[i]
    else:
        B[i] = 0)");
  EXPECT_PROVED(branch, on("int32", "for i in range(16):\n    B[i] = T.max(A[i], 0)"));
  EXPECT_PROVED(branch, on("int32", "for i in range(16):\n    B[i] = T.if_then_else(A[i] <= 0, 0, A[i])"));
  EXPECT_REFUTED(branch, on("int32", "for i in range(16):\n    B[i] = T.max(A[i], 1)"));
  EXPECT_REFUTED(branch, on("int32", "for i in range(16):\n    if A[i] > 0:\n        B[i] = A[i]"));
  const std::string nested = on("int32", R"(for i in range(16):
    if A[i] > 3:
        if A[i] < 7:
            B[i] = 1)");
  EXPECT_PROVED(nested, on("int32", "for i in range(16):\n    if A[i] < 7 and A[i] > 3:\n        B[i] = 1"));
  EXPECT_REFUTED(nested, on("int32", "for i in range(16):\n    if A[i] < 7 or A[i] > 3:\n        B[i] = 1"));
  EXPECT_REFUTED(nested, on("int32", "for i in range(16):\n    if A[i] <= 7 and A[i] > 3:\n        B[i] = 1"));
}

TEST(EquivSymbolicControl, WhatABranchStoresIsReadInIt) {
  const std::string cached = on("int32", R"(T_: T.handle
for i in range(16):
    C = T.alloc_buffer((1,), "int32")
    if A[i] > 0:
        C[0] = A[i] * 2
        B[i] = C[0] + 1)");
  const std::string text = cached.substr(0, cached.find("    T_: T.handle\n")) +
                           cached.substr(cached.find("    T_: T.handle\n") + std::string("    T_: T.handle\n").size());
  EXPECT_PROVED(text, on("int32", "for i in range(16):\n    if A[i] > 0:\n        B[i] = A[i] * 2 + 1"));
  EXPECT_REFUTED(text, on("int32", "for i in range(16):\n    if A[i] > 0:\n        B[i] = A[i] * 2 + 2"));
}

TEST(EquivSymbolicControl, LoopsBoundedByData) {
  const std::string text = on("int32", "for i in range(T.min(T.max(A[0], 0), 16)):\n    B[i] = A[i]");
  EXPECT_PROVED(text, on("int32", "for i in range(16):\n    if i < A[0]:\n        B[i] = A[i]"));
  EXPECT_REFUTED(text, on("int32", "for i in range(16):\n    if i <= A[0]:\n        B[i] = A[i]"));
  EXPECT_FOUND(Finding::Unsupported, on("int32", "for i in range(A[0]):\n    B[i] = A[i]"),
               on("int32", "for i in range(A[0]):\n    B[i] = A[i]"));
}

TEST(EquivSymbolicControl, GatherAndScatter) {
  const std::string gather = on("int32", "for i in range(16):\n    B[i] = A[A[i] & 15]");
  EXPECT_PROVED(gather, on("int32", "for i in range(16):\n    B[15 - i] = A[A[15 - i] % 16]"));
  EXPECT_REFUTED(gather, on("int32", "for i in range(16):\n    B[i] = A[A[i] & 7]"));
  const std::string scatter = on("int32", "for i in range(16):\n    B[A[i] & 15] = i");
  EXPECT_PROVED(scatter, on("int32", "for i in range(16):\n    B[A[i] % 16] = i"));
  EXPECT_REFUTED(scatter, on("int32", "for i in range(16):\n    B[A[15 - i] & 15] = 15 - i"));
}

TEST(EquivSymbolicControl, InputsWithErrorsOfBeforeAreExcluded) {
  const std::string divides = on("int32", "for i in range(16):\n    B[i] = 100 // A[i]");
  Compared same = compare(divides, on("int32", "for i in range(16):\n    B[15 - i] = 100 // A[15 - i]"));
  EXPECT_EQ(same.evidence.finding, Finding::Proved) << describe(same.evidence);
  ASSERT_FALSE(same.evidence.notes.empty());
  EXPECT_NE(same.evidence.notes[0].find("division by zero"), std::string::npos) << same.evidence.notes[0];
  // A new error, and one less.
  const std::string guarded = on("int32", "for i in range(16):\n    B[i] = T.if_then_else(A[i] == 0, 7, 100 // A[i])");
  EXPECT_PROVED(divides, guarded);
  EXPECT_REFUTED(guarded, divides);
  // What holds where before has no error may be used.
  EXPECT_PROVED(divides, on("int32", "for i in range(16):\n    B[i] = T.if_then_else(A[i] == 0, 9, 100 // A[i])"));
  EXPECT_REFUTED(on("int32", "for i in range(16):\n    B[i] = A[i]"),
                 on("int32", "for i in range(16):\n    B[i] = A[A[i] & 15] - A[A[i] & 15] + A[A[i]] * 0 + A[i]"));
}

TEST(EquivSymbolicControl, VacuousPairs) {
  EXPECT_FOUND(Finding::Vacuous, on("int32", "B[0] = A[0]\nB[16] = A[0]"), on("int32", "B[0] = 1"));
  EXPECT_FOUND(Finding::Vacuous,
               on("int32", "T.evaluate(T.assume(A[0] > 3))\nT.evaluate(T.assume(A[0] < 2))\nB[0] = A[0]"),
               on("int32", "B[0] = 1"));
}

TEST(EquivSymbolicControl, Assumes) {
  const std::string assumed = on("int32", R"(for i in range(16):
    T.evaluate(T.assume(A[i] >= 0 and A[i] < 100))
for i in range(16):
    B[i] = A[i])");
  EXPECT_PROVED(assumed, on("int32", "for i in range(16):\n    B[i] = T.max(A[i], 0)"));
  EXPECT_PROVED(assumed, on("int32", "for i in range(16):\n    B[i] = (A[i] * 2) // 2"));
  EXPECT_REFUTED(assumed, on("int32", "for i in range(16):\n    B[i] = T.min(A[i], 98)"));
  EXPECT_PROVED(assumed, assumed);
  // A new assume is an error where it is false.
  EXPECT_REFUTED(on("int32", "for i in range(16):\n    B[i] = A[i]"), assumed);
  // Bounds for a loop and for an index.
  const std::string bounded = on("int32", R"(T.evaluate(T.assume(0 <= A[0] and A[0] < 16))
B[A[0]] = 1)");
  EXPECT_PROVED(bounded, on("int32", "for i in range(16):\n    if A[0] == i:\n        B[i] = 1"));
  EXPECT_REFUTED(bounded, on("int32", "for i in range(15):\n    if A[0] == i:\n        B[i] = 1"));
}

TEST(EquivSymbolicControl, UninitialisedReads) {
  const std::string full = on("int32", R"(C = T.alloc_buffer((16,), "int32")
for i in range(16):
    C[i] = A[i]
for i in range(16):
    B[i] = C[i])");
  const std::string hole = on("int32", R"(C = T.alloc_buffer((16,), "int32")
for i in range(16):
    if A[i] != 3:
        C[i] = A[i]
for i in range(16):
    B[i] = C[i])");
  const std::string covered = on("int32", R"(C = T.alloc_buffer((16,), "int32")
for i in range(16):
    if A[i] != 3:
        C[i] = A[i]
for i in range(16):
    B[i] = T.if_then_else(A[i] == 3, 3, C[i]))");
  EXPECT_REFUTED(full, hole);
  EXPECT_PROVED(hole, full);
  EXPECT_PROVED(full, covered);
}

TEST(EquivSymbolicControl, Races) {
  const std::string serial = on("int32", "for i in range(15):\n    if A[i] > 0:\n        B[A[i] & 15] = 1");
  const std::string parallel = on("int32", "for i in T.parallel(15):\n    if A[i] > 0:\n        B[A[i] & 15] = 1");
  EXPECT_REFUTED(serial, parallel);
  EXPECT_PROVED(on("int32", "for i in range(16):\n    if A[i] > 0:\n        B[i] = A[i]"),
                on("int32", "for i in T.parallel(16):\n    if A[i] > 0:\n        B[i] = A[i]"));
  EXPECT_REFUTED(on("int32", "for i in range(15):\n    B[i] = B[i + 1]"),
                 on("int32", "for i in T.parallel(15):\n    B[i] = B[i + 1]"));
  // Two iterations that never both write.
  EXPECT_PROVED(on("int32", "for i in range(2):\n    if A[0] == i:\n        B[0] = i"),
                on("int32", "for i in T.parallel(2):\n    if A[0] == i:\n        B[0] = i"));
  EXPECT_PROVED(on("int32", "for i in range(16):\n    B[i] = A[i]"),
                on("int32", R"(for i in T.thread_binding(4, thread="threadIdx.x"):
    for j in T.vectorized(4):
        B[i * 4 + j] = A[i * 4 + j])"));
}

TEST(EquivSymbolicControl, CastsThatMayNotFit) {
  const char* before = R"(
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = T.Cast("int8", A[i])
)";
  const char* guarded = R"(
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = T.if_then_else(A[i] < T.float32(128) and A[i] > T.float32(-129), T.Cast("int8", A[i]), T.int8(0))
)";
  const char* tight = R"(
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = T.if_then_else(A[i] < T.float32(127) and A[i] > T.float32(-129), T.Cast("int8", A[i]), T.int8(0))
)";
  EXPECT_PROVED(before, guarded);
  EXPECT_REFUTED(before, tight);
  EXPECT_REFUTED(guarded, before);
}

TEST(EquivSymbolicControl, UnknownFunctions) {
  EXPECT_PROVED(on("float32", "for i in range(16):\n    B[i] = T.exp(A[i] + A[0])"),
                on("float32", "for i in range(16):\n    B[15 - i] = T.exp(A[0] + A[15 - i])"));
  EXPECT_REFUTED(on("float32", "for i in range(16):\n    B[i] = T.exp(A[i])"),
                 on("float32", "for i in range(16):\n    B[i] = T.exp2(A[i])"));
}

TEST(EquivSymbolicControl, BoundsAreStated) {
  Compared c = compare(on("int32", "for i in range(16):\n    B[i] = A[i] * A[i] + 1"),
                       on("int32", "for i in range(16):\n    B[i] = A[i] * A[i] + 1"), {}, 40);
  EXPECT_EQ(c.evidence.finding, Finding::Undecided);
  EXPECT_NE(c.evidence.says.find("40"), std::string::npos) << c.evidence.says;
}

}  // namespace equiv_symbolic_control_test
}  // namespace hexproof
