// The cases of the rule book that a careless engine gets wrong (docs/traps.md lists all of them): values and indices.
#include <cstring>

#include "tests/rewrite/traps/traps.h"
#include "verify/check/check.h"

namespace hexproof {
namespace traps_arithmetic_test {

// 1. Adding zero.

TEST(Trap, 01_plus_zero) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(16):
        B[i] = VALUE
)";
  for (const char* type : {"float16", "float32", "float64"}) {
    std::string typed = put(text, "TYPE", type), zero = std::string("T.") + type;
    std::string copied = put(typed, "VALUE", "A[i]");
    expect_not_simplified(put(typed, "VALUE", "A[i] + " + zero + "(0.0)"), copied);
    expect_not_simplified(put(typed, "VALUE", zero + "(0.0) + A[i]"), copied);
    expect_not_simplified(put(typed, "VALUE", "A[i] - " + zero + "(-0.0)"), copied);
    expect_simplified(put(typed, "VALUE", "A[i] + " + zero + "(-0.0)"), copied);
    expect_simplified(put(typed, "VALUE", "A[i] - " + zero + "(0.0)"), copied);
  }
  for (const char* type : {"int8", "int32"}) {
    std::string typed = put(text, "TYPE", type), zero = std::string("T.") + type + "(0)";
    expect_simplified(put(typed, "VALUE", "A[i] + " + zero), put(typed, "VALUE", "A[i]"));
    expect_simplified(put(typed, "VALUE", zero + " + A[i]"), put(typed, "VALUE", "A[i]"));
  }
}

