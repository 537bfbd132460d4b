// overcompute and introduce-branch, and the passes that find why a store leaves no trace.
#include "tests/rewrite/blocks/overcompute.h"

namespace hexproof {
namespace overcompute_test {

using namespace overcompute_programs;

// RFC 0077, "Overcompute vs Branching", on integers: what is added is zero.
constexpr const char* kRows = R"(
def rows(A: T.Buffer((16, 4, 4), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i, jo, ji in T.grid(16, 4, 4):
        T.assume(4 * jo + ji < 14 or A[i, jo, ji] == T.TYPE(PAD))
    for i in range(16):
        B[i] = T.TYPE(0)
        for jo, ji in T.grid(4, 4):
            if 4 * jo + ji < 14:
                B[i] = B[i] + A[i, jo, ji]
)";

TEST(Overcompute, TermsThatAreZero) {
  for (const char* type : {"int8", "int32"}) {
    PrimFunc func = parse(put(put(kRows, "TYPE", type), "PAD", "0"));
    PrimFunc after = applied(func, "overcompute", branch(func));
    EXPECT_EQ(ifs(after), 0u);
    // Another pad value is another sum.
    PrimFunc one = parse(put(put(kRows, "TYPE", type), "PAD", "1"));
    std::optional<Refused> refused = refusal(one, "overcompute", branch(one));
    ASSERT_TRUE(refused);
    EXPECT_NE(refused->obligation.why.find("bits that the cell holds"), std::string::npos);
  }
}

// Floats: -0.0 + 0.0 is 0.0, so without a flag it is not known to be nothing.
TEST(Overcompute, TermsThatAreZeroOnFloats) {
  for (const char* type : {"float16", "float32"}) {
    PrimFunc sum = parse(put(put(kRows, "TYPE", type), "PAD", "0.0"));
    EXPECT_EQ(ifs(applied(sum, "overcompute", branch(sum))), 0u) << "it starts at 0.0, and never is -0.0";
    PrimFunc func = parse(put(put(put(kRows, "B[i] = T.TYPE(0)", "B[i] = T.TYPE(-0.0)"), "TYPE", type), "PAD", "0.0"));
    EXPECT_TRUE(refusal(func, "overcompute", branch(func)));
    func.attrs["hexproof.fp"] = std::string("nsz");
    EXPECT_EQ(ifs(applied(func, "overcompute", branch(func))), 0u);
  }
  // The sum itself, bit by bit.
  const std::string text = R"(
def add(A: T.Buffer((4,), "float32"), B: T.Buffer((8,), "float32")):
    Z = T.alloc_buffer((8,), "float32")
    for i in range(8):
        Z[i] = T.float32(PAD)
    for i in range(4):
        Z[i] = A[i]
    for i in range(8):
        if i < 4:
            B[i] = B[i] + Z[i]
)";
  PrimFunc plus = parse(put(text, "PAD", "0.0")), minus = parse(put(text, "PAD", "-0.0"));
  expect_refused_rightly(plus, "overcompute", branch(plus), "bits that the cell holds");
  EXPECT_EQ(difference(minus, applied(minus, "overcompute", branch(minus))), "");
}

// RFC 0077, the 1-D convolution: its last window leaves A, and the padding of B is written afterwards.
constexpr const char* kConv = R"(
def conv(A: T.Buffer((AROWS, 4), "TYPE"), F: T.Buffer((3,), "TYPE"), B: T.Buffer((4, 4), "TYPE")):
    for io, ii in T.grid(4, 4):
        if 4 * io + ii < 14:
            B[io, ii] = T.TYPE(0)
            for f in range(3):
                B[io, ii] = B[io, ii] + F[f] * A[io + (ii + f) // 4, (ii + f) % 4]
    for io, ii in T.grid(4, 4):
        if io == 3 and ii >= 2:
            B[io, ii] = T.TYPE(0)
)";

TEST(Trap, 03_overcompute_leaves_the_buffer) {
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    PrimFunc small = parse(put(put(kConv, "TYPE", type), "AROWS", "4"));
    PrimFunc large = parse(put(put(kConv, "TYPE", type), "AROWS", "5"));
    std::string by = "by 1.0.0.0; by 1.0.0.0";
    expect_refused_rightly(small, "overcompute", branch(small, 0, by), "in bounds");
    EXPECT_EQ(difference(large, applied(large, "overcompute", branch(large, 0, by))), "");
    // Trap 4: repaired by a remainder.
    EXPECT_EQ(ifs(overcomputed(small, false)), 2u);
    PrimFunc clamped = overcomputed(small);
    EXPECT_EQ(ifs(clamped), 1u) << print(clamped);
    EXPECT_NE(print(clamped).find("% 4"), std::string::npos);
  }
}

TEST(Overcompute, Condition2SomebodyReadsBeforeItIsOverwritten) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 6:
            B[i] = A[i]
    C[0] = B[INDEX]
    for i in range(6, 8):
        B[i] = 0
)";
  PrimFunc reads = parse(put(text, "INDEX", "7")), other = parse(put(text, "INDEX", "5"));
  expect_refused_rightly(reads, "overcompute", branch(reads, 0, "by 2.0"), "reads the cell");
  EXPECT_EQ(difference(other, applied(other, "overcompute", branch(other, 0, "by 2.0"))), "");
}

