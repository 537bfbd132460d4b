// The cases of the rule book that a careless engine gets wrong (docs/traps.md lists all of them): values and indices.
#include <cmath>
#include <cstring>

#include "tests/rewrite/traps.h"
#include "verify/check.h"

namespace hexproof {
namespace {

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
  std::string typed = put(text, "TYPE", "int8");
  expect_simplified(put(typed, "VALUE", "A[i] + T.int8(0)"), put(typed, "VALUE", "A[i]"));
}

TEST(Trap, 01_plus_zero_in_an_accumulator) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32")):
    C[0] = START
    C[0] = C[0] + A[0]
)";
  const std::string direct = R"(
def f(A: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32")):
    C[0] = A[0]
)";
  expect_wrong(put(text, "START", "T.float32(0.0)"), direct);
  EXPECT_EQ(difference(parse(put(text, "START", "T.float32(-0.0)")), parse(direct), {}, 400), "");
  // An accumulator that is known to hold a zero: which of the two it is decides whether the sum is already there.
  const std::string again = R"(
def f(C: T.Buffer((1,), "float32")):
    C[0] = T.float32(START)
    C[0] = C[0] + T.float32(0.0)
)";
  PrimFunc negative = parse(put(again, "START", "-0.0"));
  EXPECT_TRUE(refusal(negative, "remove-store", drop_store(negative, 1)));
  EXPECT_NE(difference(negative, proposed(negative, "remove-store", drop_store(negative, 1))), "");
  const std::string known = R"(
def f(C: T.Buffer((1,), "float32")):
    T.assume(C[0] == T.float32(VALUE))
    C[0] = C[0] + T.float32(0.0)
)";
  PrimFunc zero = parse(put(known, "VALUE", "0.0")), one = parse(put(known, "VALUE", "1.0"));
  expect_refused_rightly(zero, "remove-store", drop_store(zero), "bits of the value", {}, 400);
  expect_sound(one, "remove-store", drop_store(one));
  zero.attrs["hexproof.fp"] = std::string("nsz");
  applied(zero, "remove-store", drop_store(zero));
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
  PrimFunc any = parse(put(put(text, "GIVEN", "T.assume(True)"), "TYPE", "float32"));
  EXPECT_TRUE(refusal(any, "remove-store", drop_store(any)));
  {
    PrimFunc after = proposed(any, "remove-store", drop_store(any));
    std::vector<Tensor> before_run = random_inputs(any, 0);
    float f = INFINITY, a = 0, c = 1;
    std::memcpy(before_run[0].data.data(), &f, 4);
    std::memcpy(before_run[1].data.data(), &a, 4);
    std::memcpy(before_run[2].data.data(), &c, 4);
    std::vector<Tensor> after_run = before_run;
    ASSERT_FALSE(run(any, before_run).error);
    ASSERT_FALSE(run(after, after_run).error);
    EXPECT_NE(before_run[2].data, after_run[2].data) << "infinity times zero is no number";
  }
  PrimFunc finite =
      parse(put(put(text, "GIVEN", "T.assume(F[0] < T.TYPE(1000) and F[0] > T.TYPE(-1000))"), "TYPE", "float32"));
  applied(finite, "remove-store", drop_store(finite));
  PrimFunc whole = parse(put(put(text, "GIVEN", "T.assume(True)"), "TYPE", "int32"));
  applied(whole, "remove-store", drop_store(whole));
  const std::string product = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(16):
        B[i] = VALUE
)";
  std::string single = put(product, "TYPE", "float32"), narrow = put(product, "TYPE", "int8");
  expect_not_simplified(put(single, "VALUE", "A[i] * T.float32(0)"), put(single, "VALUE", "T.float32(0)"));
  expect_simplified(put(narrow, "VALUE", "A[i] * T.int8(0)"), put(narrow, "VALUE", "T.int8(0)"));
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

}  // namespace
}  // namespace hexproof
