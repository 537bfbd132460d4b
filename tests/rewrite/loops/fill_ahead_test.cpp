#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace fill_ahead_test {

constexpr const char* kText = R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    for i in range(8):
        t = T.alloc_buffer((4,), "int32")
        for j in range(4):
            t[j] = A[i, j]
        for k in range(4):
            B[i, k] = t[3 - k]
)";

Args ahead(const PrimFunc& func, int64_t slots, int64_t by) {
  return {{"loop", loop_named(func, "i")}, {"slots", slots}, {"ahead", by}};
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(FillAhead, SlotsThatGoRound) {
  expect_applies(kText, "fill-ahead", ahead(parse(kText), 2, 1), R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    t = T.alloc_buffer((2, 4), "int32")
    for i_ahead in range(1):
        if i_ahead < 8:
            for j in range(4):
                t[i_ahead % 2, j] = A[i_ahead, j]
    for i in range(8):
        if i < 7:
            for j in range(4):
                t[(i + 1) % 2, j] = A[i + 1, j]
        for k in range(4):
            B[i, k] = t[i % 2, 3 - k]
)");
  for (int64_t slots : {1, 2, 3, 5}) {
    for (int64_t by = 0; by < slots; ++by) {
      expect_applies(kText, "fill-ahead", ahead(parse(kText), slots, by), "");
    }
  }
  expect_applies(kText, "fill-ahead", ahead(parse(kText), 12, 10), "");
}

TEST(FillAhead, TheUsesMayWriteTheirSlot) {
  const std::string text = replaced(kText, "B[i, k] = t[3 - k]", "t[k] = t[k] + 1\n            B[i, k] = t[k]");
  expect_applies(text, "fill-ahead", ahead(parse(text), 2, 1), "");
}

TEST(FillAhead, BlocksAndSizes) {
  const std::string text = R"(
def before(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 4), "int32")
    B = T.match_buffer(b, (n, 4), "int32")
    for i in range(n):
        t = T.alloc_buffer((4,), "int32")
        for j in range(4):
            with T.block("fill"):
                v, w = T.axis.remap("SS", [i, j])
                t[w] = A[v, w]
        for k in range(4):
            with T.block("use"):
                v, w = T.axis.remap("SS", [i, k])
                B[v, w] = t[w]
)";
  for (int64_t n : {0, 1, 2, 5}) expect_applies(text, "fill-ahead", ahead(parse(text), 3, 2), "", {{"n", n}});
}

TEST(FillAhead, Condition1TheLoopRunsInOrderFromZero) {
  for (const char* loop : {"T.parallel(8)", "T.unroll(8)", "range(0, 8)"}) {
    const PrimFunc func = parse(replaced(kText, "range(8)", loop));
    if (std::string(loop) == "range(0, 8)") {
      applied(func, "fill-ahead", ahead(func, 2, 1));
    } else {
      expect_not_applicable(func, "fill-ahead", ahead(func, 2, 1), "not serial");
    }
  }
  const PrimFunc func = parse(replaced(kText, "range(8)", "range(1, 8)"));
  // Taken from 0, iteration 0 would be filled, and the last one would not.
  expect_not_applicable_rightly(func, "fill-ahead", ahead(func, 2, 1), "start at 0", R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    t = T.alloc_buffer((2, 4), "int32")
    for p in range(1):
        for j in range(4):
            t[p % 2, j] = A[p, j]
    for i in range(1, 8):
        if i < 6:
            for j in range(4):
                t[(i + 1) % 2, j] = A[i + 1, j]
        for k in range(4):
            B[i, k] = t[i % 2, 3 - k]
)");
}

TEST(FillAhead, Condition2WhatItReadsIsWrittenInTheLoop) {
  const PrimFunc func = parse(replaced(kText, "B[i, k] = t[3 - k]", "A[(i + 1) % 8, k] = t[k]"));
  expect_not_applicable_rightly(func, "fill-ahead", ahead(func, 2, 1), "reads 'A' of the loop", R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    t = T.alloc_buffer((2, 4), "int32")
    for j in range(4):
        t[0, j] = A[0, j]
    for i in range(8):
        if i < 7:
            for j in range(4):
                t[(i + 1) % 2, j] = A[i + 1, j]
        for k in range(4):
            A[(i + 1) % 8, k] = t[i % 2, k]
)");
  // So is what it permits to read: an iteration early, nothing is there yet.
  const PrimFunc permits = parse(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((8, 4), "int32")):
    X = T.alloc_buffer((9, 4), "int32")
    for j in range(4):
        X[0, j] = A[j]
    for i in range(8):
        t = T.alloc_buffer((4,), "int32")
        for j in range(4):
            t[j] = X[i, j]
        for k in range(4):
            T.assume(X[i + 1, k] == T.undef())
            B[i, k] = t[k]
)");
  expect_not_applicable_rightly(permits, "fill-ahead", ahead(permits, 2, 1), "reads 'X' of the loop", R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((8, 4), "int32")):
    X = T.alloc_buffer((9, 4), "int32")
    t = T.alloc_buffer((2, 4), "int32")
    for j in range(4):
        X[0, j] = A[j]
    for j in range(4):
        t[0, j] = X[0, j]
    for i in range(8):
        if i < 7:
            for j in range(4):
                t[(i + 1) % 2, j] = X[i + 1, j]
        for k in range(4):
            T.assume(X[i + 1, k] == T.undef())
            B[i, k] = t[i % 2, k]
)");
  const PrimFunc other = parse(replaced(kText, "t[j] = A[i, j]", "t[j] = A[i, j]\n            B[0, j] = i"));
  expect_not_applicable(other, "fill-ahead", ahead(other, 2, 1), "does not write one buffer");
  const PrimFunc outside = parse(R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32")):
    t = T.alloc_buffer((4,), "int32")
    for i in range(8):
        for j in range(4):
            t[j] = A[i, j]
        for k in range(4):
            B[i, k] = t[3 - k]
)");
  expect_not_applicable(outside, "fill-ahead", ahead(outside, 2, 1), "does not write one buffer");
}