TEST(Overcompute, Condition2ALaterIterationReads) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for k in range(4):
        for i in range(8):
            if i < 6:
                B[i] = A[i] + B[INDEX]
        for i in range(6, 8):
            B[i] = k
)";
  // The old content of B[7] is read where the condition holds, after B[6] was overcomputed, too.
  PrimFunc near = parse(put(text, "INDEX", "T.max(i - 1, 0)")), reads = parse(put(text, "INDEX", "7 - i"));
  EXPECT_EQ(difference(near, applied(near, "overcompute", branch(near, 0, "by 0.1.0"))), "");
  EXPECT_TRUE(refusal(reads, "overcompute", branch(reads, 0, "by 0.1.0")));
}

TEST(Overcompute, Condition2NotOverwrittenEverywhere) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 5:
            B[i] = A[i]
    for i in range(6, 8):
        B[i] = 0
)");
  expect_refused_rightly(func, "overcompute", branch(func, 0, "by 1.0"), "written again");
  EXPECT_TRUE(refusal(func, "overcompute", branch(func)));
}

TEST(Overcompute, PermissionByUndef) {
  const std::string text = R"(
def f(A: T.Buffer((2, 4), "float32"), B: T.Buffer((2, 4), "float32")):
    for io, ii in T.grid(2, 4):
        T.assume(4 * io + ii < 6 or GIVEN)
    for io, ii in T.grid(2, 4):
        if 4 * io + ii < 6:
            B[io, ii] = A[io, ii] * T.float32(2)
    for io, ii in T.grid(2, 4):
        if 4 * io + ii >= 6:
            B[io, ii] = T.undef(dtype="float32")
)";
  PrimFunc func = parse(put(text, "GIVEN", "A[io, ii] == T.undef(dtype=\"float32\")"));
  EXPECT_EQ(ifs(overcomputed(func)), 1u);
}

TEST(Overcompute, LocalMemoryThatNobodyReads) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8")):
    C = T.alloc_buffer((8,), "int8")
    for i in range(8):
        if i < 6:
            C[i] = A[i]
    for i in range(LAST):
        B[i] = C[i]
)";
  PrimFunc func = parse(put(text, "LAST", "6"));
  EXPECT_EQ(ifs(overcomputed(func)), 0u);
  PrimFunc twice = parse(R"(
def f(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8")):
    C = T.alloc_buffer((8,), "int8")
    for i in range(8):
        C[i] = T.int8(0)
    for i in range(8):
        if i < 6:
            C[i] = A[i]
    for i in range(8):
        B[i] = C[i]
)");
  expect_refused_rightly(twice, "overcompute", branch(twice, 0, "unread"), "ever reads the cell");
  EXPECT_TRUE(not_applicable(parse(kConv[0] ? put(put(kConv, "TYPE", "int32"), "AROWS", "5") : ""), "overcompute",
                             {{"at", Path{0, 0, 0}}, {"stores", std::string("unread")}}));
}

