// Sums that are taken apart: integers that wrap are a ring, so a sum of several terms is several sums.
#include <array>

#include "ir/interpreter/inputs/random_values.h"
#include "tests/verify/equiv/parametric/equiv_parametric.h"
#include "verify/equiv/parametric/sums.h"

namespace hexproof {
namespace equiv_parametric_sums_test {

using EquivParametricSumsTest = EquivParametricTest;

/// Of bytes also by bits, which know no laws.
TEST(LawsOfSums, HoldOfIntegers) {
  Prover prover, bits({.normal_form = false});
  for (DType type : {kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64, kUInt64}) {
    for (const Expr& law : parametric::laws_of_sums(type)) {
      const Obligation owed{"sums", "a law of sums", {}, {}, law};
      EXPECT_EQ(prover.prove(owed).verdict, Verdict::Proved) << type.str() << ": " << print(law);
      if (type.bits != 8) continue;
      EXPECT_EQ(bits.prove(owed).verdict, Verdict::Proved) << type.str() << ": " << print(law);
    }
  }
}

const std::string kParams =
    "\ndef f(A: T.Buffer((6, 40), \"uint8\"), B: T.Buffer((4, 40), \"int8\"), Z: T.Buffer((4,), \"int32\"), "
    "C: T.Buffer((6, 4), \"int32\")):\n";

const std::string kOne = kParams + R"(
    for i, j in T.grid(6, 4):
        C[i, j] = 0
        for k in range(40):
            C[i, j] = C[i, j] + (T.Cast("int32", A[i, k]) - 7) * (T.Cast("int32", B[j, k]) + Z[j])
)";

const std::string kSeveral = kParams + R"(
    P = T.alloc_buffer((6, 4), "int32")
    R = T.alloc_buffer((6,), "int32")
    S = T.alloc_buffer((4,), "int32")
    for i, j in T.grid(6, 4):
        P[i, j] = 0
        for k in range(40):
            P[i, j] = P[i, j] + T.Cast("int32", A[i, k]) * T.Cast("int32", B[j, k])
    for i in range(6):
        R[i] = 0
        for k in range(40):
            R[i] = R[i] + T.Cast("int32", A[i, k])
    for j in range(4):
        S[j] = 0
        for k in range(40):
            S[j] = S[j] + T.Cast("int32", B[j, k])
    for i, j in T.grid(6, 4):
        C[i, j] = P[i, j] + Z[j] * R[i] - 7 * S[j] - 280 * Z[j]
)";

TEST_F(EquivParametricSumsTest, AProductOfSums) {
  proved(kOne, kSeveral);
  proved(kSeveral, kOne);
  // The sums in loops of their own.
  proved(kOne, with(kSeveral, R"(
        for k in range(40):
            P[i, j] = P[i, j] + T.Cast("int32", A[i, k]) * T.Cast("int32", B[j, k]))",
                    R"(
        for ki, ko in T.grid(4, 10):
            P[i, j] = P[i, j] + T.Cast("int32", B[j, ko * 4 + ki]) * T.Cast("int32", A[i, ko * 4 + ki]))"));
  // It takes a start along, and goes down as it goes up.
  proved(with(kOne, "= 0", "= Z[j]"), with(kSeveral, "- 280 * Z[j]", "- 279 * Z[j]"));
  proved(with(kOne, "C[i, j] + (", "C[i, j] - ("), with(kSeveral, "P[i, j] + Z[j] * R[i] - 7 * S[j] - 280 * Z[j]",
                                                        "280 * Z[j] + 7 * S[j] - P[i, j] - Z[j] * R[i]"));
}

TEST_F(EquivParametricSumsTest, OfAnySize) {
  const std::string head = R"(
def f(a: T.handle, b: T.handle, c: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int16")
    B = T.match_buffer(b, (n,), "int16")
    C = T.match_buffer(c, (1,), "int16")
)";
  const std::string one = head + R"(
    C[0] = T.int16(0)
    for k in range(n):
        C[0] = C[0] + A[k] * (B[k] + T.int16(3)) + T.int16(5)
)";
  const std::string several = head + R"(
    P = T.alloc_buffer((1,), "int16")
    P[0] = T.int16(0)
    C[0] = T.int16(0)
    for k in range(n):
        P[0] = P[0] + A[k]
    for k in range(n):
        C[0] = C[0] + A[k] * B[k]
    C[0] = C[0] + T.int16(3) * P[0] + T.wrap(T.Cast("int16", n) * T.int16(5))
)";
  proved(one, several);
  wrong(one, with(several, "T.int16(3) *", "T.int16(4) *"));
  wrong(one, with(several, "T.Cast(\"int16\", n)", "T.Cast(\"int16\", n + 1)"));
  wrong(one, with(several, "T.wrap(T.Cast(\"int16\", n) *", "T.wrap(T.Cast(\"int16\", n + n) *"));
}