TEST(Trap, 01_plus_zero_in_an_accumulator) {
  for (const char* type : kTrapTypes) {
    const std::string text = put(R"(
def f(A: T.Buffer((1,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    C[0] = T.TYPE(START)
    C[0] = C[0] + A[0]
)",
                                 "TYPE", type);
    const std::string direct = put(R"(
def f(A: T.Buffer((1,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    C[0] = A[0]
)",
                                   "TYPE", type);
    if (is_float(type)) {
      expect_wrong(put(text, "START", "0.0"), direct);
      EXPECT_EQ(difference(parse(put(text, "START", "-0.0")), parse(direct), {}, 400), "");
    } else {
      EXPECT_EQ(difference(parse(put(text, "START", "0")), parse(direct), {}, 400), "");
    }
    // An accumulator that is known to hold a zero: which of the two it is decides whether the sum is already there.
    const std::string again = put(R"(
def f(A: T.Buffer((4,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    C[0] = T.TYPE(START)
    for i in range(4):
        C[0] = C[0] + A[i]
    C[0] = C[0] + T.TYPE(0)
)",
                                  "TYPE", type);
    PrimFunc positive = parse(put(again, "START", "0"));
    expect_sound(positive, "remove-store", drop_store(positive, 2));
    expect_simplified(put(again, "START", "0"),
                      put(put(again, "START", "0"), "C[0] + T." + std::string(type) + "(0)", "C[0]"));
    if (is_float(type)) {
      PrimFunc negative = parse(put(again, "START", "-0.0"));
      EXPECT_TRUE(refusal(negative, "remove-store", drop_store(negative, 2)));
      const std::string alone =
          put(put(again, "START", "-0.0"), "    for i in range(4):\n        C[0] = C[0] + A[i]\n", "");
      PrimFunc bare = parse(alone);
      EXPECT_NE(difference(bare, proposed(bare, "remove-store", drop_store(bare, 1))), "");
      expect_not_simplified(alone, put(alone, "C[0] + T." + std::string(type) + "(0)", "C[0]"));
    }
    const std::string known = put(R"(
def f(C: T.Buffer((1,), "TYPE")):
    T.assume(C[0] == T.TYPE(VALUE))
    C[0] = C[0] + T.TYPE(0)
)",
                                  "TYPE", type);
    PrimFunc zero = parse(put(known, "VALUE", "0")), one = parse(put(known, "VALUE", "1"));
    expect_sound(one, "remove-store", drop_store(one));
    if (is_float(type)) {
      expect_refused_rightly(zero, "remove-store", drop_store(zero), "bits of the value", {}, 400);
      zero.attrs["hexproof.fp"] = std::string("nsz");
    }
    applied(zero, "remove-store", drop_store(zero));
  }
}

// 2. Zero times a value.

TEST(Trap, 02_zero_times_a_value) {
  const std::string text = R"(
def f(F: T.Buffer((1,), "TYPE"), A: T.Buffer((1,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    GIVEN
    T.assume(A[0] == T.TYPE(0))
    T.assume(C[0] == T.TYPE(1))
    C[0] = C[0] + F[0] * A[0]
)";
  for (const char* type : kTrapTypes) {
    PrimFunc any = parse(put(put(text, "GIVEN", "T.assume(True)"), "TYPE", type));
    if (!is_float(type)) {
      applied(any, "remove-store", drop_store(any));
      continue;
    }
    EXPECT_TRUE(refusal(any, "remove-store", drop_store(any)));
    PrimFunc after = proposed(any, "remove-store", drop_store(any));
    std::vector<Tensor> before_run = random_inputs(any, 0);
    const bool half = std::string(type) == "float16";
    const size_t width = half ? 2 : 4;
    const uint32_t infinity = half ? 0x7c00 : 0x7f800000, nothing = 0, one = half ? 0x3c00 : 0x3f800000;
    std::memcpy(before_run[0].data.data(), &infinity, width);
    std::memcpy(before_run[1].data.data(), &nothing, width);
    std::memcpy(before_run[2].data.data(), &one, width);
    std::vector<Tensor> after_run = before_run;
    ASSERT_FALSE(run(any, before_run).error);
    ASSERT_FALSE(run(after, after_run).error);
    EXPECT_NE(before_run[2].data, after_run[2].data) << "infinity times zero is no number";
    PrimFunc finite =
        parse(put(put(text, "GIVEN", "T.assume(F[0] < T.TYPE(1000) and F[0] > T.TYPE(-1000))"), "TYPE", type));
    applied(finite, "remove-store", drop_store(finite));
  }
  const std::string product = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(16):
        B[i] = VALUE
)";
  for (const char* type : kTrapTypes) {
    std::string typed = put(product, "TYPE", type), zero = std::string("T.") + type + "(0)";
    std::string times = put(typed, "VALUE", "A[i] * " + zero), nothing = put(typed, "VALUE", zero);
    is_float(type) ? expect_not_simplified(times, nothing) : expect_simplified(times, nothing);
  }
}

// 9. Indices that need more bits.

TEST(Trap, 09_a_fused_index_that_overflows) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "int32")):
    for i in T.serial(T.TYPE(300)):
        for j in T.serial(T.TYPE(300)):
            A[0] = A[0] + 1
)";
  auto fuse = [](const PrimFunc& func) { return Args{{"at", loop_named(func, "i")}, {"name", std::string("f")}}; };
  PrimFunc narrow = parse(put(text, "TYPE", "int16")), wide = parse(put(text, "TYPE", "int32"));
  expect_refused_rightly(narrow, "fuse", fuse(narrow), "product of the extents");
  expect_sound(wide, "fuse", fuse(wide));
}

TEST(Trap, 09_a_flat_index_that_overflows) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "int8"), B: T.Buffer((1,), "int8")):
    C = T.alloc_buffer((T.TYPE(300), T.TYPE(300)), "int8")
    C[T.TYPE(299), T.TYPE(299)] = A[0]
    B[0] = C[T.TYPE(299), T.TYPE(299)]
)";
  Args args = {{"buffer", std::string("C")}};
  PrimFunc narrow = parse(put(text, "TYPE", "int16")), wide = parse(put(text, "TYPE", "int32"));
  expect_refused_rightly(narrow, "flatten", args, "");
  expect_sound(wide, "flatten", args);
}

TEST(Trap, 09_data_that_is_no_index) {
  // Simplification knows no bound of an index of data.
  expect_not_simplified(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] * 4 // 4
)",
                        R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i]
)");
  expect_simplified(R"(
def f(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = i * 4 // 4
)",
                    R"(
def f(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = i
)");
}

// 15. Sums of floats.