// Trap 4: what is read without the condition was never written.
TEST(Trap, 04_overcompute_reads_uninitialised_padding) {
  const std::string text = R"(
def f(A: T.Buffer((6,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    C = T.alloc_buffer((8,), "TYPE")
    for i in range(6):
        C[i] = A[i]
    FILL
    for i in range(8):
        if i < 6:
            B[i] = C[i]
    for i in range(6, 8):
        B[i] = T.TYPE(0)
)";
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    std::string typed = put(text, "TYPE", type);
    PrimFunc bare = parse(put(typed, "FILL", "B[0] = T." + std::string(type) + "(1)"));
    PrimFunc filled = parse(put(typed, "FILL", "for j in range(6, 8):\n        C[j] = T." + std::string(type) + "(3)"));
    Args args = branch(bare, 0, "by 3.0");
    args["at"] = nth<If>(bare);
    std::string by = "by " + [&] {
      std::string out;
      for (int step : nth<Store>(bare, 3)) {
        if (!out.empty()) out += '.';
        out += std::to_string(step);
      }
      return out;
    }();
    expect_refused_rightly(bare, "overcompute", branch(bare, 0, by), "finds a cell that was written");
    EXPECT_EQ(ifs(overcomputed(bare)), 1u);
    EXPECT_EQ(ifs(overcomputed(filled)), 0u);
  }
}

TEST(Overcompute, Condition1DivisionByZero) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i > 0:
            B[i] = A[i] + 8 // i
    B[0] = 1
)");
  expect_refused_rightly(func, "overcompute", branch(func, 0, "by 1"), "");
}

TEST(Overcompute, Condition1IterationsOfAParallelLoopConflict) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((9,), "int32")):
    for i in T.parallel(8):
        if i < 4:
            B[i % 4] = A[i]
)");
  EXPECT_TRUE(refusal(func, "overcompute", branch(func)));
  PrimFunc race = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for k in range(2):
        for i in T.parallel(8):
            if i < 4:
                B[i] = A[i]
        for i in range(4, 8):
            B[i] = 0
)");
  EXPECT_EQ(difference(race, applied(race, "overcompute", branch(race, 0, "by 0.1.0"))), "");
}

TEST(Overcompute, Condition3TheElseDoesTheSame) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "TYPE"), B: T.Buffer((8,), "TYPE")):
    for i in range(8):
        T.assume(i < 6 or A[i] == T.TYPE(3))
    for i in range(8):
        if i < 6:
            B[i] = A[i]
        else:
            B[i] = T.TYPE(VALUE)
)";
  for (const char* type : {"int8", "int32", "float32"}) {
    PrimFunc same = parse(put(put(text, "TYPE", type), "VALUE", "3"));
    PrimFunc other = parse(put(put(text, "TYPE", type), "VALUE", "4"));
    EXPECT_EQ(ifs(applied(same, "overcompute", branch(same))), 0u);
    EXPECT_TRUE(refusal(other, "overcompute", branch(other)));
  }
  // Zero is not one value on floats.
  PrimFunc zero = parse(put(put(put(text, "A[i] == T.TYPE(3)", "A[i] == T.TYPE(0)"), "TYPE", "float32"), "VALUE", "0"));
  EXPECT_TRUE(refusal(zero, "overcompute", branch(zero)));
  PrimFunc whole = parse(put(put(put(text, "A[i] == T.TYPE(3)", "A[i] == T.TYPE(0)"), "TYPE", "int32"), "VALUE", "0"));
  EXPECT_EQ(ifs(applied(whole, "overcompute", branch(whole))), 0u);
}