TEST(FillAhead, Condition3ASlotThatIsStillUsed) {
  const PrimFunc func = parse(kText);
  for (int64_t slots : {1, 2, 3}) {
    expect_refused_rightly(func, "fill-ahead", ahead(func, slots, slots),
                           "none that an iteration until then still uses");
  }
  // The copies in front of the loop share a slot, too, also where no other one follows.
  const PrimFunc two = parse(replaced(kText, "range(8)", "range(2)"));
  expect_refused_rightly(two, "fill-ahead", ahead(two, 1, 3), "none that an iteration until then still uses");
  applied(two, "fill-ahead", ahead(two, 2, 3));
  std::optional<Refused> no = refusal(func, "fill-ahead", ahead(func, 1, 1));
  ASSERT_TRUE(no);
  EXPECT_EQ(no->answer.verdict, Verdict::Refuted);
  EXPECT_NE(std::string(no->what()).find("i_using = "), std::string::npos) << no->what();
}

TEST(FillAhead, Condition4TheNewIndicesFit) {
  const std::string text = R"(
def before(a: T.handle, b: T.handle):
    n = T.uint8()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        t = T.alloc_buffer((1,), "int32")
        t[0] = A[i]
        B[i] = t[0]
)";
  const PrimFunc func = parse(text);
  std::optional<Refused> no = refusal(func, "fill-ahead", ahead(func, 3, 2));
  ASSERT_TRUE(no);
  EXPECT_NE(no->obligation.why.find("is no error"), std::string::npos) << no->what();
}

TEST(FillAhead, Condition5TheSlotsFitInMemory) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        t = T.alloc_buffer((300000000,), "int32")
        t[i] = A[i]
        B[i] = t[i]
)");
  expect_refused_rightly(func, "fill-ahead", ahead(func, 2, 1), "memory", {}, 1);
  const PrimFunc grows = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        t = T.decl_buffer((i + 1,), "int32")
        t[i] = A[i]
        B[i] = t[i]
)");
  expect_not_applicable(grows, "fill-ahead", ahead(grows, 2, 1), "depends on the loop");
}

// The copy of iteration 1 divides by n, which what follows the copy of iteration 0 assumes not to be zero.
TEST(FillAhead, Condition6AnAssumeOfAnEarlierIteration) {
  const std::string text = R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        t = T.alloc_buffer((2,), "int32")
        for j in range(2):
            t[j] = A[i] // T.max(T.min(i, 1) * n, 1 - i)
        T.assume(ASSUMED)
        B[i] = t[i % 2]
)";
  const PrimFunc func = parse(replaced(text, "ASSUMED", "n > 0 or i > 0"));
  // One iteration early it passes the assume in the loop; two early, in front of the loop.
  for (const auto& [slots, by] : {std::pair{2, 1}, std::pair{3, 2}}) {
    ASSERT_TRUE(refusal(func, "fill-ahead", ahead(func, slots, by)));
    EXPECT_EQ(error_of(func, {{"n", 0}}), ErrorKind::FalseAssume);
    EXPECT_EQ(error_of(proposed(func, "fill-ahead", ahead(func, slots, by)), {{"n", 0}}), ErrorKind::Operation);
  }
  applied(func, "fill-ahead", ahead(func, 2, 0));  // nothing is early
  // What the copies rest on is assumed in front of all of them, and of the results something else.
  const PrimFunc known =
      parse(replaced(replaced(text, "ASSUMED", "B[7 - i] >= 0"), "    for i", "    T.assume(n > 0)\n    for i"));
  for (const auto& [slots, by] : {std::pair{2, 1}, std::pair{3, 2}}) {
    applied(known, "fill-ahead", ahead(known, slots, by));
  }
}

}  // namespace fill_ahead_test
}  // namespace hexproof
