// What stores and assumes left in the cells, as rules use it. Verified against the interpreter in both directions.
#include "tests/rewrite/traps/traps.h"
#include "tests/support/put.h"

namespace hexproof {
namespace content_test {

Args take(const PrimFunc& func, size_t k = 0) { return {{"at", nth<If>(func, k)}, {"takes", int64_t{1}}}; }
Args drop(const PrimFunc& func, size_t k = 0) {
  return {{"at", nth<Store>(func, k)}, {"kind", std::string("already-there")}};
}
Args know(const std::string& applications) { return {{"at", Path{}}, {"applications", applications}}; }

TEST(ContentRules, ABranchOnPaddingThatWasStored) {
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    const std::string text = put(R"(
def f(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (4 * n - 2,), "TYPE")
    B = T.match_buffer(b, (n, 4), "TYPE")
    P = T.alloc_buffer((n, 4), "TYPE")
    for i in range(4 * n - 2):
        P[i // 4, i % 4] = A[i]
    for io, ii in T.grid(n, 4):
        if 4 * io + ii >= 4 * n - 2:
            P[io, ii] = T.TYPE(3)
    for io, ii in T.grid(n, 4):
        if io == n - 1 and ii >= FROM:
            if P[io, ii] == T.TYPE(3):
                B[io, ii] = T.TYPE(1)
)",
                                 "TYPE", type);
    PrimFunc padding = parse(put(text, "FROM", "2")), more = parse(put(text, "FROM", "1"));
    for (int64_t n : {1, 3}) expect_sound(padding, "eliminate-branch", take(padding, 2), {{"n", n}});
    expect_refused_rightly(more, "eliminate-branch", take(more, 2), "always holds", {{"n", 3}});
  }
}

TEST(ContentRules, ABranchOnPaddingThatIsAssumed) {
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "TYPE"), B: T.Buffer((4, 4), "TYPE")):
    for io, ii in T.grid(4, 4):
        T.assume(4 * io + ii < 14 or A[io, ii] == T.TYPE(0))
    BETWEEN
    for io, ii in T.grid(4, 4):
        if io == 3 and ii >= 2:
            if A[io, ii] == T.TYPE(0):
                B[io, ii] = T.TYPE(1)
)";
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    std::string typed = put(text, "TYPE", type);
    PrimFunc quiet = parse(put(typed, "BETWEEN", "B[0, 0] = A[0, 0]"));
    PrimFunc spared = parse(put(typed, "BETWEEN", "for k in range(3):\n        A[k, 3] = B[k, 2]"));
    PrimFunc killed = parse(put(typed, "BETWEEN", "for k in range(4):\n        A[k, 3] = B[k, 2]"));
    applied(quiet, "eliminate-branch", take(quiet, 1));
    applied(spared, "eliminate-branch", take(spared, 1));
    // Random inputs do not satisfy the assume: its sibling without one shows that the last store breaks it.
    EXPECT_TRUE(refusal(killed, "eliminate-branch", take(killed, 1)));
    std::string stored = put(put(put(typed, "T.assume(4 * io + ii < 14 or A[io, ii] == ", "A[io, ii] = ("), "BETWEEN",
                                 "for k in range(4):\n        A[k, 3] = B[k, 2]"),
                             "(T.", "T.");
    stored = put(stored, "(0))", "(0)");
    PrimFunc shown = parse(stored);
    expect_refused_rightly(shown, "eliminate-branch", take(shown, 1), "always holds");
  }
}

TEST(ContentRules, WhatASecondStoreWouldLeave) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        B[i] = A[i] + T.TYPE(1)
    BETWEEN
    for i in range(8):
        B[i] = A[i] + T.TYPE(1)
)";
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    std::string typed = put(text, "TYPE", type);
    PrimFunc quiet = parse(put(typed, "BETWEEN", "T.evaluate(0)"));
    PrimFunc value = parse(put(typed, "BETWEEN", "B[5] = A[5]")), input = parse(put(typed, "BETWEEN", "A[5] = B[5]"));
    expect_sound(quiet, "remove-store", drop(quiet, 1));
    expect_refused_rightly(value, "remove-store", drop(value, 2), "bits of the value");
    expect_refused_rightly(input, "remove-store", drop(input, 2), "bits of the value");
  }
}