const std::string kPlain = R"(
def f(n: T.int32, A: T.Buffer((40, 30), "int32"), B: T.Buffer((40,), "int32"), C: T.Buffer((1,), "int32")):
    C[0] = 0
)";

TEST_F(EquivParametricSumsTest, ASumInASum) {
  const std::string both = kPlain + "    for k, l in T.grid(40, 30):\n        C[0] = C[0] + A[k, l] * B[k]\n";
  const std::string inner = kPlain + R"(
    R = T.alloc_buffer((40,), "int32")
    for k in range(40):
        R[k] = 0
        for l in range(30):
            R[k] = R[k] + A[k, l]
    for k in range(40):
        C[0] = C[0] + R[k] * B[k]
)";
  proved(both, inner);
  proved(inner, both);
  wrong(both, with(inner, "range(30)", "range(29)"));
  wrong(both, with(inner, "R[k] * B[k]", "R[k] * B[39 - k]"));
}

TEST_F(EquivParametricSumsTest, ALoopThatNothingSpeaksOf) {
  const std::string often = kPlain + "    for k, l in T.grid(40, 30):\n        C[0] = C[0] + B[k]\n";
  const std::string once = kPlain + "    for k in range(40):\n        C[0] = C[0] + B[k] * 30\n";
  proved(often, once);
  wrong(often, with(once, "* 30", "* 40"));
  // As often as it runs, which a guard or an inner bound decides.
  wrong(with(often, "        C[0] =", "        if l < k:\n            C[0] ="), once);
  wrong(with(often, "for k, l in T.grid(40, 30):\n        C[0]",
             "for k in range(40):\n      for l in range(k):\n        C[0]"),
        once);
  const std::string guarded = kPlain + "    for k in range(40):\n        if n > 5:\n            C[0] = C[0] + B[0]\n";
  wrong(guarded, kPlain + "    C[0] = 40 * B[0]\n");
  // Less than never it does not run.
  const std::string scalar = kPlain + "    for k in range(n):\n        C[0] = C[0] + B[0]\n";
  wrong(scalar, kPlain + "    C[0] = n * B[0]\n");
  proved(scalar, kPlain + "    C[0] = T.max(n, 0) * B[0]\n");
}

TEST_F(EquivParametricSumsTest, AFlippedSign) {
  const std::string flipped =
      with(with(kSeveral, "    P = T.alloc",
                "    F = T.alloc_buffer((4, 40), \"uint8\")\n    for j, k in T.grid(4, 40):\n        F[j, k] = "
                "T.Cast(\"uint8\", B[j, k]) ^ T.uint8(128)\n    P = T.alloc"),
           "T.Cast(\"int32\", B[j, k])\n    for i in", "T.Cast(\"int32\", F[j, k])\n    for i in");
  proved(kOne, with(flipped, "+ Z[j] * R[i]", "+ (Z[j] - 128) * R[i]"));
  wrong(kOne, flipped);
  wrong(kOne, with(with(flipped, "+ Z[j] * R[i]", "+ (Z[j] - 128) * R[i]"), "T.uint8(128)", "T.uint8(64)"));
}

TEST_F(EquivParametricSumsTest, ADroppedTerm) {
  for (const char* term : {" + Z[j] * R[i]", " - 7 * S[j]", " - 280 * Z[j]"}) wrong(kOne, with(kSeveral, term, ""));
}

TEST_F(EquivParametricSumsTest, AnotherIndex) {
  wrong(kOne, with(kSeveral, "+ T.Cast(\"int32\", A[i, k])\n", "+ T.Cast(\"int32\", A[i, 39 - k % 39])\n"));
  wrong(kOne, with(kSeveral, "B[j, k])\n    for i in", "B[3 - j, k])\n    for i in"));
  wrong(kOne, with(kSeveral, "B[j, k])\n    for i in", "B[j, 39 - k])\n    for i in"));
  wrong(kOne, with(kSeveral, "Z[j] * R[i]", "Z[j] * R[5 - i]"));
  wrong(kOne, with(kSeveral, "280 * Z[j]", "280 * Z[3 - j]"));
}

TEST_F(EquivParametricSumsTest, AnotherExtent) {
  size_t at = 0;
  for (int loop = 0; loop < 3; ++loop, ++at) {
    at = kSeveral.find("range(40)", at);
    ASSERT_NE(at, std::string::npos);
    std::string after = kSeveral;
    wrong(kOne, after.replace(at, 9, "range(39)"));
    wrong(kOne, after.replace(at, 9, "range(1, 40)"));
  }
  wrong(kOne, with(kSeveral, "280", "273"));
}

