// What check decides because it knows what cells hold: assumes, undef cell by cell, permissions to read, tables.
#include <fmt/format.h>

#include "tests/support/put.h"
#include "tests/verify/programs.h"

namespace hexproof {
namespace check_content_test {

CheckReport checked(const std::string& text) {
  static Prover prover;
  return check(parse(text), prover);
}
void expect_finding(const std::string& text, Finding finding, const std::string& words = "") {
  CheckReport report = checked(text);
  EXPECT_EQ(to_text(report.finding), to_text(finding)) << text << describe(report);
  std::string said = report.counterexample + report.reason;
  EXPECT_NE(said.find(words), std::string::npos) << text << said;
}

TEST(CheckContent, AnAssumeThatAStoreMakesFalse) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        A[i] = T.TYPE(1)
    STORE
    for i in range(8):
        T.assume(A[7 - i] == T.TYPE(VALUE))
        B[i] = A[i]
)";
  auto with = [&](const char* type, const std::string& value, const std::string& store) {
    return put(put(put(text, "STORE", store), "TYPE", type), "VALUE", value);
  };
  for (const char* type : {"int8", "int32", "float32"}) {
    expect_finding(with(type, "1", "B[0] = A[0]"), Finding::Proved);
    expect_finding(with(type, "2", "B[0] = A[0]"), Finding::Refuted, "<text>:7:9");
  }
  // A store in between may make it true.
  expect_finding(with("int32", "2", "for k in range(8):\n        A[k] = B[k]"), Finding::Proved);
}

TEST(CheckContent, AssumesInLoopsThatContradictEachOther) {
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for io, ii in T.grid(4, 4):
        T.assume(4 * io + ii < 14 or A[io, ii] == 0)
    BETWEEN
    for ii in range(2, 4):
        T.assume(A[3, ii] == VALUE)
        B[3, ii] = A[3, ii]
)";
  auto with = [&](const std::string& between, const std::string& value) {
    return put(put(text, "BETWEEN", between), "VALUE", value);
  };
  expect_finding(with("B[0, 0] = 1", "0"), Finding::Proved);
  expect_finding(with("B[0, 0] = 1", "1"), Finding::Vacuous, "<text>:7:9");
  expect_finding(with("A[3, 1] = 1", "1"), Finding::Vacuous, "<text>:7:9");
  expect_finding(with("for k in range(4):\n        A[3, k] = B[3, k]", "1"), Finding::Proved);
}

TEST(CheckContent, UndefCellByCell) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((16,), "int32")):
    P = T.alloc_buffer((4, 4), "int32")
    Q = T.alloc_buffer((16,), "int32")
    for i in range(14):
        P[i // 4, i % 4] = A[i]
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= 14:
            P[io, ii] = T.undef(dtype="int32")
    for i in range(16):
        Q[i] = P[i // 4, i % 4]
    for i in range(SIZE):
        if BUFFER > 0:
            B[i] = 1
)";
  auto with = [&](const char* size, const char* buffer) { return put(put(text, "SIZE", size), "BUFFER", buffer); };
  expect_finding(with("14", "P[i // 4, i % 4]"), Finding::Proved);
  expect_finding(with("15", "P[i // 4, i % 4]"), Finding::Refuted, "T.undef()");
  // What was copied with the padding counts as undefined throughout; a copy of clean cells is clean.
  expect_finding(with("15", "Q[i]"), Finding::Refuted, "T.undef()");
  expect_finding(put(with("14", "Q[i]"), "for i in range(16):\n        Q[i]", "for i in range(14):\n        Q[i]"),
                 Finding::Proved);
}

