// What the granted flags leave open is a value of its own at each evaluation.
#include "verify/prove/open_rounding.h"

#include "tests/verify/equiv/parametric/equiv_parametric.h"
#include "tests/verify/equiv/symbolic/equiv_symbolic.h"
#include "verify/check/check.h"

namespace hexproof {
namespace open_rounding_test {

struct OpenRoundingTest : EquivParametricTest {
  static std::string program(const std::string& flags, const std::string& lines) {
    std::string text =
        "def f(A: T.Buffer((8,), \"float32\"), C: T.Buffer((8,), \"float32\"), D: T.Buffer((8,), \"float32\"), "
        "E: T.Buffer((8,), \"float32\"), K: T.Buffer((8,), \"int32\")):\n"
        "    T.func_attr({\"hexproof.fp\": \"" +
        flags +
        "\"})\n"
        "    for i in range(8):\n";
    std::istringstream list(lines);
    for (std::string line; std::getline(list, line, ';');) text += "        " + line + "\n";
    return text;
  }
  static Finding symbolic(const std::string& before, const std::string& after) {
    ProgramPair pair = pair_programs(parse(before), parse(after), {});
    return equiv_symbolic(pair, *instantiate(pair, {}), prover(), 1'000'000).finding;
  }
  /// By both methods.
  static void equal(const std::string& flags, const std::string& before, const std::string& after) {
    proved(program(flags, before), program(flags, after));
    EXPECT_EQ(symbolic(program(flags, before), program(flags, after)), Finding::Proved) << flags << before << after;
  }
  static void differ(const std::string& flags, const std::string& before, const std::string& after) {
    open(program(flags, before), program(flags, after));
    EXPECT_EQ(symbolic(program(flags, before), program(flags, after)), Finding::Undecided) << flags << before << after;
  }
};

const Expr kOne = fimm(kFloat32, 1.0);
Expr variable(const char* name) { return Expr(Var::fresh(name, kFloat32)); }

TEST_F(OpenRoundingTest, WhichOperationsAreLeftOpen) {
  const Expr x = variable("x"), y = variable("y"), n = cast(kFloat32, Expr(Var::fresh("n", kInt32)));
  const OpenRounding none{}, contract{.contract = true}, reassoc{.reassoc = true}, nsz{.nsz = true};
  for (const Expr& e : {x + y, x - y, x * y, binary(Op::Div, x, y)}) EXPECT_FALSE(is_left_open(e, none));
  EXPECT_TRUE(is_left_open(x + y, contract)) << "a variable may be a product";
  EXPECT_TRUE(is_left_open(x - kOne, contract));
  EXPECT_FALSE(is_left_open(x * y, contract));
  EXPECT_FALSE(is_left_open(n + kOne, contract)) << "numbers";
  EXPECT_TRUE(is_left_open(x * y, reassoc));
  EXPECT_TRUE(is_left_open(binary(Op::Div, x, y), reassoc));
  EXPECT_FALSE(is_left_open(n * kOne, reassoc));
  EXPECT_TRUE(is_left_open(binary(Op::Div, kOne, x), nsz));
  EXPECT_FALSE(is_left_open(binary(Op::Div, x, kOne), nsz));
  EXPECT_TRUE(is_left_open(call(kFloat32, "T.copysign", {kOne, x}), nsz));
  EXPECT_FALSE(is_left_open(call(kFloat32, "T.copysign", {x, kOne}), nsz));
  EXPECT_FALSE(is_left_open(x + y, nsz));
  EXPECT_FALSE(is_left_open(max(x, y), reassoc));
  OpenRounding inputs{.contract = true};
  inputs.numbers = {x->var(), y->var()};
  EXPECT_FALSE(is_left_open(x + y, inputs)) << "what the caller gave";
  EXPECT_TRUE(is_left_open(x * y + y, inputs));
}

TEST_F(OpenRoundingTest, AnArgumentThatIsWrittenHoldsWhatWasComputed) {
  PrimFunc func = parse(program("contract", "D[i] = A[i]"));
  const std::vector<Buffer> buffers = func.buffer_params();
  const OpenRounding open = open_rounding_of(func);
  EXPECT_TRUE(open.numbers.count(buffers[0]->data));
  EXPECT_FALSE(open.numbers.count(buffers[2]->data));
}

TEST_F(OpenRoundingTest, EachOccurrenceIsAValueOfItsOwn) {
  const OpenRoundingScope scope({.contract = true, .one_format = true});
  const Expr x = variable("x"), y = variable("y"), sum = x * y + kOne;
  auto asked = [&](std::vector<Expr> given, const Expr& goal) {
    return prover().prove({.rule = "test", .why = "", .where = {}, .given = std::move(given), .goal = goal}).verdict;
  };
  EXPECT_NE(asked({}, same_bits(sum, sum)), Verdict::Proved);
  EXPECT_NE(asked({}, lnot(lt(sum, sum))), Verdict::Proved);
  EXPECT_NE(asked({lt(sum, kOne)}, lt(sum, kOne)), Verdict::Proved);
  EXPECT_EQ(asked({}, same_bits(x * y, x * y)), Verdict::Proved) << "a product is rounded in one way";
  const Var v = Var::fresh("v", kFloat32);
  EXPECT_EQ(asked({}, let(v, sum, lnot(lt(Expr(v), Expr(v))))), Verdict::Proved) << "one evaluation";
  // A zero that is added leaves a product as it is rounded by itself, but for the sign of a zero.
  const Expr zero = fimm(kFloat32, 0.0);
  EXPECT_EQ(asked({}, lor(eq(x + zero, x), ne(x, x))), Verdict::Proved);
  EXPECT_NE(asked({}, lnot(same_bits(x + zero, fimm(kFloat32, -0.0)))), Verdict::Proved);
}

TEST_F(OpenRoundingTest, EverythingIsOpenWhereNobodySaidOfWhichProgramOneSpeaks) {
  const Expr x = variable("x"), sum = x + kOne;
  const Obligation same{.rule = "test", .why = "", .where = {}, .given = {}, .goal = same_bits(sum, sum)};
  EXPECT_NE(prover().prove(same).verdict, Verdict::Proved);
  const OpenRoundingScope ieee{OpenRounding{}};
  EXPECT_EQ(prover().prove(same).verdict, Verdict::Proved);
}

TEST_F(OpenRoundingTest, ALetIsOneEvaluation) {
  const char *once = "s: T.float32 = A[i] * C[i] + C[i];D[i] = s;E[i] = s",
             *twice = "D[i] = A[i] * C[i] + C[i];E[i] = A[i] * C[i] + C[i]";
  equal("", once, twice);
  for (const char* flags : {"contract", "reassoc", "contract reassoc nsz"}) {
    equal(flags, once, once);
    equal(flags, twice, twice);
    equal(flags, twice, once);  // one for two
    differ(flags, once, twice);
  }
  // One rounding: there is nothing to choose.
  equal("contract", "s: T.float32 = A[i] * C[i];D[i] = s;E[i] = s", "D[i] = A[i] * C[i];E[i] = A[i] * C[i]");
  equal("reassoc", "s: T.float32 = A[i] + C[i];D[i] = s;E[i] = s", "D[i] = A[i] + C[i];E[i] = A[i] + C[i]");
}

TEST_F(OpenRoundingTest, ThroughChoicesAndMemory) {
  const std::string product = "T.Select(K[i] > 0, A[i] * C[i], C[i])";
  equal("", "s: T.float32 = " + product + " + C[i];D[i] = s;E[i] = s",
        "D[i] = " + product + " + C[i];E[i] = " + product + " + C[i]");
  differ("contract", "s: T.float32 = " + product + " + C[i];D[i] = s;E[i] = s",
         "D[i] = " + product + " + C[i];E[i] = " + product + " + C[i]");
  differ("contract", "D[i] = A[i] * C[i];E[i] = D[i] + C[i];D[i] = E[i]",
         "D[i] = A[i] * C[i] + C[i];E[i] = A[i] * C[i] + C[i]");
}

TEST_F(OpenRoundingTest, OneOfTwoIsNotTheOther) {
  const std::string both = "d: T.float32 = A[i] * C[i] + C[i];e: T.float32 = A[i] * C[i] + C[i];";
  differ("contract", both + "K[i] = T.Select(d < e, 1, 0)", both + "K[i] = 0");
  equal("contract", both + "K[i] = T.Select(d < e, 1, 0)", both + "K[i] = T.Select(d < e, 1, 0)");
  const std::string one = "d: T.float32 = A[i] * C[i] + C[i];";
  EXPECT_EQ(symbolic(program("contract", one + "K[i] = T.Select(d < d, 1, 0)"), program("contract", one + "K[i] = 0")),
            Finding::Proved);
}

TEST_F(OpenRoundingTest, CheckConcludesNothingFromTwoEvaluations) {
  auto finding = [&](const char* flags, const char* lines) {
    return check(parse(program(flags, lines)), prover()).finding;
  };
  const char *twice = "K[T.if_then_else(A[i] * C[i] + C[i] < A[i] * C[i] + C[i], 100, i)] = 1",
             *once = "d: T.float32 = A[i] * C[i] + C[i];K[T.if_then_else(d < d, 100, i)] = 1";
  EXPECT_EQ(finding("", twice), Finding::Proved);
  EXPECT_NE(finding("contract", twice), Finding::Proved);
  EXPECT_NE(finding("reassoc", twice), Finding::Proved);
  EXPECT_EQ(finding("contract", once), Finding::Proved);
  EXPECT_EQ(finding("nsz", twice), Finding::Proved);
}

}  // namespace open_rounding_test
}  // namespace hexproof
