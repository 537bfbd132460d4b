// What computing more than was asked for does to padding that is not zero.
#include "tests/rewrite/blocks/overcompute.h"

namespace hexproof {
namespace overcompute_traps_test {

using namespace overcompute_programs;

// Trap 2: zero times an infinity.
TEST(Trap, 02_overcompute_multiplies_padding) {
  const std::string text = R"(
def dot(F: T.Buffer((8,), "TYPE"), A: T.Buffer((4,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    Z = T.alloc_buffer((8,), "TYPE")
    for i in range(8):
        Z[i] = T.TYPE(0)
    for i in range(4):
        Z[i] = A[i]
    C[0] = T.TYPE(1)
    for i in range(8):
        if i < 4:
            C[0] = C[0] + F[i] * Z[i]
)";
  for (const char* type : {"float16", "float32"}) {
    PrimFunc func = parse(put(text, "TYPE", type));
    EXPECT_TRUE(refusal(func, "overcompute", branch(func)));
    EXPECT_NE(difference(func, proposed(func, "overcompute", branch(func)), {}, 100), "");
    func.attrs["hexproof.fp"] = std::string("nnan nsz");
    EXPECT_TRUE(refusal(func, "overcompute", branch(func))) << "an infinity times zero is a NaN, F may be infinite";
    func.attrs["hexproof.fp"] = std::string("nnan ninf nsz");
    EXPECT_EQ(ifs(applied(func, "overcompute", branch(func))), 0u);
  }
  for (const char* type : {"int8", "int32"}) {
    PrimFunc func = parse(put(text, "TYPE", type));
    EXPECT_EQ(difference(func, applied(func, "overcompute", branch(func))), "");
  }
}

// Trap 18: what changes nothing in a sum changes a maximum of negative numbers.
TEST(Trap, 18_a_pad_value_that_is_not_neutral) {
  const std::string text = R"(
def fold(A: T.Buffer((4,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    Z = T.alloc_buffer((8,), "TYPE")
    for i in range(8):
        Z[i] = T.TYPE(PAD)
    for i in range(4):
        Z[i] = T.min(A[i], T.TYPE(-1))
    C[0] = T.TYPE(-1)
    for i in range(8):
        if i < 4:
            C[0] = VALUE
)";
  for (const char* type : {"int8", "int32"}) {
    const std::string typed = put(text, "TYPE", type);
    const std::string sum = put(typed, "VALUE", "C[0] + Z[i]"), most = put(typed, "VALUE", "T.max(C[0], Z[i])");
    PrimFunc zeros = parse(put(sum, "PAD", "0"));
    EXPECT_EQ(difference(zeros, applied(zeros, "overcompute", branch(zeros))), "");
    PrimFunc wrong = parse(put(most, "PAD", "0"));
    expect_refused_rightly(wrong, "overcompute", branch(wrong), "bits that the cell holds");
    PrimFunc least = parse(put(most, "PAD", std::string(type) == "int8" ? "-128" : "-2147483648"));
    EXPECT_EQ(difference(least, applied(least, "overcompute", branch(least))), "");
  }
  // On floats the sum never is -0.0, since it starts at -1.0.
  for (const char* type : {"float16", "float32"}) {
    const std::string typed = put(text, "TYPE", type);
    const std::string sum = put(typed, "VALUE", "C[0] + Z[i]"), most = put(typed, "VALUE", "T.max(C[0], Z[i])");
    PrimFunc zeros = parse(put(sum, "PAD", "0"));
    EXPECT_EQ(difference(zeros, applied(zeros, "overcompute", branch(zeros))), "");
    PrimFunc wrong = parse(put(most, "PAD", "0"));
    expect_refused_rightly(wrong, "overcompute", branch(wrong), "bits that the cell holds");
    // T.max takes the right operand where a NaN is compared: the least value is neutral on the left alone.
    PrimFunc left = parse(put(most, "PAD", "\"-inf\"")),
             right = parse(put(put(typed, "VALUE", "T.max(Z[i], C[0])"), "PAD", "\"-inf\""));
    EXPECT_TRUE(refusal(left, "overcompute", branch(left)));
    EXPECT_EQ(difference(right, applied(right, "overcompute", branch(right))), "");
  }
}

}  // namespace overcompute_traps_test
}  // namespace hexproof