TEST(ContentRules, AZeroOfOneSignIsStored) {
  const std::string text = R"(
def f(B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        B[i] = T.TYPE(FIRST)
    for i in range(8):
        B[i] = T.TYPE(0.0)
)";
  for (const char* type : {"float16", "float32", "float64"}) {
    std::string typed = put(text, "TYPE", type);
    PrimFunc same = parse(put(typed, "FIRST", "0.0")), other = parse(put(typed, "FIRST", "-0.0"));
    expect_sound(same, "remove-store", drop(same, 1));
    expect_refused_rightly(other, "remove-store", drop(other, 1), "bits of the value");
    other.attrs["hexproof.fp"] = std::string("nsz");
    applied(other, "remove-store", drop(other, 1));
  }
}

// RFC 0077, RemoveNoOp: overwritten, overwritten by a larger block, read and written back, known to be there.
TEST(ContentRules, FourStoresThatDoNothing) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "TYPE"), B: T.Buffer((4, 4), "TYPE")):
    for i in range(14):
        B[i // 4, i % 4] = T.TYPE(0)
        B[i // 4, i % 4] = A[i]
    for io, ii in T.grid(4, 4):
        B[io, ii] = T.TYPE(7)
    for ii in range(4):
        B[3, ii] = B[3, ii]
    for ii in range(4):
        B[2, 3 - ii] = T.TYPE(7)
)";
  auto over = [](const PrimFunc& func, size_t store, size_t by) {
    return Args{{"at", nth<Store>(func, store)}, {"kind", std::string("overwritten")}, {"by", nth<Store>(func, by)}};
  };
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    PrimFunc func = parse(put(text, "TYPE", type));
    expect_sound(func, "remove-store", over(func, 0, 1));
    expect_sound(func, "remove-store", over(func, 1, 2));
    expect_sound(func, "remove-store", drop(func, 3));
    expect_sound(func, "remove-store", drop(func, 4));
    PrimFunc less = parse(put(put(text, "TYPE", type), "in T.grid(4, 4)", "in T.grid(3, 4)"));
    expect_refused_rightly(less, "remove-store", over(less, 1, 2), "written again");
    PrimFunc other = parse(put(put(text, "TYPE", type), "B[3, ii] = B[3, ii]", "B[3 - ii, 3] = B[0, 0] + B[0, 0]"));
    expect_refused_rightly(other, "remove-store", drop(other, 4), "bits of the value");
  }
}

// RFC 0077, Points of Communication: stores that an undef overwrites are free.
TEST(ContentRules, OverwrittenByUndef) {
  const std::string text = R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((4, 4), "int32"), C: T.Buffer((1,), "int32")):
    for io, ii in T.grid(4, 4):
        if 4 * io + ii < 14:
            B[io, ii] = A[4 * io + ii]
        else:
            B[io, ii] = 0
    C[0] = READ
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= LIMIT:
            B[io, ii] = T.undef(dtype="int32")
)";
  auto with = [&](const char* read, const char* limit) { return parse(put(put(text, "READ", read), "LIMIT", limit)); };
  auto over = [](const PrimFunc& func, size_t store) {
    return Args{{"at", nth<Store>(func, store)}, {"kind", std::string("overwritten")}, {"by", nth<Store>(func, 3)}};
  };
  PrimFunc func = with("0", "14"), read = with("B[3, 3]", "14"), less = with("0", "15");
  expect_sound(func, "remove-store", over(func, 1));
  expect_refused_rightly(func, "remove-store", over(func, 0), "written again");
  expect_refused_rightly(read, "remove-store", over(read, 1), "nothing reads the cell");
  expect_refused_rightly(less, "remove-store", over(less, 1), "written again");
}

// RFC 0077, RemoveNoOp: the value is known to be in the buffer (an integer, so that zero has one form).
TEST(ContentRules, AValueThatIsThereAlready) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    T.assume(B[0] == 0)
    A[3] = A[4]
    B[0] = 0
    for i in range(16):
        B[0] = B[0] + A[i]
)");
  expect_sound(func, "remove-store", drop(func, 1));
}

