#include "verify/memory/content.h"

#include "tests/support/put.h"
#include "tests/verify/programs.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace content_test {

Prover& prover() {
  static Prover one;
  return one;
}

/// At the k-th branch: does what is known there imply its condition? Says what is known when it does not.
struct Known {
  Verdict holds, fails;
  std::string text;
};
Known at_branch(const PrimFunc& func, size_t k = 0) {
  const OpenRoundingScope rounding(open_rounding_of(func));
  Known out{Verdict::Unknown, Verdict::Unknown, {}};
  size_t seen = 0;
  walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts& facts) {
    const If* branch = s.as<If>();
    if (!branch || seen++ != k) return true;
    Expr condition = inline_lets(facts.resolve(branch->condition), facts.loops);
    std::vector<Expr> given = with_content(func, path, facts.given(), {condition});
    for (const MemoryFact& fact : Content(func).at(path)) out.text += "FACT " + fact.str() + "\n";
    for (const Expr& e : given) out.text += "GIVEN " + print(e) + "\n";
    Obligation o{"test", "the condition holds", place_of(func, s), given, condition};
    out.holds = prover().prove(o).verdict;
    o.goal = lnot(condition);
    out.fails = prover().prove(o).verdict;
    return true;
  });
  return out;
}
void expect_known(const std::string& text, size_t k = 0) {
  Known known = at_branch(parse(text), k);
  EXPECT_EQ(known.holds, Verdict::Proved) << text << known.text;
  EXPECT_NE(known.fails, Verdict::Proved) << "contradictory\n" << text << known.text;
}
void expect_open(const std::string& text, size_t k = 0) {
  Known known = at_branch(parse(text), k);
  EXPECT_NE(known.holds, Verdict::Proved) << text << known.text;
}
TEST(Content, AnAssumeInLoopsThatRan) {
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "int8"), B: T.Buffer((4, 4), "int8")):
    for io, ii in T.grid(4, 4):
        T.assume(4 * io + ii < 14 or A[io, ii] == T.int8(0))
    for x, y in T.grid(4, 4):
        if WHERE:
            if A[x, y] == T.int8(0):
                B[x, y] = T.int8(1)
)";
  expect_known(put(text, "WHERE", "x == 3 and y >= 2"), 1);
  expect_known(put(text, "WHERE", "4 * x + y >= 14"), 1);
  expect_open(put(text, "WHERE", "4 * x + y >= 13"), 1);
}

TEST(Content, SymbolicSizes) {
  const std::string text = R"(
def f(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n, 8), "float32")
    B = T.match_buffer(b, (n, 8), "float32")
    for io, ii in T.grid(n, 8):
        if 8 * io + ii >= 8 * n - 3:
            A[io, ii] = T.float32(1)
    for x, y in T.grid(n, 8):
        if WHERE:
            if A[x, y] == T.float32(1):
                B[x, y] = T.float32(2)
)";
  expect_known(put(text, "WHERE", "x == n - 1 and y >= 5"), 2);
  expect_open(put(text, "WHERE", "x == n - 1 and y >= 4"), 2);
}

TEST(Content, StoresThatRanBefore) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in range(14):
        B[i // 4, i % 4] = i + 3
    for io, ii in T.grid(4, 4):
        if io == 3 and ii >= 2:
            B[io, ii] = 7
    for x, y in T.grid(4, 4):
        if 4 * x + y < 14:
            if B[x, y] == 4 * x + y + 3:
                A[0] = 1
        else:
            if B[x, y] == 7:
                A[0] = 2
)";
  expect_known(text, 2);
  expect_known(text, 3);
  expect_open(put(text, "ii >= 2", "ii >= 1"), 2);
}

TEST(Content, TheLastStoreOfALoopWins) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(8):
        B[INDEX] = i
    if B[WHICH] == VALUE:
        A[0] = 1
)";
  auto with = [&](const std::string& index, const std::string& which, const std::string& value) {
    return put(put(put(text, "INDEX", index), "WHICH", which), "VALUE", value);
  };
  expect_known(put(with("3 - i", "1", "2"), "range(8)", "range(4)"));
  expect_open(with("i % 4", "2", "2"));
  expect_open(with("i // 2", "1", "2"));
}

