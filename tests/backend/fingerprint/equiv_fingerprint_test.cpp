// Fingerprints of pairs: right ones are equal, wrong ones differ, and nothing is claimed where nothing is known.
#include "tests/backend/fingerprint/fingerprint.h"

namespace hexproof {
namespace equiv_fingerprint_test {

using namespace fingerprints;

/// One statement over A, B -> C of a type, for each i of 8.
PrimFunc elementwise(const std::string& type, const std::string& statement) {
  std::string t = "T.Buffer((8,), \"" + type + "\")";
  return parse("def f(A: " + t + ", B: " + t + ", C: " + t + "):\n    for i in range(8):\n        " + statement + "\n");
}

PrimFunc matmul(const std::string& type, const std::string& loops) {
  std::string t = "T.Buffer((8, 8), \"" + type + "\")";
  std::string zero = "T." + type + "(0)";
  return parse("def f(A: " + t + ", B: " + t + ", C: " + t +
               "):\n    for i, j in T.grid(8, 8):\n        C[i, j] = " + zero + "\n" + loops);
}
const char* const kPlain = "    for i, j, k in T.grid(8, 8, 8):\n        C[i, j] = C[i, j] + A[i, k] * B[k, j]\n";
const char* const kTiled =
    "    for io, ko, i, j, k in T.grid(2, 2, 4, 8, 4):\n"
    "        C[io * 4 + i, j] = C[io * 4 + i, j] + A[io * 4 + i, ko * 4 + k] * B[ko * 4 + k, j]\n";
const char* const kBackwards =
    "    for i, j, k in T.grid(8, 8, 8):\n        C[i, j] = C[i, j] + A[i, 7 - k] * B[7 - k, j]\n";
const char* const kOffByOne =
    "    for i, j, k in T.grid(8, 8, 8):\n        C[i, j] = C[i, j] + A[i, k] * B[(k + 1) % 8, j]\n";

TEST(Fingerprint, LoopsInAnotherOrderAreTheSameOperations) {
  expect_equal(matmul("float32", kPlain), matmul("float32", kTiled));
  expect_equal(matmul("int32", kPlain), matmul("int32", kTiled));
  expect_equal(matmul("int8", kPlain), matmul("int8", kTiled));
}

TEST(Fingerprint, AReassociatedSumIsOtherOperations) {
  expect_not_equal(matmul("float32", kPlain), matmul("float32", kBackwards), "the operations that make C[0, 0] differ");
}

TEST(Fingerprint, ReassociationIsFreeForIntegersAndWhereItIsGranted) {
  expect_equal(matmul("int8", kPlain), matmul("int8", kBackwards));
  PrimFunc before = granting("reassoc", matmul("float32", kPlain)),
           after = granting("reassoc", matmul("float32", kBackwards));
  expect_equal(before, after);
  // Granted to one of the two: not granted.
  expect_not_equal(before, matmul("float32", kBackwards), "differ");
}

TEST(Fingerprint, WrongPairsDifferInEveryAlgebra) {
  expect_not_equal(matmul("float32", kPlain), matmul("float32", kOffByOne), "C[0, 0] differ");
  expect_not_equal(matmul("int32", kPlain), matmul("int32", kOffByOne), "C[0, 0] differ");
  expect_not_equal(granting("reassoc", matmul("float32", kPlain)), granting("reassoc", matmul("float32", kOffByOne)),
                   "C[0, 0] differ");
}

TEST(Fingerprint, ReassociationIsNeitherDistributionNorCancellation) {
  auto f = [&](const char* statement) { return granting("reassoc", elementwise("float32", statement)); };
  expect_equal(f("C[i] = (A[i] + B[i]) + C[i]"), f("C[i] = A[i] + (C[i] + B[i])"));
  expect_equal(f("C[i] = (A[i] * B[i]) * C[i]"), f("C[i] = A[i] * (C[i] * B[i])"));
  expect_equal(f("C[i] = A[i] - B[i] + C[i]"), f("C[i] = C[i] + A[i] - B[i]"));
  expect_not_equal(f("C[i] = A[i] * (B[i] + C[i])"), f("C[i] = A[i] * B[i] + A[i] * C[i]"), "differ");
  expect_not_equal(f("C[i] = A[i] - A[i]"), f("C[i] = B[i] - B[i]"), "differ");  // not where A is infinite
  expect_not_equal(f("C[i] = (A[i] + B[i]) - B[i]"), f("C[i] = A[i]"), "differ");
  expect_not_equal(f("C[i] = A[i] * T.float32(0)"), f("C[i] = T.float32(0)"), "differ");
  expect_not_equal(f("C[i] = A[i] + A[i]"), f("C[i] = A[i] * A[i]"), "differ");
  expect_not_equal(f("C[i] = A[i] / B[i]"), f("C[i] = B[i] / A[i]"), "differ");
}

TEST(Fingerprint, FloatsCommuteAndDoNoMore) {
  auto f = [&](const char* statement) { return elementwise("float32", statement); };
  expect_equal(f("C[i] = A[i] + B[i] * C[i]"), f("C[i] = C[i] * B[i] + A[i]"));
  expect_equal(f("C[i] = T.Select(A[i] > B[i], A[i], B[i])"), f("C[i] = T.Select(B[i] < A[i], A[i], B[i])"));
  expect_not_equal(f("C[i] = T.max(A[i], B[i])"), f("C[i] = T.max(B[i], A[i])"), "differ");
  expect_not_equal(f("C[i] = A[i] - B[i]"), f("C[i] = B[i] - A[i]"), "differ");
  expect_not_equal(f("C[i] = A[i] + T.float32(0)"), f("C[i] = A[i]"), "differ");
  expect_not_equal(f("C[i] = A[i] + T.float32(0)"), f("C[i] = A[i] + T.float32(-0.0)"), "differ");
  expect_not_equal(f("C[i] = T.Select(A[i] < B[i], A[i], B[i])"), f("C[i] = T.Select(A[i] <= B[i], A[i], B[i])"),
                   "differ");
  expect_not_equal(f("C[i] = T.exp(A[i])"), f("C[i] = T.exp2(A[i])"), "differ");
  expect_not_equal(f("C[i] = T.Cast(\"float32\", T.Cast(\"float16\", A[i]))"), f("C[i] = A[i]"), "differ");
}

TEST(Fingerprint, IntegersAreEqualAsPolynomials) {
  auto f = [&](const char* statement) { return elementwise("int8", statement); };
  expect_equal(f("C[i] = A[i] * (B[i] + C[i])"), f("C[i] = A[i] * B[i] + C[i] * A[i]"));
  expect_equal(f("C[i] = A[i] - B[i]"), f("C[i] = A[i] + ~B[i] + T.int8(1)"));
  expect_equal(f("C[i] = T.max(A[i] + B[i], C[i])"), f("C[i] = T.max(C[i], B[i] + A[i])"));
  expect_equal(f("C[i] = A[i] - A[i]"), f("C[i] = T.int8(0)"));
  expect_not_equal(f("C[i] = T.max(A[i], B[i])"), f("C[i] = T.min(A[i], B[i])"), "differ");
  expect_not_equal(f("C[i] = A[i] * A[i]"), f("C[i] = A[i]"), "differ");
  // Low bits may be taken before or after; a wider type sees the wrap.
  auto wide = [&](const char* statement) {
    return parse(std::string("def f(A: T.Buffer((8,), \"int8\"), C: T.Buffer((8,), \"int32\")):\n"
                             "    for i in range(8):\n        ") +
                 statement + "\n");
  };
  expect_not_equal(wide("C[i] = T.Cast(\"int32\", A[i] + A[i])"),
                   wide("C[i] = T.Cast(\"int32\", A[i]) + T.Cast(\"int32\", A[i])"), "differ");
  expect_equal(wide("A[i] = T.Cast(\"int8\", C[i]) * T.Cast(\"int8\", C[i])"),
               wide("A[i] = T.Cast(\"int8\", C[i] * C[i])"));
}

// With one bilinear polynomial per operation, as for floats, these two would be equal: mixed differences of
// (a + p)(b + p') + q have no p in them. An operation that meets the ring must have no structure.
TEST(Fingerprint, OpaqueOperationsHaveNoStructureInTheRing) {
  auto f = [&](const std::string& value) {
    std::string t = "T.Buffer((1,), \"int32\")";
    return parse("def f(W: " + t + ", X: " + t + ", Y: " + t + ", Z: " + t + ", C: " + t + "):\n    C[0] = " + value +
                 "\n");
  };
  PrimFunc after = f("X[0] * Y[0] - X[0] * Z[0] - W[0] * Y[0] + W[0] * Z[0]");
  for (std::string op : {"T.max(_, _)", "_ & _"}) {
    auto apply = [&](const std::string& a, const std::string& b) {
      std::string out = op;
      out.replace(out.find('_'), 1, a);
      return out.replace(out.find('_'), 1, b);
    };
    expect_not_equal(f(apply("X[0]", "Y[0]") + " - " + apply("X[0]", "Z[0]") + " - " + apply("W[0]", "Y[0]") + " + " +
                       apply("W[0]", "Z[0]")),
                     after, "differ");
  }
}

TEST(Fingerprint, LargeConstantsAreTakenForUnknownNumbers) {
  auto f = [&](const std::string& statement) { return elementwise("int64", statement); };
  std::string big = "T.int64(2147483647)";
  expect_equal(f("C[i] = A[i] * " + big), f("C[i] = " + big + " * A[i]"));
  // (2^31 - 1)^2 is below 2^62, and beyond the bound.
  PrimFunc square = f("C[i] = A[i] * " + big + " * " + big);
  Evidence found = compare(square, square);
  EXPECT_TRUE(found.equal_so_far) << found.says;
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("constants beyond 32768"), std::string::npos) << found.notes[0];
  // 2^61 - 1 is zero in the field. It is not zero as an int64, nor below an opaque operation.
  const std::string prime = "T.int64(2305843009213693951)";
  expect_not_equal(f("C[i] = A[i] * " + prime), f("C[i] = T.int64(0)"), "differ");
  expect_not_equal(f("C[i] = T.max(A[i] * " + prime + ", B[i])"), f("C[i] = T.max(T.int64(0), B[i])"), "differ");
  expect_not_equal(f("C[i] = A[i] + " + prime + " - T.int64(1)"), f("C[i] = A[i] - T.int64(1)"), "differ");
  // So with a number that only the run knows.
  const std::string at_run_time = "(T.Cast(\"int64\", i) * T.int64(0) + " + prime + ")";
  expect_not_equal(f("C[i] = A[i] * " + at_run_time), f("C[i] = T.int64(0)"), "differ");
  expect_equal(f("C[i] = A[i] * " + at_run_time), f("C[i] = " + prime + " * A[i]"));
}

TEST(Fingerprint, NothingIsClaimedBeyondTheBoundOfCoefficients) {
  // (2^15)^4 is 2^60.
  PrimFunc func =
      elementwise("int64", "C[i] = A[i] * T.int64(32768) * T.int64(32768) * T.int64(32768) * T.int64(32768)");
  expect_not_equal(func, func, "coefficients of the integer results");
  PrimFunc below = elementwise(
      "int64", "C[i] = T.max(A[i] * T.int64(32768) * T.int64(32768) * T.int64(32768) * T.int64(32768), A[i])");
  expect_not_equal(below, below, "coefficients of the integer results");
}

TEST(Fingerprint, NothingIsClaimedAtAnAbsurdDegree) {
  PrimFunc func =
      parse("def f(A: T.Buffer((1,), \"float32\")):\n    for i in range(100):\n        A[0] = A[0] * A[0]\n");
  expect_not_equal(func, func, "too high for a bound");
}

TEST(Fingerprint, ChoicesByData) {
  auto f = [&](const char* statement) { return elementwise("float32", statement); };
  expect_equal(f("C[i] = T.if_then_else(A[i] > B[i], A[i], B[i])"), f("C[i] = T.Select(A[i] > B[i], A[i], B[i])"));
  expect_not_equal(f("C[i] = T.if_then_else(A[i] > B[i], A[i], B[i])"), f("C[i] = T.Select(A[i] > B[i], B[i], A[i])"),
                   "differ");
  // The arm that is not chosen may be an error: it is not evaluated.
  Evidence found = compare(f("C[i] = T.if_then_else(A[i] > T.float32(0), A[i], B[i])"),
                           f("C[i] = T.if_then_else(A[i] > T.float32(0), A[i], B[i + 1])"));
  EXPECT_FALSE(found.equal_so_far);
  EXPECT_EQ(found.finding, Finding::Undecided) << found.says;
  // Neither may a branch.
  found = compare(f("if A[i] > T.float32(0):\n            C[i] = B[i]"),
                  f("if A[i] > T.float32(0):\n            C[i] = B[i + 1]"));
  EXPECT_FALSE(found.equal_so_far);
  EXPECT_EQ(found.finding, Finding::Undecided) << found.says;
}

TEST(Fingerprint, BranchesByData) {
  auto f = [&](const std::string& body) {
    std::string t = "T.Buffer((8,), \"int32\")";
    return parse("def f(A: " + t + ", B: " + t + ", C: " + t + "):\n    for i in range(8):\n" + body);
  };
  const std::string both =
                        "        if A[i] > 0:\n            B[i] = A[i] + 1\n            C[i] = A[i]\n        else:\n"
                        "            C[i] = 3\n",
                    apart =
                        "        if A[i] > 0:\n            B[i] = 1 + A[i]\n        if A[i] > 0:\n"
                        "            C[i] = A[i]\n        else:\n            C[i] = 3\n",
                    turned =
                        "        if A[i] > 0:\n            B[i] = A[i] + 1\n            C[i] = 3\n        else:\n"
                        "            C[i] = A[i]\n",
                    selects =
                        "        B[i] = T.Select(A[i] > 0, A[i] + 1, B[i])\n"
                        "        C[i] = T.if_then_else(A[i] > 0, A[i], C[i])\n"
                        "        C[i] = T.Select(A[i] > 0, C[i], 3)\n";
  expect_equal(f(both), f(apart));
  expect_equal(f(both), f(selects));
  expect_not_equal(f(both), f(turned), "differ");
  // The condition is taken once, before the branch changes what it reads.
  const std::string
      own = "        if A[i] > 0:\n            A[i] = 0 - A[i]\n            B[i] = A[i]\n",
      again = "        if A[i] > 0:\n            A[i] = 0 - A[i]\n        if A[i] > 0:\n            B[i] = A[i]\n";
  expect_equal(f(own), f(own));
  Evidence wrong = expect_not_equal(f(own), f(again), "differ");
  EXPECT_EQ(wrong.finding, Finding::Refuted);
  // Loops and vectors in a branch; a branch in a branch.
  const std::string nested =
      "        if A[i] > 0:\n            for j in range(2):\n                if B[j] == 2:\n                    C[j] = "
      "A[i]\n"
      "        else:\n            C[T.Ramp(0, 1, 4)] = A[T.Ramp(4, 1, 4)]\n";
  expect_equal(f(nested), f(nested));
  Evidence found = compare(f("        if A[i] > 0:\n            T.assume(B[i] > 0)\n            C[i] = A[i]\n"),
                           f("        if A[i] > 0:\n            T.assume(B[i] > 0)\n            C[i] = A[i]\n"));
  EXPECT_EQ(found.finding, Finding::Unsupported);
  EXPECT_NE(found.says.find("a condition that depends on the content of a buffer"), std::string::npos) << found.says;
  EXPECT_NE(found.says.find("T.Select"), std::string::npos) << found.says;
}

TEST(Fingerprint, LongRunsAreRefusedBeforehand) {
  auto f = [&](const std::string& inner) {
    return parse(
        "def f(A: T.Buffer((1,), \"float32\")):\n    for i, j in T.grid(1000000, 1000000):\n        for k in range(" +
        inner + "):\n            A[0] = T.float32(0)\n");
  };
  expect_not_equal(f("1"), f("1"), "too many");
  PrimFunc triangle = parse(
      "def f(A: T.Buffer((1,), \"float32\")):\n    for i in range(1000000):\n        for j in "
      "range(i * 1000):\n            A[0] = T.float32(0)\n");
  expect_not_equal(triangle, triangle, "too many");
}

TEST(Fingerprint, ProgramsThatMayReachErrorsAreNotRun) {
  auto f = [&](const char* statement) { return elementwise("int32", statement); };
  expect_not_equal(f("C[i] = A[i] // B[i]"), f("C[i] = A[i] // B[i]"),
                   "the program before is not proved free of errors");
  expect_not_equal(f("C[i] = A[i]"), f("C[i] = A[i + 1]"), "the program after is not proved free of errors");
}

TEST(Fingerprint, ADifferenceIsShownOnARealInputWhereThereIsOne) {
  auto f = [&](const char* statement) { return elementwise("float32", statement); };
  Evidence wrong = expect_not_equal(f("C[i] = A[i] + B[i]"), f("C[i] = A[i] - B[i]"), "differ");
  EXPECT_EQ(wrong.finding, Finding::Refuted);
  ASSERT_TRUE(wrong.input.has_value());
  Evidence same = expect_not_equal(f("C[i] = A[i] + A[i]"), f("C[i] = A[i] * T.float32(2)"), "refutes nothing");
  EXPECT_EQ(same.finding, Finding::Undecided);
  EXPECT_FALSE(same.input.has_value());
}

TEST(Fingerprint, SizesArePutIn) {
  const char* text = R"(def f(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        B[i] = A[%] + T.Cast("float32", n)
)";
  auto f = [&](const std::string& index) {
    std::string out = text;
    return parse(out.replace(out.find('%'), 1, index));
  };
  auto at = [&](const PrimFunc& after, int64_t n) {
    ProgramPair pair = pair_programs(f("i"), after);
    Prover prover;
    return equiv_fingerprint(pair, *instantiate(pair, {n}), prover, *make_native_evaluator(), 3);
  };
  EXPECT_TRUE(at(f("i"), 9).equal_so_far) << at(f("i"), 9).says;
  EXPECT_TRUE(at(f("n - 1 - i"), 1).equal_so_far);
  EXPECT_FALSE(at(f("n - 1 - i"), 2).equal_so_far);
}

// Every seed sees the difference: a mutation of one index, one constant, one operator.
TEST(Fingerprint, SeedsDoNotMatter) {
  PrimFunc before = matmul("float32", kPlain), wrong = matmul("float32", kOffByOne), right = matmul("float32", kTiled);
  for (uint64_t seed : {uint64_t{0}, uint64_t{2}, uint64_t{12345}, ~uint64_t{0}}) {
    EXPECT_TRUE(compare(before, right, {}, seed).equal_so_far);
    EXPECT_FALSE(compare(before, wrong, {}, seed).equal_so_far);
  }
}

}  // namespace equiv_fingerprint_test
}  // namespace hexproof
