// Buffers of scope "local" are registers: nothing of them is left in memory, and the program means the same.
#include "tests/backend/emitted.h"

namespace hexproof {
namespace registers_test {

using namespace testing;

const char* kTile = R"(
def matmul(A: T.Buffer((16, 24), "float32"), B: T.Buffer((24, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for io, jo in T.grid(4, 4):
        acc = T.decl_buffer((4, 4), "float32", scope="local")
        for i, j in T.grid(4, 4):
            acc[i, j] = T.float32(0)
        for k, i, j in T.grid(24, 4, 4):
            acc[i, j] = acc[i, j] + A[io * 4 + i, k] * B[k, jo * 4 + j]
        for i, j in T.grid(4, 4):
            C[io * 4 + i, jo * 4 + j] = acc[i, j]
)";

const char* kVectors = R"(
def sums(A: T.Buffer((64, 96), "int32"), B: T.Buffer((3, 64), "int32"), C: T.Buffer((3, 96), "int32")):
    for jo in T.serial(3):
        acc = T.decl_buffer((3, 32), "int32", scope="local")
        for i in T.serial(3):
            for j in T.vectorized(32):
                acc[i, j] = j
        for k, i in T.grid(64, 3):
            for j in T.vectorized(32):
                acc[i, j] = acc[i, j] + A[k, jo * 32 + j] * B[i, k]
        for i in T.serial(3):
            for j in T.vectorized(32):
                C[i, jo * 32 + j] = T.max(acc[i, j], C[i, jo * 32 + j])
)";

TEST(Registers, AScalarTileLeavesNoMemory) {
  for (Target target : {Target::Host, Target::Hexagon}) {
    Kernel kernel = emitted(kTile, target).kernel;
    EXPECT_FALSE(has(kernel.llvm_ir, "alloca"));
    HexagonRun fast = expect_interpreted(kernel);
    Kernel slow = emitted(replaced(kTile, "local", "global"), target).kernel;
    HexagonRun ran = expect_interpreted(slow);
    EXPECT_LE(fast.packets * 2, ran.packets);
  }
}

TEST(Registers, AVectorizedTileIsVectorRegisters) {
  for (Target target : {Target::Host, Target::Hexagon}) {
    Kernel kernel = emitted(kVectors, target).kernel;
    EXPECT_FALSE(has(kernel.llvm_ir, "alloca"));
    EXPECT_TRUE(has(kernel.llvm_ir, "phi <32 x i32>"));
    HexagonRun ran = expect_interpreted(kernel);
    if (target == Target::Hexagon && have_qemu()) {
      EXPECT_GT(ran.hvx, 3u * 64 * 3);
    }
  }
}

TEST(Registers, EveryTypeAndOperatorOfAVectorizedLoop) {
  const char* text = R"(
def f(A: T.Buffer((256,), "TYPE"), B: T.Buffer((256,), "TYPE")):
    acc = T.decl_buffer((128,), "TYPE", scope="local")
    for j in T.vectorized(128):
        acc[j] = A[j + 64]
    for k in T.serial(5):
        for j in T.vectorized(128):
            acc[j] = EXPR
    for j in T.vectorized(128):
        B[j + 1] = acc[j]
)";
  for (const char* type :
       {"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"}) {
    for (const char* expr : {"acc[j] + A[j + k]", "acc[j] * A[k] - A[j]", "T.max(acc[j], A[127 - k + j])",
                             "T.Select(acc[j] < A[j], A[k], acc[j] + A[j])", "T.Cast(\"TYPE\", j) + acc[j]"}) {
      std::string program = text;
      program.replace(program.find("EXPR"), 4, expr);
      for (size_t at; (at = program.find("TYPE")) != std::string::npos;) program.replace(at, 4, type);
      for (Target target : {Target::Host, Target::Hexagon}) {
        // There, what is no vector is too many registers: below.
        bool scalar = has(type, "float") || has(type, "64");
        if (target == Target::Hexagon && scalar) continue;
        Kernel kernel = emitted(program, target).kernel;
        EXPECT_FALSE(has(kernel.llvm_ir, "alloca"));
        expect_interpreted(kernel, 7);
      }
    }
  }
}

TEST(Registers, SequencesBranchesAndOtherStarts) {
  const std::string text = R"(
def f(A: T.Buffer((300,), "int32"), B: T.Buffer((300,), "int32"), C: T.Buffer((40, 64), "uint8")):
    for p in range(3):
        acc = T.decl_buffer((3, 64), "int32", scope="local")
        for q in T.serial(1, 3):
            for j in T.vectorized(32, 64):
                acc[q, j] = A[j + p]
                acc[q, j - 32] = acc[q, j] * 2 - A[j * 1]
                if A[p] < 5:
                    acc[q, j] = acc[q, j] + B[j + q]
                else:
                    acc[q, j] = A[q] + p
        for q in T.serial(2):
            for j in T.vectorized(64):
                B[p * 64 + j] = acc[q + 1, j] + B[p * 64 + j]
)";
  for (Target target : {Target::Host, Target::Hexagon}) {
    Kernel kernel = emitted(text, target).kernel;
    EXPECT_FALSE(has(kernel.llvm_ir, "alloca"));
    for (uint64_t seed = 1; seed < 4; ++seed) expect_interpreted(kernel, seed);
  }
}

/// A vector that is read in another place than it is written, in one iteration and in the next statement.
TEST(Registers, ShiftedVectorsOfOneBuffer) {
  const std::string text = R"(
def f(A: T.Buffer((300,), "int32"), B: T.Buffer((300,), "int32")):
    acc = T.decl_buffer((96,), "int32", scope="local")
    for j in T.vectorized(96):
        acc[j] = A[j]
    for k in T.serial(4):
        for j in T.vectorized(32):
            acc[j] = acc[j + 32] + k
        for j in T.vectorized(32):
            acc[j + 64] = acc[j] * 3
    for j in T.vectorized(96):
        B[j + 7] = acc[j]
)";
  for (Target target : {Target::Host, Target::Hexagon}) {
    std::string said = refusal(text, target);
    if (said.empty()) expect_interpreted(emitted(text, target).kernel, 3);
  }
}

