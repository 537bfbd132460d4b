// Random small formulas, decided by brute force and by each stage of the prover on its own: the key test of soundness.
#include <gtest/gtest.h>

#include <cstdlib>

#include "fuzz/programs/formulas.h"
#include "verify/prove/solvers/arithmetic/normal_form.h"
#include "verify/prove/solvers/portfolio.h"

namespace hexproof {
namespace prover_differential_test {

void engine_alone(const Attempt& attempt, int count, uint32_t seed, int least) {
  FormulaGenerator generator(seed);
  int decided = 0;
  for (int i = 0; i < count; ++i) {
    Formula f = generator.formula();
    Answer a = decide(f.given, f.goal, {&attempt, 1}).answer;
    if (a.verdict == Verdict::Unknown) continue;
    ++decided;
    if (a.verdict == Verdict::Refuted && !is_enumerated(f)) continue;
    ASSERT_EQ(a.verdict == Verdict::Refuted, is_broken(f)) << "formula " << i << " by " << a.solver << "\n" << show(f);
  }
  EXPECT_GT(decided, least);
}

TEST(ProverDifferential, NormalFormAlone) {
  FormulaGenerator generator(std::getenv("HEXPROOF_TEST_SEED") ? std::atoi(std::getenv("HEXPROOF_TEST_SEED")) : 1);
  int proved = 0, refuted = 0;
  for (int i = 0; i < 8000; ++i) {
    Formula f = generator.formula();
    std::vector<Expr> given;
    for (const Expr& e : f.given) split_conjunction(e, &given);
    Answer a = decide_quickly(given, f.goal);
    if (a.verdict == Verdict::Unknown) continue;
    if (a.verdict == Verdict::Refuted && !is_enumerated(f)) continue;
    ++(a.verdict == Verdict::Proved ? proved : refuted);
    ASSERT_EQ(a.verdict == Verdict::Refuted, is_broken(f)) << "formula " << i << " by " << a.solver << "\n" << show(f);
  }
  EXPECT_GT(proved, 800);
  EXPECT_GT(refuted, 800);
}

TEST(ProverDifferential, Z3OnIntegersAlone) { engine_alone({"z3", {}, Engine::Z3Simple, 1'000'000}, 800, 2, 500); }
TEST(ProverDifferential, Z3OnBitsAlone) {
  engine_alone({"z3-bv", {.reading = Reading::WideBits}, Engine::Z3Bits, 20'000'000}, 800, 3, 400);
}
// As campaigns ask: the whole portfolio, with what is given evaluated by a program, or by nobody.
TEST(ProverDifferential, Probes) {
  Prover prover({.cache_path = "", .rlimit = 100'000, .jobs = 1});
  for (uint64_t seed = 0; seed < 300; ++seed) EXPECT_EQ(probe_prover(seed, prover), "") << "seed " << seed;
}
TEST(ProverDifferential, Needles) {
  Prover prover({.cache_path = "", .rlimit = 100'000, .jobs = 1});
  int needles = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    EXPECT_EQ(probe_prover_with_needle(seed, prover), "") << "seed " << seed;
    const std::optional<Needle> needle = FormulaGenerator(seed).needle();
    if (!needle) continue;
    ++needles;
    Evaluator evaluator(needle->point);
    for (const Expr& e : needle->given) EXPECT_TRUE(evaluator.holds(e)) << seed;
    EXPECT_FALSE(evaluator.holds(needle->goal)) << seed;
  }
  EXPECT_GT(needles, 100);
}
TEST(ProverDifferential, Cvc5Alone) {
  if (cvc5_version() == "none") GTEST_SKIP() << "cvc5 is not installed";
  engine_alone({"cvc5", {}, Engine::Cvc5, 200'000}, 80, 4, 40);
}

}  // namespace prover_differential_test
}  // namespace hexproof