// RFC 0077, Simplify: the first reading of B[0] may become 0, and the later ones may not.
TEST(ContentRules, AKnownValueInTheFirstReadingOnly) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    if A[0] == B[0]:
        for i in range(16):
            B[0] = B[0] + A[i]
)");
  PrimFunc after = simplified(func);
  expect_program(after, R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    if A[0] == 0:
        for i in range(16):
            B[0] = B[0] + A[i]
)");
  EXPECT_EQ(difference(func, after), "");
}

TEST(ContentRules, AFloatThatIsAssumedZeroIsNotReplaced) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((4,), "TYPE")):
    for i in range(4):
        T.assume(A[i] == T.TYPE(VALUE))
    for i in range(4):
        B[i] = A[i]
)";
  const std::string replaced = R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((4,), "TYPE")):
    for i in range(4):
        T.assume(A[i] == T.TYPE(VALUE))
    for i in range(4):
        B[i] = T.TYPE(VALUE)
)";
  auto with = [](const std::string& of, const std::string& type, const std::string& value) {
    return put(put(of, "TYPE", type), "VALUE", value);
  };
  for (const char* type : {"float16", "float32"}) {
    PrimFunc zero = parse(with(text, type, "0"));
    expect_program(simplified(zero), with(text, type, "0"));
    std::vector<Tensor> before = random_inputs(zero, 0);
    size_t size = before[0].data.size(), width = size / 4;
    for (size_t k = 0; k < size; ++k) before[0].data[k] = k % width == width - 1 ? 0x80 : 0;
    std::vector<Tensor> after = before;
    ASSERT_FALSE(run(zero, before).error);
    ASSERT_FALSE(run(parse(with(replaced, type, "0")), after).error);
    EXPECT_NE(before[1].data, after[1].data) << "the zeros are negative ones";
    expect_program(simplified(parse(with(text, type, "2"))), with(replaced, type, "2"));
  }
  for (const char* type : {"int8", "int32"}) {
    expect_program(simplified(parse(with(text, type, "0"))), with(replaced, type, "0"));
  }
}

// Data wraps and an index does not: the sum wraps still when the load is gone.
TEST(ContentRules, DataThatBecomesIndexArithmetic) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = T.int32(VALUE) + i
    for i in range(4):
        B[i] = A[i] + 100
)";
  PrimFunc far = parse(put(text, "VALUE", "2147483600")), near = parse(put(text, "VALUE", "2147483500"));
  const std::string application = "known-value#0@1.0/1.0";
  expect_sound(near, "simplify", know(application));
  expect_sound(far, "simplify", know(application));
  PrimFunc after = applied(far, "simplify", know(application));
  EXPECT_NE(print(after).find("B[i] = T.wrap(2147483600 + i + 100)"), std::string::npos) << print(after);
  EXPECT_TRUE(refusal(far, "simplify", know(application + "; no-wrap#0@1.0/1")));
  expect_sound(near, "simplify", know(application + "; no-wrap#0@1.0/1"));
}

TEST(ContentRules, AnIndexThatWasStored) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    I = T.alloc_buffer((8,), "int32")
    for i in range(8):
        I[i] = 7 - i
    for i in range(8):
        B[i] = A[I[WHICH]]
)";
  PrimFunc func = parse(put(text, "WHICH", "i"));
  PrimFunc after = applied(func, "simplify", know("known-value#0@0.1.0/1.0"));
  EXPECT_EQ(difference(func, after), "");
  EXPECT_NE(print(after).find("B[i] = A[7 - i]"), std::string::npos) << print(after);
  EXPECT_TRUE(not_applicable(func, "simplify", know("known-value#0@0.1.0/1")));
}

TEST(ContentRules, KnownValueTextThatLeadsNowhere) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        T.assume(A[i] == 1)
        B[i] = A[i]
)");
  applied(func, "simplify", know("known-value#0@0.1/1"));
  for (const char* wrong :
       {"known-value#1@0.1/1", "known-value#0@0.1/0", "known-value#0@0.0/0.0", "known-value#0@0/0"}) {
    EXPECT_TRUE(not_applicable(func, "simplify", know(wrong))) << wrong;
  }
}

}  // namespace content_test
}  // namespace hexproof