TEST(Registers, WithoutAProofTheLoopsStayScalarAndRight) {
  PrimFunc func = pick_function(parse_module(kVectors), "");
  Kernel kernel = emit(Derivation(func), {.target = Target::Host});
  EXPECT_FALSE(has(kernel.llvm_ir, "alloca"));
  expect_interpreted(kernel);
}

TEST(Registers, WhatCannotBeInRegistersIsRefusedWithItsPlace) {
  const std::string by_data = R"(
def f(A: T.Buffer((8,), "uint8"), B: T.Buffer((8,), "int32")):
    acc = T.decl_buffer((256,), "int32", scope="local")
    for i in T.serial(256):
        acc[i] = i
    for i in T.serial(8):
        B[i] = acc[T.Cast("int32", A[i])]
)";
  std::string said = refusal(by_data, Target::Host);
  EXPECT_TRUE(has(said, "acc[T.Cast(\"int32\", A[i])]")) << said;
  EXPECT_TRUE(has(said, "7:9")) << said;
  const std::string symbolic = R"(
def f(A: T.Buffer(("n",), "int32"), B: T.Buffer((8,), "int32")):
    acc = T.decl_buffer((8,), "int32", scope="local")
    for i in T.serial(8):
        acc[i] = i
    for i in T.serial(T.min(n, 8)):
        B[i] = acc[i]
)";
  said = refusal(symbolic, Target::Host);
  EXPECT_TRUE(has(said, "the loop 'i' is not written out")) << said;
  EXPECT_EQ(refusal(replaced(symbolic, "local", "global"), Target::Host), "");
}

TEST(Registers, HexagonTakesNoMixtureAndNoMoreThanItHas) {
  std::string mixed = replaced(kVectors, "for j in T.vectorized(32):\n                acc[i, j] = j",
                               "for j in T.serial(32):\n                acc[i, j] = j");
  std::string said = refusal(mixed, Target::Hexagon);
  EXPECT_TRUE(has(said, "one cell at a time at acc[i, j]")) << said;
  expect_interpreted(emitted(mixed, Target::Host).kernel);

  std::string large = kVectors;
  large = replaced(large, "(3, 64)", "(32, 64)");
  large = replaced(large, "(3, 96)", "(32, 96)");
  large = replaced(large, "(3, 32)", "(32, 32)");
  for (int k = 0; k < 2; ++k) large = replaced(large, "for i in T.serial(3)", "for i in T.serial(32)");
  large = replaced(large, "T.grid(64, 3)", "T.grid(64, 32)");
  said = refusal(large, Target::Hexagon);
  EXPECT_TRUE(has(said, "need 32 vector registers")) << said;
  EXPECT_TRUE(has(said, "smaller tile")) << said;
  said = refusal(replaced(kTile, "(4, 4), \"float32\", scope", "(8, 4), \"float32\", scope"), Target::Hexagon);
  EXPECT_TRUE(has(said, "need 32 scalar registers")) << said;
}

}  // namespace registers_test
}  // namespace hexproof