TEST(Content, AStoreKillsWhatItHits) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(B[0] == 5)
    T.assume(n >= 0 and n < 4)
    STORE
    if B[0] == 5:
        A[0] = 1
)";
  expect_known(put(text, "STORE", "B[1] = 3"));
  expect_known(put(text, "STORE", "for k in range(3):\n        B[3 - k] = A[k]"));
  expect_known(put(text, "STORE", "B[n + 1 - n] = A[1]"));
  expect_open(put(text, "STORE", "B[0] = A[1]"));
  expect_open(put(text, "STORE", "B[n] = A[1]"));
  expect_open(put(text, "STORE", "B[T.max(0, T.min(A[2], 3))] = A[1]"));
  expect_open(put(text, "STORE", "for k in range(4):\n        B[3 - k] = A[k]"));
  expect_open(put(text, "STORE", "if A[0] > 0:\n        B[0] = A[1]"));
}

TEST(Content, AliveInTheFirstIterationOnly) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32"), C: T.Buffer((4,), "int32")):
    B[0] = 0
    for i in range(4):
        if WHEN:
            if B[0] == 0:
                C[i] = A[i]
        B[0] = B[0] + A[i]
)";
  expect_known(put(text, "WHEN", "i == 0"), 1);
  expect_open(put(text, "WHEN", "i <= 1"), 1);
  expect_open(put(text, "WHEN", "i >= 0"), 1);
  // In a parallel loop no iteration is the first.
  expect_open(put(put(text, "range(4)", "T.parallel(4)"), "WHEN", "i == 0"), 1);
}

TEST(Content, WhatEarlierIterationsLeft) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i > 0:
            if B[WHICH] == VALUE:
                A[i] = 1
        B[i] = 3 * i
)";
  auto with = [&](const std::string& which, const std::string& value) {
    return put(put(text, "WHICH", which), "VALUE", value);
  };
  expect_known(with("i - 1", "3 * i - 3"), 1);
  expect_known(with("0", "0"), 1);
  expect_open(with("i", "3 * i"), 1);
  expect_open(with("7", "21"), 1);
}

TEST(Content, AStoreThatReadsItsOwnCell) {
  expect_open(R"(
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = B[0] + 1
    if B[0] == B[0] + 1:
        A[0] = 1
)");
  expect_known(R"(
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(7):
        B[i + 1] = B[i] + 1
    if B[4] == B[3] + 1:
        A[0] = 1
)");
  expect_open(R"(
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(7):
        B[i] = B[i + 1] + 1
    if B[3] == B[4] + 1:
        A[0] = 1
)");
}

TEST(Content, CopiesThroughACache) {
  expect_known(R"(
def f(A: T.Buffer((14,), "int32"), C: T.Buffer((1,), "int32")):
    for i in range(14):
        T.assume(A[i] > 3)
    B = T.alloc_buffer((4, 4), "int32")
    for io, ii in T.grid(4, 4):
        if 4 * io + ii < 14:
            B[io, ii] = A[4 * io + ii]
        else:
            B[io, ii] = 9
    for x, y in T.grid(4, 4):
        if B[x, y] > 3:
            C[0] = 1
)",
               1);
}

TEST(Content, AValueThatAConditionChooses) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "float32"), C: T.Buffer((1,), "int32")):
    P = T.alloc_buffer((4, 4), "float32")
    for io, ii in T.grid(4, 4):
        P[io, ii] = T.if_then_else(4 * io + ii < 14, A[T.min(4 * io + ii, 13)], T.float32(0))
    for x, y in T.grid(4, 4):
        if x == 3 and y >= FROM:
            if T.float32(1) / P[x, y] > T.float32(0):
                C[0] = 1
)";
  expect_known(put(text, "FROM", "2"), 1);
  expect_open(put(text, "FROM", "1"), 1);
}

