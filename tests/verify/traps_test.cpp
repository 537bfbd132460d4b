// The cases of the rule book that a careless checker gets wrong.
#include "tests/verify/programs.h"

namespace hexproof {
namespace traps_test {

struct Traps : testing::Test {
  static CheckReport checked(const std::string& text) {
    static Prover prover;
    return check(parse(text), prover);
  }
  static void expect(Finding finding, const std::string& text, const std::string& words = "") {
    CheckReport report = checked(text);
    EXPECT_EQ(report.finding, finding) << describe(report) << text;
    EXPECT_NE((report.counterexample + report.reason).find(words), std::string::npos) << describe(report);
  }
};

// Trap 16: claims of blocks.

TEST_F(Traps, ABlockAnnotatedSpatialThatIsNot) {
  expect(Finding::Proved, R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32")):
    for i in range(16):
        with T.block("sum"):
            vi = T.axis.reduce(16, i)
            with T.init():
                B[0] = T.float32(0)
            B[0] = B[0] + A[vi]
)");
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "float32")):
    for i in range(16):
        with T.block("sum"):
            vi = T.axis.spatial(16, i)
            B[0] = B[0] + A[vi]
)",
         "different spatial values");
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((17,), "float32")):
    for i in range(16):
        with T.block("shift"):
            vi = T.axis.spatial(16, i)
            A[vi] = A[vi + 1]
)",
         "different spatial values");
}

TEST_F(Traps, ReadsAndWritesThatLeaveOutACell) {
  const char* text = R"(
def f(A: T.Buffer((17,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("pair"):
            vi = T.axis.spatial(16, i)
            T.reads(REGION)
            T.writes(B[vi])
            B[vi] = A[vi] + A[vi + 1]
)";
  auto with = [&](const std::string& region) {
    std::string out = text;
    return out.replace(out.find("REGION"), 6, region);
  };
  expect(Finding::Proved, with("A[vi:vi + 2]"));
  expect(Finding::Proved, with("A[vi], A[vi + 1]"));
  expect(Finding::Refuted, with("A[vi]"), "T.reads");
  expect(Finding::Refuted, with(""), "T.reads");
}

TEST_F(Traps, BindingsOutsideTheirDomain) {
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("fill"):
            vi = T.axis.spatial(8, i)
            A[vi] = T.float32(0)
)",
         "domain");
  expect(Finding::Proved, R"(
def f(A: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        with T.block("fill"):
            vi = T.axis.spatial(14, io * 4 + ii)
            T.where(io * 4 + ii < 14)
            A[vi] = T.float32(0)
)");
}

// Trap 13: undef.

TEST_F(Traps, UndefInAnIndex) {
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((4,), "int32")):
    x: T.int32 = T.undef(dtype="int32")
    if x >= 0:
        if x < 4:
            A[x] = 0
)",
         "undef");
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    B[0] = T.undef(dtype="int32")
    A[T.max(T.min(B[0], 3), 0)] = 0
)",
         "undef");
  expect(Finding::Proved, R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    B[0] = T.undef(dtype="int32")
    A[0] = B[0] - B[0]
)");
}

// Trap 9: an index that overflows int32 and fits int64.

TEST_F(Traps, IndexThatNeedsMoreBits) {
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((16,), "float32")):
    for i in range(70000):
        for j in range(70000):
            if i * 70000 + j < 16:
                A[i * 70000 + j] = T.float32(0)
)",
         "overflow");
  expect(Finding::Proved, R"(
def f(A: T.Buffer((16,), "float32")):
    for i in T.serial(T.int64(70000)):
        for j in T.serial(T.int64(70000)):
            if i * T.int64(70000) + j < T.int64(16):
                A[i * T.int64(70000) + j] = T.float32(0)
)");
}

// Trap 12: what is known of memory dies at the store that may hit it.

TEST_F(Traps, AFactThatAStoreKills) {
  const char* text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    if B[0] >= 0:
        if B[0] < 4:
            STORE
            A[B[0]] = 1
)";
  auto with = [&](const std::string& store) {
    std::string out = text;
    return out.replace(out.find("STORE"), 5, store);
  };
  expect(Finding::Proved, with("A[0] = 0"));
  expect(Finding::Refuted, with("B[0] = 7"), "out of bounds");
  // Alive in the first iteration, not afterwards.
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    if B[0] >= 0:
        if B[0] < 4:
            for i in range(2):
                A[B[0]] = 1
                B[0] = 9
)",
         "out of bounds");
}

// Trap 7: a let keeps the value that it was bound to.

TEST_F(Traps, ALetKeepsItsValue) {
  expect(Finding::Proved, R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    x: T.int32 = B[0]
    B[0] = 9
    if x >= 0:
        if x < 4:
            A[x] = 1
)");
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    x: T.int32 = B[0]
    B[0] = 9
    if x >= 0:
        if x < 4:
            A[B[0]] = 1
)",
         "out of bounds");
  // Wrapping data under a let: x + 1 < x does happen.
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    x: T.int32 = B[0] * 65536 * 16384
    B[0] = 9
    if x - 1 > x:
        A[7] = 1
)",
         "out of bounds");
}

// Trap 6: loops that run zero times.

TEST_F(Traps, WhatALoopWouldHaveWritten) {
  expect(Finding::Refuted, R"(
def f(A: T.Buffer((4,), "float32"), n: T.int32):
    C = T.alloc_buffer((4,), "float32")
    for k in range(n):
        for i in range(4):
            C[i] = T.float32(0)
    for i in range(4):
        A[i] = C[i]
)",
         "uninitialised");
  expect(Finding::Proved, R"(
def f(A: T.Buffer((4,), "float32"), n: T.int32):
    C = T.alloc_buffer((4,), "float32")
    if n > 0:
        for k in range(n):
            for i in range(4):
                C[i] = T.float32(0)
        for i in range(4):
            A[i] = C[i]
)");
}

}  // namespace traps_test
}  // namespace hexproof
