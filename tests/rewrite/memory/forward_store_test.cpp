#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace forward_store_test {

constexpr const char* kRule = "forward-store";

/// The k-th load of `buffer` in the last statement that has one, and the store number `from`.
Args forward(const PrimFunc& func, size_t from, const Path& expr, size_t to = 0) {
  std::vector<Path> stores = find_all(func, [](const Stmt& s) { return s.as<Store>() != nullptr; });
  const Path at = to == 0 ? stores.back() : stores.at(to);
  return {{"at", at}, {"expr", expr}, {"store", stores.at(from)}};
}

TEST(ForwardStore, TheValueAtTheCell) {
  const char* text = R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = A[i] * 2
    for j in range(8):
        C[j] = B[j + 8]
)";
  PrimFunc func = parse(text);
  expect_applies(text, kRule, forward(func, 0, {1}), R"(
def after(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = A[i] * 2
    for j in range(8):
        C[j] = A[j + 8] * 2
)");
}

TEST(ForwardStore, InOneIterationAndOfEachType) {
  for (const char* type : {"int8", "uint16", "int64", "float16", "float32"}) {
    std::string text = R"(
def before(A: T.Buffer((16,), "TYPE"), C: T.Buffer((16,), "TYPE")):
    B = T.alloc_buffer((1,), "TYPE")
    for i in range(16):
        B[0] = A[i] + A[i]
        C[i] = B[0] * B[0]
)";
    for (size_t at; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
    expect_applies(text, kRule, forward(parse(text), 0, {1, 0}), "");
  }
}

TEST(ForwardStore, ThroughBlocksAndTiles) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,), "float32")
    for io, ii in T.grid(4, 4):
        with T.block("B"):
            v = T.axis.spatial(16, io * 4 + ii)
            B[v] = A[v] + T.float32(1)
    for i in range(16):
        with T.block("C"):
            v = T.axis.spatial(16, i)
            C[v] = B[15 - v]
)";
  PrimFunc after = applied(parse(text), kRule, forward(parse(text), 0, {1}));
  EXPECT_EQ(difference(parse(text), after), "");
  EXPECT_EQ(print(after).find("B[15 - v]"), std::string::npos) << print(after);
}

// The guard of the value goes with it, and that around the load is known.
TEST(ForwardStore, UnderConditions) {
  const char* text = R"(
def before(A: T.Buffer((16,), "float32"), C: T.Buffer((18,), "float32")):
    B = T.alloc_buffer((16,), "float32")
    for i in range(16):
        B[i] = T.if_then_else(i < 8, A[i + 8], A[i])
    for j in range(18):
        C[j] = T.if_then_else(1 <= j and j < 17, B[j - 1], T.float32(0))
)";
  expect_applies(text, kRule, forward(parse(text), 0, {1, 1}), "");
}

TEST(ForwardStore, SymbolicSizes) {
  const char* text = R"(
def before(a: T.handle, c: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "int32")
    C = T.match_buffer(c, (n,), "int32")
    B = T.alloc_buffer((n,), "int32")
    for i in range(n):
        B[i] = A[i] + 1
    for i in range(n):
        C[i] = B[n - 1 - i]
)";
  PrimFunc after = applied(parse(text), kRule, forward(parse(text), 0, {1}));
  EXPECT_EQ(difference(parse(text), after, {{"n", 5}}), "");
}

// What is read as another type are the bits of the value.
TEST(ForwardStore, ThroughAViewOfAnotherType) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "float32")
    V = T.decl_buffer((16,), "int32", data=B.data)
    for i in range(16):
        V[i] = A[i]
    for i in range(16):
        C[i] = V[i]
)");
  const PrimFunc after = applied(func, kRule, forward(func, 0, {1, 0}));
  EXPECT_NE(print(after).find("C[i] = T.reinterpret(\"int32\", T.reinterpret(\"float32\", A[i]))"), std::string::npos)
      << print(after);
  EXPECT_EQ(difference(func, after), "");
}

TEST(ForwardStore, Condition1TheStoreRanAtThisCell) {
  PrimFunc range = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = 7
    for i in range(8):
        B[i] = A[i]
    for i in range(16):
        C[i] = B[i]
)");
  expect_refused_rightly(range, kRule, forward(range, 1, {1}), "the store ran");
  PrimFunc guard = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = 7
    for i in range(16):
        if i % 3 == 1:
            B[i] = A[i]
    for i in range(16):
        C[i] = B[i]
)");
  expect_refused_rightly(guard, kRule, forward(guard, 1, {1}), "the store ran");
  PrimFunc stride = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = 7
    for i in range(8):
        B[i * 2] = A[i]
    for i in range(16):
        C[i] = B[i]
)");
  expect_refused_rightly(stride, kRule, forward(stride, 1, {1}), "the store ran");
}

