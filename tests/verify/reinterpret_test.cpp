// Memory that is seen as another type of its width, and T.reinterpret, which such accesses are: the bits of a NaN are
// the canonical one's, in each reading.
#include "ir/reinterpret.h"

#include <fmt/format.h>

#include <bit>

#include "ir/interpreter/interpreter.h"
#include "tests/verify/check/check_fixture.h"
#include "tests/verify/equiv/parametric/equiv_parametric.h"
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace reinterpret_test {

constexpr const char* kFloatToInt = "def f(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"int32\")):\n";
constexpr const char* kInts = "def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n";
constexpr const char* kFloats = "def f(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n";

/// A is copied to B by way of memory of float32 that is seen as int32.
std::string by_way_of_floats(const std::string& value) {
  return std::string(kInts) +
         "    M = T.alloc_buffer((4,), \"float32\")\n    V = T.decl_buffer((4,), \"int32\", data=M.data)\n"
         "    for i in range(4):\n        V[i] = " +
         value + "\n    for i in range(4):\n        B[i] = V[i]\n";
}
std::string plainly(const std::string& head, const std::string& value) {
  return head + "    for i in range(4):\n        B[i] = " + value + "\n";
}

struct Reinterpret : CheckTest {
  const OpenRoundingScope ieee{OpenRounding{}};
  Answer ask(std::vector<Expr> given, Expr goal) {
    return prover().prove(
        {.rule = "test", .why = "a test", .where = {}, .given = std::move(given), .goal = std::move(goal)});
  }
};

TEST_F(Reinterpret, WhatTheInterpreterReads) {
  const std::string text =
      "def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), C: T.Buffer((4,), \"float32\")):\n"
      "    F = T.decl_buffer((4,), \"float32\", data=A.data)\n"
      "    V = T.decl_buffer((4,), \"int32\", data=C.data)\n"
      "    for i in range(4):\n        C[i] = F[i] * T.float32(1)\n"
      "    for i in range(4):\n        B[i] = V[i]\n"
      "    F[3] = F[0]\n";
  std::vector<Tensor> buffers{make_tensor(kInt32, {4}), make_tensor(kInt32, {4}), make_tensor(kFloat32, {4})};
  // 1.0, -0.0, and two NaNs with a sign and a payload: what is stored as integers stays.
  const std::vector<uint32_t> given{0x3f800000, 0x80000000, 0xffc00001, 0x7f800001};
  for (size_t i = 0; i < 4; ++i) store_scalar(int_scalar(kInt32, Wide{given[i]}), &buffers[0].data[4 * i]);
  ASSERT_FALSE(run(parse(text), buffers).error);
  auto cell = [&](size_t buffer, size_t i) {
    return static_cast<uint32_t>(load_scalar(kInt32, &buffers[buffer].data[4 * i]).bits);
  };
  EXPECT_EQ(cell(1, 0), 0x3f800000u);
  EXPECT_EQ(cell(1, 1), 0x80000000u);
  EXPECT_EQ(cell(1, 2), 0x7fc00000u);
  EXPECT_EQ(cell(1, 3), 0x7fc00000u);
  EXPECT_EQ(cell(0, 2), 0xffc00001u);
  EXPECT_EQ(cell(0, 3), 0x3f800000u);
}

TEST_F(Reinterpret, Check) {
  proved(by_way_of_floats("A[i]"));
  proved(plainly(kFloatToInt, "T.reinterpret(\"int32\", A[i])"));
  // What has no value, has no bits.
  refuted(std::string(kInts) +
              "    M = T.alloc_buffer((4,), \"float32\")\n    V = T.decl_buffer((4,), \"int32\", data=M.data)\n"
              "    M[0] = T.float32(1)\n    B[0] = V[0]\n    B[1] = V[1]\n",
          "uninitialised");
  refuted(std::string(kInts) + "    V = T.decl_buffer((5,), \"float32\", data=A.data)\n    V[4] = T.float32(1)\n",
          "outside of the memory");
  // An integer of these bits may be any.
  const std::string index = std::string(kFloatToInt) + "    V = T.decl_buffer((4,), \"int32\", data=A.data)\n";
  refuted(index + "    B[V[0]] = 1\n", "out of bounds");
  proved(index + "    B[V[0] & 3] = 1\n");
  // Of another width, or of bools, memory is not seen.
  for (const char* type : {"int8", "float64", "bool"}) {
    const std::string other =
        std::string(kInts) + "    V = T.decl_buffer((1,), \"" + type + "\", data=A.data)\n    B[0] = 1\n";
    EXPECT_NE(check(parse(other), prover()).finding, Finding::Proved) << type;
  }
}

TEST_F(Reinterpret, Equiv) {
  // Floats are copied by their bits.
  const std::string copy = std::string(kFloats) +
                           "    V = T.decl_buffer((4,), \"int32\", data=A.data)\n"
                           "    W = T.decl_buffer((4,), \"int32\", data=B.data)\n"
                           "    for i in range(4):\n        W[i] = V[i]\n";
  EXPECT_PROVED(plainly(kFloats, "A[i]"), copy);
  EquivParametricTest::proved(plainly(kFloats, "A[i]"), copy);
  EXPECT_REFUTED(plainly(kFloats, "A[3 - i]"), copy);
  EquivParametricTest::wrong(plainly(kFloats, "A[3 - i]"), copy);
  // Integers only where they are no NaN.
  EXPECT_PROVED(plainly(kInts, "A[i] & 1073741823"), by_way_of_floats("A[i] & 1073741823"));
  EXPECT_REFUTED(plainly(kInts, "A[i]"), by_way_of_floats("A[i]"));
  EXPECT_REFUTED(plainly(kInts, "2143289345"), by_way_of_floats("2143289345"));  // 0x7fc00001
  EXPECT_PROVED(plainly(kInts, "2143289344"), by_way_of_floats("-1"));
  // Zeros have two patterns.
  EXPECT_PROVED(plainly(kFloatToInt, "T.Cast(\"int32\", A[i] == T.float32(0))"),
                plainly(kFloatToInt, "T.Cast(\"int32\", (T.reinterpret(\"int32\", A[i]) & 2147483647) == 0)"));
  EXPECT_REFUTED(plainly(kFloatToInt, "T.Cast(\"int32\", A[i] == T.float32(0))"),
                 plainly(kFloatToInt, "T.Cast(\"int32\", T.reinterpret(\"int32\", A[i]) == 0)"));
}

/// A store through one name is seen, and destroys, what is known through the other.
TEST_F(Reinterpret, OneMemory) {
  auto program = [](const std::string& last) {
    return std::string(kFloatToInt) +
           "    V = T.decl_buffer((4,), \"int32\", data=A.data)\n    for i in range(4):\n        A[i] = T.float32(2)\n"
           "    V[1] = 1065353216\n    for i in range(4):\n        B[i] = " +
           last + "\n";
  };
  EXPECT_PROVED(program("V[i]"), program("T.Select(i == 1, 1065353216, 1073741824)"));
  EXPECT_PROVED(program("T.Cast(\"int32\", A[i])"), program("T.Select(i == 1, 1, 2)"));
  EXPECT_REFUTED(program("V[i]"), program("1073741824"));
  EquivParametricTest::wrong(program("V[i]"), program("1073741824"));
}

TEST_F(Reinterpret, Prover) {
  for (DType type : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
    const FloatFormat format = float_format(type);
    for (TypeCode code : {TypeCode::Int, TypeCode::UInt}) {
      const DType integer{code, type.bits};
      const Expr x(Var::fresh("x", type, true)), n(Var::fresh("n", integer, true));
      auto number = [&](uint64_t bits) { return imm(integer, wide_value(int_scalar(integer, Wide{bits}))); };
      const Expr back = reinterpret(integer, reinterpret(type, n));
      EXPECT_EQ(ask({}, same_bits(reinterpret(type, reinterpret(integer, x)), x)).verdict, Verdict::Proved);
      EXPECT_EQ(ask({ne(x, x)}, eq(reinterpret(integer, x), number(format.nan()))).verdict, Verdict::Proved);
      EXPECT_EQ(ask({eq(reinterpret(type, n), reinterpret(type, n))}, eq(back, n)).verdict, Verdict::Proved);
      EXPECT_EQ(ask({}, eq(back, n)).verdict, Verdict::Refuted) << type.str();
      // Equal numbers, zeros of two signs.
      EXPECT_EQ(ask({eq(x, fimm(type, 0))}, eq(reinterpret(integer, x), number(0))).verdict, Verdict::Refuted);
    }
  }
}

// Flags that leave floats open would leave their bits open.
TEST_F(Reinterpret, NotWhereFlagsLeaveFloatsOpen) {
  auto with_flags = [](const std::string& flags, const std::string& value) {
    return std::string(kFloatToInt) + "    T.func_attr({\"hexproof.fp\": \"" + flags + "\"})\n" + plainly("", value);
  };
  for (const char* flag : {"contract", "reassoc", "nsz", "nnan nsz"}) {
    EXPECT_THROW(parse(with_flags(flag, "T.reinterpret(\"int32\", A[i])")), Error) << flag;
    parse(with_flags(flag, "T.reinterpret(\"int32\", T.reinterpret(\"uint32\", B[i]))"));  // casts
  }
  proved(with_flags("nnan ninf", "T.reinterpret(\"int32\", A[i])"));
}

// A function that nobody knows sees the sign of a zero, also where it gives an integer: two evaluations are two values.
TEST_F(Reinterpret, AnIntegerOfAZeroWhoseSignIsOpen) {
  const std::string head = std::string(kFloatToInt) + "    T.func_attr({\"hexproof.fp\": \"nsz\"})\n";
  const std::string call = "T.call_pure_extern(\"int32\", \"g\", A[i])";
  const std::string twice = plainly(head, call + " ^ " + call), none = plainly(head, "0");
  EquivParametricTest::open(none, twice);
  EXPECT_NE(compare(none, twice).evidence.finding, Finding::Proved);
  EquivParametricTest::proved(plainly(head, call), plainly(head, call));
}

}  // namespace reinterpret_test
}  // namespace hexproof
