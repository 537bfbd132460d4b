// The sign of zeros in sums: a sum that started at +0.0 is never -0.0, so adding a zero of either sign changes nothing.
#include "rewrite/passes/passes.h"
#include "tests/rewrite/traps/traps.h"
#include "verify/memory/content.h"

namespace hexproof {
namespace zero_sums_test {

constexpr const char* kPadded = R"(
def row_sum(A: T.Buffer((4, 4), "TYPE"), B: T.Buffer((1,), "TYPE")):
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == T.TYPE(0))
    B[0] = START
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[0] = VALUE
)";

PrimFunc padded(const std::string& type, const std::string& start, const std::string& value = "B[0] + A[io, ii]") {
  return parse(put(put(put(kPadded, "START", start), "VALUE", value), "TYPE", type));
}
Args branch(const PrimFunc& func) { return {{"at", nth<If>(func)}}; }

/// Both programs on random inputs whose padding is zero (of either sign, for floats).
void expect_agreement(const PrimFunc& before, const PrimFunc& after) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Tensor> x = random_inputs(before, seed);
    const size_t width = x[0].data.size() / 16;
    bool negative = before.params[0].buffer->dtype.is_float() && seed % 3 == 0;
    for (size_t k = 14 * width; k < 16 * width; ++k) x[0].data[k] = negative && k % width == width - 1 ? 0x80 : 0;
    std::vector<Tensor> y = x;
    ASSERT_FALSE(run(before, x).error);
    ASSERT_FALSE(run(after, y).error);
    EXPECT_EQ(x[1].data, y[1].data);
  }
}

// Trap 1, on all types: where the sum started decides.
TEST(Trap, 01_padding_added_to_a_sum) {
  for (const char* type : {"int8", "int32", "float16", "float32"}) {
    for (const char* sum : {"B[0] + A[io, ii]", "A[io, ii] + B[0]"}) {
      PrimFunc func = padded(type, "T.TYPE(0)", sum);
      expect_agreement(func, applied(func, "overcompute", branch(func)));
    }
  }
  // A sum that starts at -0.0 and adds nothing but -0.0 is -0.0, until the padding is added.
  for (const char* type : {"float16", "float32", "float64"}) {
    PrimFunc func = padded(type, "T.TYPE(-0.0)");
    EXPECT_TRUE(refusal(func, "overcompute", branch(func)));
    std::vector<Tensor> before = random_inputs(func, 1);
    size_t width = before[0].data.size() / 16;
    for (size_t k = 0; k < before[0].data.size(); ++k) {
      before[0].data[k] = k % width == width - 1 && k < 14 * width ? 0x80 : 0;
    }
    std::vector<Tensor> after = before;
    ASSERT_FALSE(run(func, before).error);
    ASSERT_FALSE(run(proposed(func, "overcompute", branch(func)), after).error);
    EXPECT_NE(before[1].data, after[1].data);
    func.attrs["hexproof.fp"] = std::string("nsz");
    EXPECT_FALSE(find_all(applied(func, "overcompute", branch(func)), [](const Stmt& s) { return s.as<If>(); }).size());
  }
}

TEST(ZeroSums, WhatKeepsTheSign) {
  // Products and differences may be -0.0.
  PrimFunc times = padded("float32", "T.float32(0)", "B[0] * A[io, ii]");
  EXPECT_TRUE(refusal(times, "overcompute", branch(times)));
  const std::string between = R"(
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = T.float32(0)
    for i in range(4):
        B[0] = VALUE
    B[0] = B[0] + T.float32(0)
)";
  for (const char* keeps :
       {"B[0] + A[i]", "A[i] + B[0]", "B[0] + A[i] * A[3]", "A[i] + T.float32(0)", "T.Cast(\"float32\", i)",
        "T.float32(1) - A[i]", "T.max(A[i] + T.float32(0), T.float32(0))"}) {
    PrimFunc func = parse(put(between, "VALUE", keeps));
    expect_sound(func, "remove-store", drop_store(func, 2));
  }
  for (const char* loses :
       {"B[0] - A[i]", "A[i]", "B[0] * A[i]", "A[i] - T.float32(0)", "T.max(A[i], T.float32(0)) * A[1]",
        "T.Cast(\"float32\", T.Cast(\"float16\", A[i] - T.float32(0)))"}) {
    PrimFunc func = parse(put(between, "VALUE", loses));
    EXPECT_TRUE(refusal(func, "remove-store", drop_store(func, 2))) << loses;
  }
  // T.float32(0) - A[i] is +0.0 for A[i] == +0.0, and -0.0 - +0.0 is -0.0.
  PrimFunc minus = parse(put(between, "VALUE", "T.float32(-0.0) - A[i]"));
  expect_refused_rightly(minus, "remove-store", drop_store(minus, 2), "bits of the value", {}, 400);
}