TEST(Overcompute, TheThenIsASpecialCaseOfTheElse) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i == 3:
            B[i] = A[3] + 3
        else:
            B[i] = A[i] + i
)");
  Args args = branch(func);
  args["takes"] = int64_t{0};
  PrimFunc after = applied(func, "overcompute", args);
  EXPECT_EQ(difference(func, after), "");
  EXPECT_NE(print(after).find("A[i] + i"), std::string::npos);
  EXPECT_TRUE(refusal(func, "overcompute", branch(func)));
  EXPECT_EQ(ifs(overcomputed(func)), 0u);
}

TEST(Overcompute, AWhereOfABlock) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            T.where(i < 6)
            B[vi] = A[vi]
    for i in range(6, 8):
        B[i] = 0
)");
  EXPECT_EQ(print(overcomputed(func)).find("T.where"), std::string::npos);
}

TEST(Overcompute, Condition4AnAssumeInTheBranch) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 6:
            T.assume(A[i] == 0)
)");
  EXPECT_TRUE(not_applicable(func, "overcompute", branch(func)));
}

// Justified by each other in a circle: 5 is stored because it will be stored again.
TEST(Overcompute, Condition2TwoStoresThatJustifyEachOther) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if A[i] > 0:
            B[i] = 5
            B[i] = 5
)");
  EXPECT_TRUE(not_applicable(func, "overcompute", branch(func, 0, "by 0.0.0.1; same")));
  EXPECT_TRUE(refusal(func, "overcompute", branch(func)));
  EXPECT_NE(difference(func, proposed(func, "overcompute", branch(func))), "");
}

TEST(Overcompute, SymbolicSizes) {
  PrimFunc func = parse(R"(
def f(a: T.handle, b: T.handle, m: T.int32, n: T.int32):
    A = T.match_buffer(a, (m, 4), "float32")
    B = T.match_buffer(b, (m, 4), "float32")
    if n >= 0 and n <= 4 * m:
        for io, ii in T.grid(m, 4):
            if 4 * io + ii < n:
                B[io, ii] = A[io, ii] * T.float32(2)
        for io, ii in T.grid(m, 4):
            if 4 * io + ii >= n:
                B[io, ii] = T.float32(0)
)");
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  EXPECT_EQ(remove_branching_through_overcompute(s), 1);
  EXPECT_GT(reduce_loop_extents(s), 0);
  for (int64_t n : {0, 3, 14, 16}) {
    EXPECT_EQ(difference(func, derivation.current(), {{"m", 4}, {"n", n}}), "") << print(derivation.current());
  }
}

// What is stored unseen is read by what is made later, under the promises of `nnan` and `ninf`.
TEST(Overcompute, UnseenStoresKeepWhatFlagsPromise) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    C = T.alloc_buffer((8,), "float32")
    for i in range(8):
        if i < 6:
            C[i] = VALUE
    for i in range(6):
        B[i] = C[i]
)";
  auto unseen = [&](const std::string& value, const char* flags) {
    PrimFunc func = parse(put(text, "VALUE", value));
    func.attrs["hexproof.fp"] = std::string(flags);
    return std::pair(func, branch(func, 0, "unread"));
  };
  for (const auto& [value, flags] : {std::pair{"A[i] - A[i]", "nnan"}, std::pair{"A[i] + A[i]", "ninf"},
                                     std::pair{"A[i] * T.float32(2)", "nnan ninf"}}) {
    auto [func, args] = unseen(value, flags);
    std::optional<Refused> refused = refusal(func, "overcompute", args);
    ASSERT_TRUE(refused) << value;
    EXPECT_NE(refused->obligation.why.find("stored unseen"), std::string::npos) << refused->what();
    auto [strict, same] = unseen(value, "nsz");
    applied(strict, "overcompute", same);
  }
  for (const char* flags : {"nnan", "ninf", "nnan ninf"}) {
    auto [func, args] = unseen("T.max(A[i], T.float32(0))", flags);
    applied(func, "overcompute", args);
  }
}

}  // namespace overcompute_test
}  // namespace hexproof
