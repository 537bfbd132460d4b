// Symbolic comparison: undef, padding, layouts, granted flags.
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"

namespace hexproof {
namespace equiv_symbolic_undef_test {

TEST(EquivSymbolicUndef, StoringUndefGivesPermission) {
  const std::string any = on("int32", "for i in range(16):\n    B[i] = T.undef()");
  EXPECT_PROVED(any, on("int32", "for i in range(16):\n    B[i] = A[i] + i"));
  EXPECT_PROVED(any, any);
  EXPECT_PROVED(any, on("int32", "for i in range(15):\n    B[i] = 0"));
  EXPECT_REFUTED(on("int32", "for i in range(16):\n    B[i] = A[i]"), any);
}

TEST(EquivSymbolicUndef, ItIsOneValueOnceStored) {
  const std::string twice = on("int32", R"(C = T.alloc_buffer((1,), "int32")
C[0] = T.undef()
B[0] = C[0]
B[1] = C[0])");
  EXPECT_PROVED(twice, on("int32", "B[0] = A[0]\nB[1] = A[0]"));
  EXPECT_FOUND(Finding::Undecided, twice, on("int32", "B[0] = A[0]\nB[1] = A[1]"));
  EXPECT_PROVED(on("int32", "B[0] = T.undef()\nB[1] = T.undef()"), twice);
  EXPECT_FOUND(Finding::Undecided, twice, on("int32", "B[0] = T.undef()\nB[1] = T.undef()"));
}

TEST(EquivSymbolicUndef, UnderConditions) {
  const std::string some = on("int32", R"(for i in range(16):
    if A[i] > 0:
        B[i] = T.undef()
    else:
        B[i] = A[i])");
  EXPECT_PROVED(some, on("int32", "for i in range(16):\n    B[i] = A[i]"));
  EXPECT_PROVED(some, on("int32", "for i in range(16):\n    B[i] = T.min(A[i], 0)"));
  EXPECT_REFUTED(some, on("int32", "for i in range(16):\n    B[i] = 0"));
  EXPECT_PROVED(on("int32", "B[0] = T.undef() + A[0]"), on("int32", "B[0] = A[1]"));
}

TEST(EquivSymbolicUndef, NotInAnIndexOrCondition) {
  EXPECT_REFUTED(on("int32", "B[0] = A[0]"), on("int32", R"(C = T.alloc_buffer((1,), "int32")
C[0] = T.undef()
B[0] = T.if_then_else(C[0] > 0, A[0], A[0]))"));
}

TEST(EquivSymbolicUndef, AssumedPermission) {
  const std::string may_read = on("int32", R"(C = T.alloc_buffer((16,), "int32")
for i in range(16):
    if A[i] > 0:
        C[i] = A[i]
for i in range(16):
    T.evaluate(T.assume(A[i] > 0 or C[i] == T.undef()))
for i in range(16):
    B[i] = C[i])");
  EXPECT_PROVED(may_read, on("int32", "for i in range(16):\n    B[i] = A[i]"));
  EXPECT_PROVED(may_read, on("int32", "for i in range(16):\n    B[i] = T.max(A[i], 5 - 5)"));
  EXPECT_REFUTED(may_read, on("int32", "for i in range(16):\n    B[i] = T.max(A[i], 4)"));
}

RelationRequest padded(const std::string& pad) {
  RelationRequest request;
  Var i = Var::fresh("i", kInt32);
  request.layouts["A"] = IndexMap{{i}, {floordiv(i, i32(4)), floormod(i, i32(4))}, {}};
  if (!pad.empty()) request.pads["A"] = pad;
  return request;
}

const char* const kSum = R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A[i]
)";
const char* const kPaddedSum = R"(
def f(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i, j in T.grid(4, 4):
        B[0] = B[0] + A[i, j]
)";
const char* const kGuardedSum = R"(
def f(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            B[0] = B[0] + A[i, j]
)";

TEST(EquivSymbolicPadding, OfAnInput) {
  EXPECT_PROVED(kSum, kPaddedSum, padded("0"));
  EXPECT_REFUTED(kSum, kPaddedSum, padded("1"));
  EXPECT_REFUTED(kSum, kPaddedSum, padded("undef"));
  EXPECT_REFUTED(kSum, kPaddedSum, padded(""));  // an uninitialised read
  for (const char* pad : {"0", "1", "undef", ""}) EXPECT_PROVED(kSum, kGuardedSum, padded(pad));
}

TEST(EquivSymbolicPadding, OfAnOutput) {
  const char* before = R"(
def f(A: T.Buffer((14,), "int32")):
    for i in range(14):
        A[i] = i
)";
  const char* leaves = R"(
def f(A: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            A[i, j] = i * 4 + j
)";
  const char* fills = R"(
def f(A: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        A[i, j] = T.if_then_else(i * 4 + j < 14, i * 4 + j, 7)
)";
  EXPECT_PROVED(before, fills, padded("7"));
  EXPECT_REFUTED(before, fills, padded("8"));
  EXPECT_REFUTED(before, leaves, padded("7"));
  EXPECT_PROVED(before, leaves, padded(""));
  EXPECT_PROVED(before, fills, padded("undef"));
  RelationRequest logical = padded("7");
  logical.logical_only = {"A"};
  EXPECT_PROVED(before, leaves, logical);
}

TEST(EquivSymbolicFlags, Reassociation) {
  auto sum = [](const std::string& flags, const std::string& index, const std::string& start = "A[0]") {
    std::string attr = flags.empty() ? "" : "    T.func_attr({\"hexproof.fp\": \"" + flags + "\"})\n";
    return "def f(A: T.Buffer((8,), \"float32\"), B: T.Buffer((1,), \"float32\")):\n" + attr + "    B[0] = " + start +
           "\n    for i in range(7):\n        B[0] = B[0] + A[" + index + "]\n";
  };
  EXPECT_REFUTED(sum("", "i + 1"), sum("", "7 - i"));
  EXPECT_PROVED(sum("reassoc", "i + 1"), sum("reassoc", "7 - i"));
  EXPECT_REFUTED(sum("reassoc", "i + 1"), sum("reassoc", "i"));
  EXPECT_PROVED(sum("reassoc nsz", "i + 1"), sum("reassoc nsz", "7 - i", "T.float32(0) + A[0]"));
}

TEST(EquivSymbolicFlags, WithoutNszZerosKeepTheirSign) {
  auto f = [](const std::string& flags, const std::string& value) {
    return "def f(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n    T.func_attr({\"hexproof.fp\": "
           "\"" +
           flags + "\"})\n    for i in range(8):\n        B[i] = " + value + "\n";
  };
  EXPECT_PROVED(f("reassoc nsz", "A[i] + T.float32(0)"), f("reassoc nsz", "A[i]"));
  EXPECT_FOUND(Finding::Undecided, f("reassoc", "A[i] + T.float32(0)"), f("reassoc", "A[i]"));
}

}  // namespace equiv_symbolic_undef_test
}  // namespace hexproof