// A product that is contracted into a sum is not rounded by itself: 0.0 + tiny * -tiny would round to -0.0.
TEST(ZeroSums, NotWhereSumsMayBeContracted) {
  for (const char* flags : {"contract", "reassoc", "contract nnan"}) {
    PrimFunc func = padded("float32", "T.float32(0)");
    func.attrs["hexproof.fp"] = std::string(flags);
    EXPECT_TRUE(refusal(func, "overcompute", branch(func))) << flags;
  }
}

// Another store to the cell, through a view or into another row.
TEST(ZeroSums, OtherStores) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.float32(0)
    for i in range(4):
        B[i] = B[i] + A[i]
    OTHER
    B[1] = B[1] + T.float32(0)
)";
  PrimFunc apart = parse(put(text, "OTHER", "B[2] = A[0]")), hit = parse(put(text, "OTHER", "B[1] = A[0]"));
  expect_sound(apart, "remove-store", drop_store(apart, 3));
  expect_refused_rightly(hit, "remove-store", drop_store(hit, 3), "bits of the value", {}, 400);
  PrimFunc neighbour = parse(put(text, "OTHER", "B[1] = B[2] + A[0]"));
  EXPECT_TRUE(find_all(neighbour, [](const Stmt& s) { return s.as<Store>() != nullptr; }).size() == 4);
  EXPECT_TRUE(refusal(neighbour, "remove-store", drop_store(neighbour, 3)));
}

// The init of a block starts the sum.
TEST(ZeroSums, AReductionWithAnInit) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4,), "float32")):
    Z = T.alloc_buffer((4, 8), "float32")
    for i, k in T.grid(4, 8):
        Z[i, k] = T.if_then_else(k < 6, A[i, k], T.float32(0))
    for i, k in T.grid(4, 8):
        if k < 6:
            with T.block("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + Z[vi, vk]
)");
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  EXPECT_EQ(remove_branching_through_overcompute(s), 1) << print(derivation.current());
  EXPECT_EQ(difference(func, derivation.current()), "");
}

// A convolution over zero padding: what is added is a zero of either sign, if the filter is finite.
TEST(ZeroSums, AFiniteFilterOverZeroPadding) {
  const std::string text = R"(
def conv(A: T.Buffer((18,), "TYPE"), F: T.Buffer((3,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(18):
        T.assume((1 <= i and i < 17) or A[i] == T.TYPE(0))
    for f in range(3):
        T.assume(GIVEN)
    for i in range(16):
        B[i] = T.TYPE(0)
        for f in range(3):
            if 1 <= i + f and i + f < 17:
                B[i] = B[i] + F[f] * A[i + f]
)";
  for (const char* type : {"float16", "float32"}) {
    PrimFunc any = parse(put(put(text, "GIVEN", "True"), "TYPE", type));
    EXPECT_TRUE(refusal(any, "overcompute", branch(any)));
    PrimFunc bounded = parse(put(put(text, "GIVEN", "F[f] <= T.TYPE(1000) and F[f] >= T.TYPE(-1000)"), "TYPE", type));
    applied(bounded, "overcompute", branch(bounded));
    any.attrs["hexproof.fp"] = std::string("nnan ninf");
    applied(any, "overcompute", branch(any));
    any.attrs["hexproof.fp"] = std::string("ninf");
    EXPECT_TRUE(refusal(any, "overcompute", branch(any))) << "a NaN in the filter";
  }
}

}  // namespace zero_sums_test
}  // namespace hexproof
