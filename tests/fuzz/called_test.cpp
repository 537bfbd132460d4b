// Campaigns on modules, on arguments with padding and on what is refuted: what they are made of, and what they see.
#include "fuzz/programs/called.h"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/module_verdicts.h"
#include "fuzz/oracle.h"
#include "fuzz/programs/arguments.h"
#include "fuzz/programs/formulas.h"
#include "fuzz/verdicts.h"
#include "ir/link/link.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace called_test {

PrimFunc parse(const std::string& text) { return parse_module("@T.prim_func\n" + text).functions.at(0); }

Prover prover() { return Prover({.cache_path = "", .rlimit = 100'000, .jobs = 1}); }

const char* kPermission = R"(def main(A: T.Buffer((4,), "int32"), C: T.Buffer((8,), "int32"), n: T.int32):
    for i in T.parallel(4):
        T.assume(n > 0 or A[0] == T.undef())
        C[i] = A[0]
)";

TEST(WithCallee, HoistsAnyStatementsOfAProgram) {
  const PrimFunc program = parse(kPermission);
  std::set<std::string> bodies;
  for (uint64_t number = 0; number < 40; ++number) {
    const std::optional<IRModule> module = with_callee(program, number);
    if (!module) continue;
    ASSERT_EQ(module->functions.size(), 2u);
    EXPECT_TRUE(has_calls(module->functions[0])) << print(*module);
    bodies.insert(print(module->functions[1].body));
    const PrimFunc linked = link(*module, "main").func;
    RunArguments arguments = arguments_of(program, number);
    std::vector<Tensor> want = arguments.buffers, got = arguments.buffers;
    EXPECT_EQ(run(program, want, arguments.scalars).error.has_value(),
              run(linked, got, arguments.scalars).error.has_value());
  }
  EXPECT_EQ(bodies.size(), 4u);  // the loop, the assume, the store, both of these
}

TEST(WrongModuleCheck, HasNothingToSayOfThem) {
  Prover p = prover();
  for (uint64_t number = 0; number < 12; ++number) {
    const std::optional<IRModule> module = with_callee(parse(kPermission), number);
    if (module) {
      EXPECT_EQ(wrong_module_check(*module, 3, p), "") << print(*module);
    }
  }
}

TEST(FalseRefutation, IsNoneWhereARunMeetsTheError) {
  Prover p = prover();
  EXPECT_EQ(false_refutation(parse("def main(A: T.Buffer((4,), \"int32\")):\n    A[4] = 1\n"), p), "");
  EXPECT_EQ(false_refutation(parse("def main(A: T.Buffer((4,), \"int32\")):\n    A[3] = 1\n"), p), "");
  EXPECT_EQ(
      false_refutation(parse("def main(A: T.Buffer((4,), \"int32\")):\n    A[3] = 1\n    T.assume(A[3] == 2)\n"), p),
      "");
}

const char* kFilled = R"(def main(A: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda i: i >= 3"})
    A[3] = T.undef()
    for i in range(3):
        D[i] = A[i]
)";
const char* kLeft = R"(def main(A: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda i: i >= 3"})
    for i in range(3):
        D[i] = A[i]
)";

TEST(Arguments, ACellThatHeldAValueIsLostWhereItHoldsNone) {
  const PrimFunc filled = parse(kFilled), left = parse(kLeft);
  const RunArguments arguments = arguments_of(filled, 1);
  std::vector<Tensor> want = arguments.buffers, got = arguments.buffers;
  ASSERT_FALSE(run(filled, want, {}).error);
  ASSERT_FALSE(run(left, got, {}).error);
  EXPECT_EQ(first_lost(want[0], got[0]), 3);
  EXPECT_EQ(first_lost(got[0], want[0]), -1);
  EXPECT_EQ(first_lost(want[1], got[1]), -1);
  PrimFunc named_no_more = left;
  named_no_more.attrs.clear();
  fill_as_named(filled, named_no_more, {}, &got);
  EXPECT_EQ(first_lost(want[0], got[0]), -1);
}

TEST(Verdicts, MutantsThatLeavePaddingAreNotProved) {
  Prover p = prover();
  for (uint64_t seed = 0; seed < 4; ++seed) EXPECT_EQ(wrong_equiv_of_mutants(parse(kFilled), seed, p), "");
}

TEST(Oracle, PaddingThatGoesWithItsStoreIsTheCallers) {
  Prover p = prover();
  const Trial trial =
      judge({parse(kFilled), {{"remove-undef-store", {{"at", nlohmann::ordered_json::array({0})}}}}, 1}, p);
  EXPECT_EQ(trial.outcome, Outcome::Sound) << trial.finding;
}

TEST(Formulas, FunctionsOfOperandsOfSeveralTypesAreSeveral) {
  const Var x = Var::fresh("x", kInt8), y = Var::fresh("y", kInt8), z = Var::fresh("z", kInt8);
  auto f = [&](DType type) { return call(kInt8, "f", {cast(type, Expr(x))}); };
  Formula formula{{x, y, z}, {{0, 3}, {0, 1}, {0, 1}}, {}, eq(f(kInt8), f(kInt32))};
  EXPECT_TRUE(is_broken(formula));
  formula.goal = eq(f(kInt16), f(kInt16) + imm(kInt8, 0));
  EXPECT_FALSE(is_broken(formula));
  EXPECT_FALSE(is_enumerated(formula));
}

}  // namespace called_test
}  // namespace hexproof