// What decides whether the store runs is memory: nobody knows later.
TEST(ForwardStore, Condition1NotUnderAGuardThatIsData) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = 7
    for i in range(16):
        if C[i] > 0:
            B[i] = A[i]
    for i in range(16):
        C[i] = B[i]
)");
  EXPECT_TRUE(not_applicable(func, kRule, forward(func, 1, {1})) || refusal(func, kRule, forward(func, 1, {1})));
  EXPECT_NE(difference(func, parse(R"(
def tempting(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        C[i] = A[i]
)")),
            "");
}

TEST(ForwardStore, Condition2AnotherStoreToTheCell) {
  PrimFunc between = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = A[i]
    B[3] = 5
    for i in range(16):
        C[i] = B[i]
)");
  expect_refused_rightly(between, kRule, forward(between, 0, {1}), "holds the bits");
  PrimFunc again = parse(R"(
def before(A: T.Buffer((4, 4), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for i, j in T.grid(4, 4):
        B[j] = A[i, j]
    for j in range(4):
        C[j] = B[j]
)");
  // Of the iterations that write the cell it is the last one whose value is there.
  expect_refused_rightly(again, kRule, forward(again, 0, {1}), "holds the bits");
  PrimFunc sum = parse(R"(
def before(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for i in range(4):
        B[i] = 1
    for i in range(4):
        C[i] = B[0]
        B[0] = A[i]
)");
  expect_refused_rightly(sum, kRule, forward(sum, 0, {1}, 1), "holds the bits");
}

TEST(ForwardStore, Condition3AnInputThatChanges) {
  PrimFunc between = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = A[i]
    A[3] = 5
    for i in range(16):
        C[i] = B[i]
)");
  expect_refused_rightly(between, kRule, forward(between, 0, {1}), "nothing is stored to what the value reads");
  PrimFunc reversed = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for i in range(16):
        B[i] = A[i]
    for i in range(16):
        A[i] = B[15 - i]
)");
  expect_refused_rightly(reversed, kRule, forward(reversed, 0, {1}), "nothing is stored to what the value reads");
  // A running sum reads what it stores.
  PrimFunc sum = parse(R"(
def before(A: T.Buffer((4,), "int32"), C: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((1,), "int32")
    B[0] = 0
    for i in range(4):
        B[0] = B[0] + A[i]
    C[0] = B[0]
)");
  expect_not_applicable(sum, kRule, forward(sum, 1, {1}), "reads the buffer itself");
}

TEST(ForwardStore, Condition4AValueIsChosenOnce) {
  PrimFunc undef = parse(R"(
def before(C: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((1,), "int32")
    B[0] = T.undef(dtype="int32")
    C[0] = B[0] - B[0]
)");
  // (The interpreter takes one value for every undef; the difference of two is any value.)
  expect_not_applicable(undef, kRule, forward(undef, 0, {1, 0}), "undef");
  const char* text = R"(
def before(A: T.Buffer((4,), "float32"), C: T.Buffer((1,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc"})
    B = T.alloc_buffer((1,), "float32")
    B[0] = A[0] + A[1] + A[2]
    C[0] = B[0] - B[0]
)";
  PrimFunc open = parse(text);
  expect_not_applicable(open, kRule, forward(open, 0, {1, 0}), "a second evaluation");
  std::string strict = text;
  strict.erase(strict.find("    T.func_attr"), strlen("    T.func_attr({\"hexproof.fp\": \"reassoc\"})\n"));
  expect_applies(strict, kRule, forward(parse(strict), 0, {1, 0}), "");
}

TEST(ForwardStore, Condition5WhatIsNotInScope) {
  PrimFunc memory = parse(R"(
def before(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for i in range(4):
        t = T.alloc_buffer((1,), "int32")
        t[0] = A[i]
        B[i] = t[0]
    for i in range(4):
        C[i] = B[i]
)");
  expect_not_applicable(memory, kRule, forward(memory, 1, {1}), "not in scope");
  // The variable holds what the cell was.
  PrimFunc variable = parse(R"(
def before(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for i in range(4):
        x: T.int32 = A[i]
        A[i] = 0
        B[i] = x
    for i in range(4):
        C[i] = B[i]
)");
  expect_not_applicable_rightly(variable, kRule, forward(variable, 1, {1}), "not in scope", R"(
def tempting(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = 0
    for i in range(4):
        C[i] = A[i]
)");
}

TEST(ForwardStore, Condition6WhereNothingIsPutIn) {
  // A permission would be one of another cell.
  PrimFunc permission = parse(R"(
def before(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for i in range(4):
        B[i] = A[i]
    for i in range(4):
        T.assume(i < 2 or B[i] == T.undef(dtype="int32"))
        C[i] = B[i]
)");
  const Path at = nth<Assume>(permission);
  expect_not_applicable(permission, kRule, {{"at", at}, {"expr", Path{0, 1, 0}}, {"store", nth<Store>(permission)}},
                        "assume");
  // As data the sum wraps; as an index it is an error.
  PrimFunc variable = parse(R"(
def before(C: T.Buffer((1,), "int32")):
    B = T.alloc_buffer((1,), "int32")
    B[0] = 2147483647
    x: T.int32 = B[0]
    C[0] = x + 1
)");
  expect_not_applicable_rightly(
      variable, kRule, {{"at", nth<LetStmt>(variable)}, {"expr", Path{0}}, {"store", nth<Store>(variable)}}, "an index",
      R"(
def tempting(C: T.Buffer((1,), "int32")):
    x: T.int32 = 2147483647
    C[0] = x + 1
)");
}

TEST(ForwardStore, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for i in range(4):
        C[i] = A[i]
    for i in range(4):
        B[i] = A[i]
)");
  expect_not_applicable(func, kRule, forward(func, 1, {1}, 0), "another buffer");
  expect_not_applicable(func, kRule, forward(func, 1, {0}, 0), "no load");
  expect_not_applicable(func, kRule, forward(func, 1, {7}, 0), "no load");
  EXPECT_TRUE(not_applicable(func, kRule, {{"at", Path{9, 9}}, {"expr", Path{1}}, {"store", nth<Store>(func)}}));
}

}  // namespace forward_store_test
}  // namespace hexproof