TEST(Trap, 15_sums_of_floats_keep_their_order) {
  const std::string nest = R"(
def f(A: T.Buffer((4, 6), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i, k in T.grid(4, 6):
        C[0] = C[0] + A[i, k]
)";
  const std::string pair = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i in range(16):
        C[0] = C[0] + A[i]
    for j in range(16):
        C[0] = C[0] + B[j]
)";
  const std::string both = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i in range(16):
        C[0] = C[0] + A[i]
        C[0] = C[0] + B[i]
)";
  struct Case {
    std::string text, rule;
    Args extra;
  };
  for (const Case& c : {Case{nest, "reorder", {{"order", Path{1, 0}}}}, Case{pair, "merge-loops", {}},
                        Case{both, "distribute-loop", {{"count", int64_t{1}}}}}) {
    for (const char* type : {"float16", "float32"}) {
      PrimFunc func = parse(put(c.text, "TYPE", type));
      Args args = c.extra;
      args.merge(loop_i(func));
      expect_refused_rightly(func, c.rule, args, "", {}, 60);
      func.attrs["hexproof.fp"] = std::string("reassoc");
      applied(func, c.rule, args);
      func.attrs["hexproof.fp"] = std::string("nnan ninf nsz contract");
      EXPECT_TRUE(refusal(func, c.rule, args));
    }
    for (const char* type : {"int32", "int8", "uint16"}) {
      PrimFunc func = parse(put(c.text, "TYPE", type));
      Args args = c.extra;
      args.merge(loop_i(func));
      expect_sound(func, c.rule, args);
    }
  }
}

// 19. Integers that wrap.

TEST(Trap, 19_narrow_data_wraps) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "int8"), B: T.Buffer((16,), "int8")):
    for i in range(16):
        B[i] = VALUE
)";
  auto with = [&](const std::string& value) { return put(text, "VALUE", value); };
  expect_not_simplified(with("A[i] * T.int8(8) // T.int8(8)"), with("A[i]"));
  expect_not_simplified(with("(A[i] + T.int8(8)) // T.int8(8)"), with("A[i] // T.int8(8) + T.int8(1)"));
  expect_not_simplified(with("T.Select(A[i] + T.int8(1) > A[i], A[i], T.int8(0))"), with("A[i]"));
  expect_not_simplified(with("T.Cast(\"int8\", T.Cast(\"uint8\", A[i]) // T.uint8(2))"), with("A[i] // T.int8(2)"));
  expect_simplified(with("A[i] + T.int8(100) + T.int8(100)"), with("A[i] + T.int8(-56)"));
  expect_simplified(with("A[i] + A[0] - A[0]"), with("A[i]"));
}

TEST(Trap, 19_accumulations_of_narrow_products) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "int8"), B: T.Buffer((1,), "int8"), C: T.Buffer((1,), "int32")):
    if T.cast(A[0], "TYPE") * T.cast(A[0], "TYPE") + T.cast(A[0], "TYPE") * T.cast(A[0], "TYPE") >= T.cast(0, "TYPE"):
        C[0] = 1
)";
  // Two squares reach 2^15: one too many for int16.
  for (const char* type : {"int8", "int16"}) {
    PrimFunc wraps = parse(put(text, "TYPE", type));
    expect_refused_rightly(wraps, "eliminate-branch", take_branch(wraps), "always holds", {}, 300);
  }
  for (const char* type : {"int32", "int64"}) {
    PrimFunc fits = parse(put(text, "TYPE", type));
    expect_sound(fits, "eliminate-branch", take_branch(fits));
  }
}

TEST(Trap, 19_overflow_of_an_index_and_of_data) {
  const std::string text = R"(
def f(A: T.Buffer((150,), "int8"), B: T.Buffer((150,), "int8")):
    for i in T.serial(T.TYPE(100)):
        B[i + T.TYPE(50)] = A[i] + T.int8(50)
)";
  CheckReport narrow = check(parse(put(text, "TYPE", "int8")), test_prover());
  EXPECT_EQ(narrow.finding, Finding::Refuted);
  EXPECT_NE(narrow.counterexample.find("overflow"), std::string::npos) << narrow.counterexample;
  EXPECT_EQ(check(parse(put(text, "TYPE", "int16")), test_prover()).finding, Finding::Proved);
}

}  // namespace traps_arithmetic_test
}  // namespace hexproof