TEST(CheckContent, PermissionToRead) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    P = T.alloc_buffer((4, 4), "int32")
    for i in range(14):
        P[i // 4, i % 4] = A[i]
    for io, ii in T.grid(4, 4):
        T.assume(COVERED)
    for io, ii in T.grid(4, 4):
        B[io, ii] = 2 * P[io, ii]
)";
  expect_finding(put(text, "COVERED", "4 * io + ii < 14 or P[io, ii] == T.undef(dtype=\"int32\")"), Finding::Proved);
  expect_finding(put(text, "COVERED", "io < 3 or ii < 2 or P[io, ii] == T.undef(dtype=\"int32\")"), Finding::Proved);
  expect_finding(put(text, "COVERED", "4 * io + ii < 15 or P[io, ii] == T.undef(dtype=\"int32\")"), Finding::Refuted,
                 "uninitialised");
  // Nothing is permitted by what is not evaluated.
  expect_finding(put(text, "COVERED", "True or P[io, ii] == T.undef(dtype=\"int32\")"), Finding::Refuted,
                 "uninitialised");
  expect_finding(put(text, "COVERED", "A[0] > 5 or P[io, ii] == T.undef(dtype=\"int32\")"), Finding::Refuted,
                 "uninitialised");
  // A permitted cell holds some value, and may not decide anything.
  expect_finding(put(put(text, "COVERED", "4 * io + ii < 14 or P[io, ii] == T.undef(dtype=\"int32\")"),
                     "        B[io, ii] = 2 * P[io, ii]", "        if P[io, ii] > 0:\n            B[io, ii] = 1"),
                 Finding::Refuted, "T.undef()");
}

TEST(CheckContent, PaddingOfAnArgumentThatMayBeRead) {
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "int32"), B: T.Buffer((16,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda io, ii: io * 4 + ii >= 14"})
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 12 or A[io, ii] == T.undef(dtype="int32"))
    for i in range(SIZE):
        if A[i // 4, i % 4] > 0:
            B[i] = 1
)";
  expect_finding(put(text, "SIZE", "14"), Finding::Proved);
  expect_finding(put(text, "SIZE", "15"), Finding::Refuted, "T.undef()");
}

TEST(CheckContent, AnAssumeReadsOnlyWhatItEvaluates) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    P = T.alloc_buffer((4, 4), "int32")
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= 14:
            P[io, ii] = 0
    for io, ii in T.grid(4, 4):
        T.assume(4 * io + ii < LOW or P[io, ii] == 0)
)";
  expect_finding(put(text, "LOW", "14"), Finding::Proved);
  expect_finding(put(text, "LOW", "13"), Finding::Refuted, "uninitialised");
}

TEST(CheckContent, AnIndexFromATableThatWasFilled) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8"), n: T.int32):
    I = T.alloc_buffer((8,), "int32")
    for i in range(8):
        I[i] = ENTRY
    for i in range(8):
        B[I[i]] = A[i]
)";
  expect_finding(put(text, "ENTRY", "7 - i"), Finding::Proved);
  expect_finding(put(text, "ENTRY", "8 - i"), Finding::Refuted, "index 8 of axis 0 of buffer 'B'");
}

TEST(CheckContent, ADivisorThatIsAssumed) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        T.assume(A[i] > LOW)
    BETWEEN
    for i in range(8):
        B[i] = B[i] // A[i]
)";
  auto with = [&](const std::string& low, const std::string& between) {
    return put(put(text, "LOW", low), "BETWEEN", between);
  };
  expect_finding(with("0", "T.evaluate(0)"), Finding::Proved);
  expect_finding(with("-1", "T.evaluate(0)"), Finding::Refuted, "zero");
  expect_finding(with("0", "A[3] = 5"), Finding::Proved);
  EXPECT_NE(checked(with("0", "A[3] = B[2]")).finding, Finding::Proved);
}

TEST(CheckContent, SizesDoNotCount) {
  for (const char* n : {"14", "1000000"}) {
    const std::string text = fmt::format(R"(
def f(A: T.Buffer(({0},), "int8"), B: T.Buffer(({0},), "int8")):
    for i in range({0}):
        T.assume(A[i] != T.int8(0))
    for i in range({0}):
        B[i] = T.int8(7) // A[i]
)",
                                         n);
    CheckReport report = checked(text);
    EXPECT_EQ(to_text(report.finding), "proved") << describe(report);
  }
}

}  // namespace check_content_test
}  // namespace hexproof