TEST_F(EquivParametricSumsTest, ASignThatIsLost) {
  wrong(kOne, with(kSeveral, "- 7 * S[j]", "+ 7 * S[j]"));
  wrong(kOne, with(kSeveral, "R[i] = R[i] + ", "R[i] = R[i] - "));
  wrong(kOne, with(kSeveral, "S[j] = S[j] + ", "S[j] = T.Cast(\"int32\", B[j, k]) - S[j] + "));
  // The bits of the sum are the same, its sign is not.
  wrong(kOne, with(kSeveral, "T.Cast(\"int32\", B[j, k])\n    for i in",
                   "T.Cast(\"int32\", T.Cast(\"uint8\", B[j, k]))\n    for i in"));
}

TEST_F(EquivParametricSumsTest, SumsOfFloats) {
  const std::string head =
      "\ndef f(A: T.Buffer((40,), \"float32\"), B: T.Buffer((40,), \"float32\"), C: T.Buffer((1,), \"float32\")):\n"
      "    C[0] = T.float32(0)\n";
  wrong(head + "    for k in range(40):\n        C[0] = C[0] + (A[k] + B[k])\n", head + R"(
    P = T.alloc_buffer((1,), "float32")
    P[0] = T.float32(0)
    for k in range(40):
        P[0] = P[0] + A[k]
    for k in range(40):
        C[0] = C[0] + B[k]
    C[0] = P[0] + C[0]
)");
  // One of the sums goes through floats, which round.
  const std::string rounded =
      with(with(with(kSeveral, "R = T.alloc_buffer((6,), \"int32\")", "R = T.alloc_buffer((6,), \"float16\")"),
                "R[i] = 0", "R[i] = T.float16(0)"),
           "T.Cast(\"int32\", A[i, k])\n    for j", "T.Cast(\"float16\", A[i, k])\n    for j");
  wrong(kOne, with(rounded, "Z[j] * R[i]", "Z[j] * T.Cast(\"int32\", R[i])"));
}

TEST_F(EquivParametricSumsTest, ASumThatSaturates) {
  wrong(kOne, with(kSeveral, "R[i] = R[i] + T.Cast(\"int32\", A[i, k])",
                   "R[i] = T.min(R[i] + T.Cast(\"int32\", A[i, k]), 255)"));
  const std::string narrow =
      with(with(with(kSeveral, "S = T.alloc_buffer((4,), \"int32\")", "S = T.alloc_buffer((4,), \"int8\")"), "S[j] = 0",
                "S[j] = T.int8(0)"),
           "S[j] + T.Cast(\"int32\", B[j, k])", "S[j] + B[j, k]");
  wrong(kOne, with(narrow, "7 * S[j]", "7 * T.Cast(\"int32\", S[j])"));
}

TEST_F(EquivParametricSumsTest, AnotherStart) {
  for (const char* start : {"P[i, j] = 0", "R[i] = 0", "S[j] = 0"}) {
    const std::string one = std::string(start, std::string(start).size() - 1) + "1";
    wrong(kOne, with(kSeveral, start, one));
  }
  wrong(with(kOne, "= 0", "= Z[j]"), kSeveral);
  wrong(kOne, with(kSeveral, "C[i, j] = P[i, j]", "C[i, j] = C[i, j] + P[i, j]"));
}

TEST_F(EquivParametricSumsTest, ASumThatIsReadBeforeItsEnd) {
  wrong(kOne, with(kSeveral, R"(            R[i] = R[i] + T.Cast("int32", A[i, k])
)",
                   R"(            R[i] = R[i] + T.Cast("int32", A[i, k])
            for j in range(4):
                C[i, j] = R[i]
)") + "    for i, j in T.grid(6, 4):\n        C[i, j] = C[i, j] + R[i] - R[i] + A[i, 0]\n");
  // Half of it, and what it was one iteration before.
  wrong(kOne, with(kSeveral, R"(            R[i] = R[i] + T.Cast("int32", A[i, k])
    for j)",
                   R"(            if k < 39:
                R[i] = R[i] + T.Cast("int32", A[i, k])
    for j)"));
}

TEST_F(EquivParametricSumsTest, AnIterationThatUsesTheOneBefore) {
  for (const char* added : {"C[i, j] + C[i, j] * ", "C[i, j] * 2 + ", "(C[i, j] ^ 1) + "}) {
    wrong(with(kOne, "C[i, j] + (", std::string(added) + "("), kSeveral);
  }
  wrong(kOne, with(kSeveral, "R[i] = R[i] + T.Cast(\"int32\", A[i, k])",
                   "R[i] = R[i] + T.Cast(\"int32\", A[i, k]) + (R[i] & 1)"));
  // What is added depends on the start.
  wrong(kPlain + "    C[0] = n\n    for k in range(40):\n        C[0] = C[0] + (C[0] ^ B[k])\n", kPlain + R"(
    P = T.alloc_buffer((1,), "int32")
    P[0] = 0
    for k in range(40):
        P[0] = P[0] + (P[0] ^ B[k])
    C[0] = n + P[0]
)");
  // A factor that the loop itself changes is none of its sum.
  wrong(kPlain + R"(
    t = T.alloc_buffer((1,), "int32")
    t[0] = 1
    for k in range(40):
        C[0] = C[0] + t[0] * (B[k] + A[0, 0])
        t[0] = t[0] + 1
)",
        kPlain + R"(
    P = T.alloc_buffer((1,), "int32")
    P[0] = 0
    for k in range(40):
        P[0] = P[0] + B[k]
    C[0] = P[0] + 40 * A[0, 0]
)");
}