TEST(Content, AnObligationReadsWell) {
  PrimFunc func = parse(R"(
def f(B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(4):
        B[2 * i] = 5
    for i in range(4):
        B[n + i] = 3
    B[7] = 3
)");
  Path last{2};
  Expr goal = same_bits(load(func.buffer_params()[0], {i32(4)}), i32(5));
  std::vector<Expr> given = with_content(func, last, facts_at(func, last).given(), {goal});
  std::string text = print(Obligation{"test", "why", {}, given, goal});
  EXPECT_NE(text.find("or same_bits(B[4], 5)"), std::string::npos) << text;
  EXPECT_NE(text.find("i_store"), std::string::npos) << text;
  EXPECT_NE(text.find("show  same_bits(B[4], 5)"), std::string::npos) << text;
}

/// Costs follow the text of the program: hundreds of stores to one buffer are no trouble.
TEST(Content, ManyStores) {
  std::string text = "def f(A: T.Buffer((1000,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n";
  for (int k = 0; k < 400; ++k) text += "    A[" + std::to_string(k) + "] = " + std::to_string(2 * k) + "\n";
  text += "    if A[390] == 780:\n        C[0] = 1\n";
  expect_known(text);
  std::string nested = "def f(A: T.Buffer((1000,), \"int32\"), C: T.Buffer((1,), \"int32\")):\n";
  for (int k = 0; k < 60; ++k) {
    nested += "    for i" + std::to_string(k) + " in range(10):\n        A[i" + std::to_string(k) + " + " +
              std::to_string(10 * k) + "] = " + std::to_string(k) + "\n";
  }
  nested += "    if A[595] == 59:\n        C[0] = 1\n";
  expect_known(nested);
}

TEST(Content, ZerosAndNaNs) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((4,), "TYPE")):
    GIVEN
    for i in range(4):
        if T.TYPE(1) / A[i] > T.TYPE(0):
            B[i] = T.TYPE(1)
)";
  for (const char* type : {"float16", "float32"}) {
    std::string typed = put(text, "TYPE", type);
    std::string zero = std::string("T.") + type + "(0)";
    expect_open(put(typed, "GIVEN", "for k in range(4):\n        T.assume(A[k] == " + zero + ")"));
    expect_known(put(typed, "GIVEN", "for k in range(4):\n        A[k] = " + zero));
  }
}

TEST(Content, Blocks) {
  const std::string text = R"(
def f(A: T.Buffer((8, 8), "int32"), C: T.Buffer((8,), "int32"), D: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 8):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = 5
            if vk == 0:
                if C[vi] == 5:
                    D[vi] = 1
            C[vi] = C[vi] + A[vi, vk]
    for i in range(8):
        with T.block("D"):
            vi = T.axis.spatial(8, 7 - i)
            T.where(i < 5)
            D[vi] = 11
    for i in range(8):
        if i >= 3:
            if D[i] == 11:
                C[i] = 0
)";
  expect_known(text, 1);
  expect_open(put(text, "vk == 0", "vk < 2"), 1);
  expect_known(text, 3);
  expect_open(put(text, "i >= 3", "i >= 2"), 3);
}

TEST(Content, MemoryOfAnIterationIsItsOwn) {
  expect_open(R"(
def f(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B = T.alloc_buffer((1,), "int32")
        if A[i] > 0:
            B[0] = 1
        else:
            B[0] = A[i]
        if B[0] == 1:
            C[i] = 1
)",
              1);
}

TEST(Content, LetsAndUndef) {
  expect_known(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        x: T.int32 = A[i]
        B[i] = x
    for i in range(4):
        if B[i] == A[i]:
            A[0] = A[0]
)");
  expect_open(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.undef(dtype="int32")
    if B[0] == B[1]:
        A[0] = 1
)");
  expect_open(R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        T.assume(i < 2 or A[i] == T.undef(dtype="int32"))
    if A[2] == A[3]:
        B[0] = 1
)");
}

/// The place lies in the loops of an earlier iteration's facts: nothing is captured.
TEST(Content, InnerLoopsOfEarlierIterations) {
  const std::string text = R"(
def f(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32")):
    for i in range(8):
        for j in range(8):
            if i > 0:
                if B[i - 1, WHICH] == 8 * i - 8 + WHICH:
                    A[i, j] = 1
            B[i, j] = 8 * i + j
)";
  expect_known(put(text, "WHICH", "j"), 1);
  expect_known(put(text, "WHICH", "(7 - j)"), 1);
  expect_open(
      put(put(text, "i > 0", "i >= 0 and j > 0"), "B[i - 1, WHICH] == 8 * i - 8 + WHICH", "B[i, j] == 8 * i + j"), 1);
  expect_known(put(put(text, "i > 0", "i >= 0 and j > 0"), "B[i - 1, WHICH] == 8 * i - 8 + WHICH",
                   "B[i, j - 1] == 8 * i + j - 1"),
               1);
}

}  // namespace content_test
}  // namespace hexproof
