// Programs over padded buffers, and inputs that satisfy what programs assume.
#include "fuzz/programs/padded.h"

#include <gtest/gtest.h>

#include "fuzz/campaign.h"
#include "fuzz/programs/program.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace padded_test {

PrimFunc padded_program(uint64_t seed) {
  std::vector<uint32_t> numbers;
  for (int i = 0; i < 150; ++i) numbers.push_back(static_cast<uint32_t>(next_random(seed)));
  Choices choices(numbers);
  return random_padded_program(choices);
}

TEST(PaddedProgram, IsWellFormedAndReadsBack) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    PrimFunc func = padded_program(seed);
    EXPECT_EQ(ill_formed(func), "") << print(func);
    EXPECT_TRUE(same_program(func, parse_module(print(func)).functions.at(0))) << print(func);
  }
}

TEST(PaddedProgram, HasAssumesUndefsAndFewErrors) {
  int erroneous = 0, assumes = 0, undefs = 0, floats = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    PrimFunc func = padded_program(seed);
    visit_stmt(func.body, [&](const Stmt& s) {
      assumes += s.as<Assume>() != nullptr;
      undefs += s.as<Store>() && s.as<Store>()->value->op == Op::Undef;
      return true;
    });
    floats += func.buffer_params()[0]->dtype.is_float();
    std::vector<Tensor> inputs = random_inputs(func, seed);
    erroneous += run(func, inputs).error.has_value();
  }
  EXPECT_LT(erroneous, 50);
  EXPECT_GT(assumes, 300);
  EXPECT_GT(undefs, 30);
  EXPECT_GT(floats, 100);
}

/// The body of a function of A (4 elements of int32) and F (1 of float32), on random inputs: nothing, or its error.
std::string error_of(const std::string& body, uint64_t seed) {
  PrimFunc func =
      parse_module("def f(A: T.Buffer((4,), \"int32\"), F: T.Buffer((1,), \"float32\")):\n" + body).functions.at(0);
  std::vector<Tensor> inputs = random_inputs(func, seed);
  RunResult result = run(func, inputs);
  return result.error ? result.error->message : "";
}

TEST(SatisfyAssumes, EquationsBoundsAndAlternatives) {
  for (const char* body : {
           "    for i in range(4):\n        T.assume(i < 2 or A[i] == 7)\n",
           "    for i in range(4):\n        T.assume(A[i] == i * 3 or i < 2)\n",
           "    for i in range(4):\n        T.assume(0 <= A[i] and A[i] < 8)\n",
           "    T.assume(5 > A[1] and 2 < A[1])\n",
           "    T.assume(A[0] == 1)\n    T.assume(A[1] == A[0])\n",
           "    T.assume(F[0] == T.float32(0))\n",
           "    T.assume(F[0] <= T.float32(1) and T.float32(-1) <= F[0])\n",
           "    A[0] = 3\n    T.assume(A[0] == 3)\n",
       }) {
    for (uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(error_of(body, seed), "") << body;
  }
}

// What a store leaves is no matter of inputs, and not every condition is an equation.
TEST(SatisfyAssumes, WhatInputsCannotDo) {
  for (const char* body : {"    A[0] = 3\n    T.assume(A[0] == 4)\n", "    T.assume(A[0] + A[1] == 7)\n"}) {
    EXPECT_EQ(error_of(body, 1), "the assume is false") << body;
  }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr uint64_t kRuns = 60;
#else
constexpr uint64_t kRuns = 800;
#endif

TEST(PaddedCampaign, FindsNothingAndUsesTheRules) {
  CampaignReport report = run_campaign({.runs = kRuns, .seed = 5, .jobs = 2, .padded = 100}, {});
  EXPECT_EQ(report.unsound, 0u) << (report.findings.empty() ? "" : report.findings[0]);
  EXPECT_GT(report.sound, kRuns * 8 / 10);
  EXPECT_LT(report.erroneous, kRuns / 10);
  for (const char* rule :
       {"overcompute", "introduce-branch", "reduce-extent", "hoist-condition", "merge-loops", "merge-branches",
        "remove-store", "remove-empty", "remove-assume", "remove-undef-store", "clamp-index", "reindex-loops",
        "eliminate-branch", "transform-layout", "RemoveBranchingThroughOvercompute", "RemoveNoOp"}) {
    EXPECT_TRUE(kRuns < 400 || report.accepted_by_rule[rule] > 0) << rule;
  }
}

}  // namespace padded_test
}  // namespace hexproof
