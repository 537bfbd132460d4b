// check of modules with calls: what a callee assumes is proved at its call, or an input shows that it is false.
#include "tests/verify/check/check_fixture.h"
#include "verify/check/module.h"

namespace hexproof {
namespace check_module_test {

struct CheckModule : CheckTest {
  static CheckReport checked(const std::string& text, const std::string& entry = "main") {
    return check(link(parse_module(text, "p.py"), entry, prover()), prover());
  }
  static void all_proved(const std::string& text) {
    CheckReport report = checked(text);
    EXPECT_EQ(report.finding, Finding::Proved) << describe(report) << text;
    for (const CheckedObligation& o : report.obligations) EXPECT_EQ(o.answer.verdict, Verdict::Proved);
  }
  static void refuted_with(const std::string& text, const std::string& message) {
    CheckReport report = checked(text);
    EXPECT_EQ(report.finding, Finding::Refuted) << describe(report) << text;
    EXPECT_NE(report.counterexample.find(message), std::string::npos) << describe(report);
  }
};

/// main allocates A (4, 4), lets `producer` fill the fourteen logical cells and `stage` be done to the others, and
/// calls a consumer with this assume in its loop over (io, ii).
std::string chain(const std::string& stage, const std::string& assume, const std::string& guard = "") {
  std::string read = guard.empty() ? "            B[0] = B[0] + A[io, ii]\n"
                                   : "            if " + guard + ":\n                B[0] = B[0] + A[io, ii]\n";
  return "@I.ir_module\n"
         "class Module:\n"
         "    @T.prim_func\n"
         "    def main(B: T.Buffer((1,), \"int32\")):\n"
         "        A = T.alloc_buffer((4, 4), \"int32\")\n"
         "        Module.producer(A.data)\n"
         "        Module.consumer(A.data, B.data)\n"
         "    @T.prim_func\n"
         "    def producer(A: T.Buffer((4, 4), \"int32\")):\n"
         "        for i in range(14):\n"
         "            A[i // 4, i % 4] = 1000 + i\n" +
         (stage.empty() ? ""
                        : "        for io, ii in T.grid(4, 4):\n            if 4 * io + ii >= 14:\n                " +
                              stage + "\n") +
         "    @T.prim_func\n"
         "    def consumer(A: T.Buffer((4, 4), \"int32\"), B: T.Buffer((1,), \"int32\")):\n" +
         (assume.empty() ? "" : "        for io, ii in T.grid(4, 4):\n            T.assume(" + assume + ")\n") +
         "        B[0] = 0\n"
         "        for io, ii in T.grid(4, 4):\n" +
         read;
}

const char* kZero = "4 * io + ii < 14 or A[io, ii] == 0";
const char* kAny = "4 * io + ii < 14 or A[io, ii] == T.undef()";

// The two calls' assumes stand at one place of the text; the sum of a loop is what no solver sees.
TEST_F(CheckModule, TheCallIsBlamedWhoseAssumeIsFalse) {
  const auto text = [](const std::string& first, const std::string& second) {
    return "@I.ir_module\nclass Module:\n"
           "    @T.prim_func\n"
           "    def main(C: T.Buffer((2,), \"int32\")):\n"
           "        B = T.alloc_buffer((1,), \"int32\")\n"
           "        B[0] = 0\n"
           "        for i in range(4):\n"
           "            B[0] = B[0] + i\n" +
           first +
           "        Module.g(B.data)\n"
           "        C[0] = B[0]\n" +
           second +
           "        Module.g(B.data)\n"
           "        C[1] = B[0]\n"
           "    @T.prim_func\n"
           "    def g(B: T.Buffer((1,), \"int32\")):\n"
           "        T.assume(B[0] == 6)\n"
           "        B[0] = 7\n";
  };
  const std::string right = "        B[0] = B[0]\n", wrong = "        B[0] = 5\n";
  const CheckReport second = checked(text(right, wrong)), both = checked(text(wrong, wrong));
  EXPECT_EQ(second.finding, Finding::Refuted) << describe(second);
  EXPECT_EQ(second.counterexample.find("at p.py:10"), std::string::npos) << describe(second);
  EXPECT_NE(second.counterexample.find("at p.py:13"), std::string::npos) << describe(second);
  EXPECT_NE(both.counterexample.find("at p.py:10"), std::string::npos) << describe(both);
  EXPECT_NE(both.counterexample.find("at p.py:13"), std::string::npos) << describe(both);
}

// What an assume evaluates is decided from left to right, with the cell of a permission as one of its parts.
TEST_F(CheckModule, APermissionOfACalleeIsReadInItsOrder) {
  auto with = [](const std::string& assume) {
    return "@I.ir_module\nclass Module:\n"
           "    @T.prim_func\n"
           "    def main(B: T.Buffer((8,), \"int32\"), n: T.int32):\n"
           "        T.assume(n > 0)\n"
           "        C = T.alloc_buffer((8,), \"int32\")\n"
           "        for i in range(8):\n            C[i] = i\n"
           "        Module.f(C.data, B.data, n)\n"
           "    @T.prim_func\n"
           "    def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), n: T.int32):\n"
           "        T.assume(" +
           assume + ")\n        for i in range(8):\n            B[i] = 1\n";
  };
  all_proved(with("n >= 8 or A[n] > 100 or A[0] == T.undef()"));
  all_proved(with("n > 0 or A[9] == T.undef()"));
  refuted_with(with("n < 0 or A[9] == T.undef() or n > 0"), "read out of bounds");
}

TEST_F(CheckModule, AnAssumeOfACalleeIsProvedFromTheStoresOfAnother) {
  all_proved(chain("A[io, ii] = 0", kZero));
  CheckReport report = checked(chain("A[io, ii] = 0", kZero));
  ASSERT_FALSE(report.obligations.empty());
  const Obligation& first = report.obligations[0].obligation;
  EXPECT_EQ(first.why, "assume of 'consumer' at its call at p.py:7:9");
  EXPECT_EQ(first.where.function, "consumer");
}

TEST_F(CheckModule, AFalseAssumeOfACalleeIsShown) {
  refuted_with(chain("A[io, ii] = 7", kZero), "assume of 'consumer' at its call at p.py:7:9: not true");
  refuted_with(chain("A[io, ii] = 7", kZero), "the assume is false");
  // By itself the consumer is right: there the assume is what its callers promise.
  CheckReport alone = checked(chain("A[io, ii] = 7", kZero), "consumer");
  EXPECT_EQ(alone.finding, Finding::Proved) << describe(alone);
}

TEST_F(CheckModule, AnAssumeThatSomeInputBreaksIsShownWithThatInput) {
  auto text = [](const std::string& value) {
    return "@I.ir_module\n"
           "class Module:\n"
           "    @T.prim_func\n"
           "    def main(X: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n"
           "        for i in range(4):\n"
           "            X[i] = " +
           value +
           "\n"
           "        Module.stage(X.data, Y.data)\n"
           "    @T.prim_func\n"
           "    def stage(X: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n"
           "        for i in range(4):\n"
           "            T.assume(X[i] <= 8)\n"
           "            Y[i] = X[i]\n";
  };
  all_proved(text("T.min(Y[i], 8)"));
  refuted_with(text("Y[i]"), "the assume is false");
}

TEST_F(CheckModule, APaddingThatNobodyFilledIsNotPermittedToBeRead) {
  // The permission asks for a value, whatever it is: an undef that was stored is one.
  all_proved(chain("A[io, ii] = T.undef()", kAny, "4 * io + ii < 14"));
  all_proved(chain("A[io, ii] = 5", kAny, "4 * io + ii < 14"));
  refuted_with(chain("", kAny, "4 * io + ii < 14"), "uninitialised");
  refuted_with(chain("", kAny, "4 * io + ii < 14"),
               "assume of 'consumer' at its call at p.py:7:9: what it permits to be read holds no value");
  // Nor may a value be assumed there.
  EXPECT_NE(checked(chain("", kZero, "4 * io + ii < 14")).finding, Finding::Proved);
  // Without an assume there is nothing to prove.
  all_proved(chain("", "", "4 * io + ii < 14"));
  refuted_with(chain("", ""), "uninitialised");
}

TEST_F(CheckModule, AnAssumeOfACalleeProvesNothingOfItself) {
  // The second assume follows from the first, and the first from nothing.
  std::string text =
      "@I.ir_module\n"
      "class Module:\n"
      "    @T.prim_func\n"
      "    def main(X: T.Buffer((1,), \"int32\")):\n"
      "        Module.stage(X.data)\n"
      "    @T.prim_func\n"
      "    def stage(X: T.Buffer((1,), \"int32\")):\n"
      "        T.assume(X[0] == 1)\n"
      "        T.assume(X[0] == 1)\n";
  EXPECT_EQ(checked(text).finding, Finding::Refuted);
  EXPECT_EQ(checked(text, "stage").finding, Finding::Proved);
}

TEST_F(CheckModule, TheEntrysOwnAssumesAreGiven) {
  auto text = [](const std::string& bound) {
    return "@I.ir_module\n"
           "class Module:\n"
           "    @T.prim_func\n"
           "    def main(X: T.Buffer((8,), \"int32\"), n: T.int32):\n"
           "        T.assume(n >= 0 and n <= " +
           bound +
           ")\n"
           "        Module.stage(X.data, n)\n"
           "    @T.prim_func\n"
           "    def stage(X: T.Buffer((8,), \"int32\"), k: T.int32):\n"
           "        T.assume(k <= 8)\n"
           "        for i in range(k):\n"
           "            X[i] = 0\n";
  };
  all_proved(text("8"));
  refuted_with(text("9"), "");
}

TEST_F(CheckModule, SymbolicShapesAgreeWhereTheyAreProvedTo) {
  auto text = [](const std::string& shape) {
    return "@I.ir_module\n"
           "class Module:\n"
           "    @T.prim_func\n"
           "    def main(a: T.handle, c: T.handle):\n"
           "        m = T.int32()\n"
           "        X = T.match_buffer(a, (m,), \"int32\")\n"
           "        Z = T.match_buffer(c, (m,), \"int64\")\n"
           "        Y = T.alloc_buffer((" +
           shape +
           ",), \"int32\")\n"
           "        Module.stage(X.data, Y.data)\n"
           "    @T.prim_func\n"
           "    def stage(a: T.handle, b: T.handle):\n"
           "        n = T.int32()\n"
           "        A = T.match_buffer(a, (n,), \"int32\")\n"
           "        B = T.match_buffer(b, (2 * n,), \"int32\")\n"
           "        for i in range(n):\n"
           "            B[2 * i] = A[i]\n";
  };
  all_proved(text("m + m"));
  EXPECT_THROW(checked(text("m + 2")), Error);
}

TEST_F(CheckModule, AFunctionWithCallsIsNotLookedAtAlone) {
  IRModule module = parse_module(chain("A[io, ii] = 0", kZero));
  EXPECT_THROW(check(module.functions[0], prover()), Unsupported);
}

}  // namespace check_module_test
}  // namespace hexproof