TEST_F(EquivParametricSumsTest, WhatIsNotLinear) {
  const std::string total = R"(
    P = T.alloc_buffer((1,), "int32")
    P[0] = 0
    for k in range(40):
        P[0] = P[0] + B[k]
)";
  auto each = [&](const std::string& e) {
    return kPlain + "    for k in range(40):\n        C[0] = C[0] + " + e + "\n";
  };
  auto whole = [&](const std::string& e) { return kPlain + total + "    C[0] = " + e + "\n"; };
  proved(each("B[k] * 6"), whole("P[0] * 6"));
  for (const char* f : {"(@ // 2)", "(@ % 5)", "(@ >> 1)", "T.max(@, 0)", "(@ & 7)", "(@ * @)",
                        "T.Cast(\"int32\", T.Cast(\"int8\", @))", "T.if_then_else(@ > 0, @, 0)"}) {
    auto of = [&](const std::string& x) {
      std::string text = f;
      for (size_t at; (at = text.find('@')) != text.npos;) text.replace(at, 1, x);
      return text;
    };
    wrong(each(of("B[k]")), whole(of("P[0]")));
  }
}

/// Coefficients are compared modulo the width: of random ones that are right, and of those with one changed.
TEST_F(EquivParametricSumsTest, ProvedExactlyWhereTheCoefficientsAgree) {
  uint64_t seed = 11;
  auto below = [&](uint64_t n) { return static_cast<int64_t>((next_random(seed) >> 20) % n); };
  int agree = 0, differ = 0;
  for (int round = 0; round < 60; ++round) {
    const DType type = std::array{kInt8, kUInt8, kInt16, kUInt32}[size_t(round) % 4];
    const int64_t n = std::array<int64_t, 4>{20, 64, 256, 300}[size_t(below(4))];
    const Wide width = Wide{1} << type.bits;
    auto number = [&](Wide value) {
      return "T." + type.str() + "(" + std::to_string(static_cast<int64_t>(wrap_to(type, value))) + ")";
    };
    const int64_t a = below(300), b = below(300), c = below(5) * 64, d = below(300), start = below(300);
    Wide of[] = {Wide{a} * c, Wide{a} * d, Wide{b} * c, Wide{start} + Wide{n} * b * d};  // A * B, A, B, 1
    const int64_t changed = below(4), by = std::array<int64_t, 5>{0, 0, 1, 128, 1 << 16}[size_t(below(5))];
    of[changed] += by;
    const std::string head = "\ndef f(A: T.Buffer((" + std::to_string(n) + ",), \"TYPE\"), B: T.Buffer((" +
                             std::to_string(n) + ",), \"TYPE\"), C: T.Buffer((1,), \"TYPE\")):\n";
    const std::string loop = "    for k in range(" + std::to_string(n) + "):\n        ";
    std::string before = head + "    C[0] = " + number(start) + "\n" + loop + "C[0] = C[0] + (A[k] * " + number(a) +
                         " + " + number(b) + ") * (" + number(c) + " * B[k] + " + number(d) + ")\n";
    std::string after = head;
    for (auto [name, term] : {std::pair{"P", "A[k] * B[k]"}, {"Q", "A[k]"}, {"R", "B[k]"}}) {
      const std::string cell = std::string(name) + "[0]";
      after += "    " + std::string(name) + " = T.alloc_buffer((1,), \"TYPE\")\n    " + cell + " = " + number(0) +
               "\n" + loop + cell + " = " + cell + " + " + term + "\n";
    }
    after += "    C[0] = P[0] * " + number(of[0]) + " + Q[0] * " + number(of[1]) + " + " + number(of[2]) +
             " * R[0] + " + number(of[3]) + "\n";
    for (std::string* text : {&before, &after}) {
      for (size_t at; (at = text->find("TYPE")) != text->npos;) text->replace(at, 4, type.str());
    }
    if (Wide{by} % width == 0) {
      ++agree;
      proved(before, after);
    } else {
      ++differ;
      wrong(before, after);
    }
  }
  EXPECT_GE(agree, 15);
  EXPECT_GE(differ, 15);
}

}  // namespace equiv_parametric_sums_test
}  // namespace hexproof
