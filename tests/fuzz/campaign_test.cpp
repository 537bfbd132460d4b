#include "fuzz/campaign.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/programs/program.h"
#include "fuzz/steps/steps.h"
#include "fuzz/verdicts.h"
#include "ir/base/file.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace campaign_test {

std::vector<uint32_t> numbers(uint64_t seed, size_t count) {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < count; ++i) out.push_back(static_cast<uint32_t>(next_random(seed)));
  return out;
}

TEST(RandomProgram, IsWellFormedAndReadsBack) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Choices choices(numbers(seed, 150));
    PrimFunc func = random_program(choices);
    EXPECT_EQ(ill_formed(func), "") << print(func);
    EXPECT_TRUE(same_program(func, parse_module(print(func)).functions.at(0))) << print(func);
  }
}

TEST(RandomProgram, IsMostlyFreeOfErrors) {
  int erroneous = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Choices choices(numbers(seed, 150));
    PrimFunc func = random_program(choices);
    std::vector<Tensor> inputs = random_inputs(func, seed);
    erroneous += run(func, inputs).error.has_value();
  }
  EXPECT_LT(erroneous, 100);
}

TEST(RandomProgram, TheZeroSequenceIsTheSmallestProgram) {
  Choices choices({});
  PrimFunc func = random_program(choices);
  EXPECT_EQ(func.params.size(), 2u);
  EXPECT_LT(print(func).size(), 300u) << print(func);
}

TEST(Case, TextReadsBack) {
  Choices choices(numbers(7, 150));
  FuzzCase c{random_program(choices), {{"split", {{"at", {0}}, {"factor", 3}, {"outer", "p"}, {"inner", "q"}}}}, 42};
  FuzzCase back = parse_case(to_text(c), "case");
  EXPECT_TRUE(same_program(c.program, back.program));
  ASSERT_EQ(back.steps.size(), 1u);
  EXPECT_EQ(back.steps[0].args.dump(), c.steps[0].args.dump());
  EXPECT_EQ(back.input_seed, 42u);
  EXPECT_THROW(parse_case("nothing of the kind", "case"), Error);
}

/// The oracle must be able to say no: a program whose value or whose accesses were changed behind its back.
TEST(Oracle, SeesAWrongResult) {
  Prover prover;
  PrimFunc before = parse_module(
                        "def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"
                        "    for i in range(4):\n        B[i] = A[i] + 1\n")
                        .functions[0];
  PrimFunc wrong = parse_module(
                       "def f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")):\n"
                       "    for i in range(4):\n        B[i] = A[i] + 2\n")
                       .functions[0];
  Trial trial = try_in_interpreter(
      before, 1, [](const PrimFunc&) { return std::nullopt; }, prover);
  EXPECT_EQ(trial.outcome, Outcome::NoStep);
  trial.after = wrong;
  HostBatch batch;
  add_to_batch(trial, batch);
  batch.compile();
  judge_on_host(trial, batch);
  EXPECT_EQ(trial.outcome, Outcome::Unsound);
  EXPECT_NE(trial.finding.find("'B'"), std::string::npos) << trial.finding;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr uint64_t kRuns = 300;  // the sanitizers cost a factor
#else
constexpr uint64_t kRuns = 1500;
#endif

TEST(Campaign, FindsNothingAndUsesTheRules) {
  CampaignReport report = run_campaign({.runs = kRuns, .seed = 3, .jobs = 2, .constructs = 0}, {});
  EXPECT_EQ(report.unsound, 0u) << (report.findings.empty() ? "" : report.findings[0]);
  EXPECT_EQ(report.runs, kRuns);
  EXPECT_GT(report.sound, kRuns * 8 / 10);
  EXPECT_LT(report.erroneous, kRuns / 10);
  for (const char* rule : {"split", "fuse", "reorder", "parallelize", "unroll", "transform-layout", "lower-block"}) {
    EXPECT_GT(report.accepted_by_rule[rule], 0u) << rule;
  }
}

TEST(Campaign, IsTheSameOnAnyNumberOfThreads) {
  CampaignReport one = run_campaign({.runs = 200, .seed = 5, .jobs = 1}, {});
  CampaignReport three = run_campaign({.runs = 200, .seed = 5, .jobs = 3}, {});
  EXPECT_EQ(one.accepted_by_rule, three.accepted_by_rule);
  EXPECT_EQ(one.coverage, three.coverage);
  EXPECT_EQ(one.sound, three.sound);
  EXPECT_EQ(one.refused, three.refused);
}

/// What campaigns have found stays found: every saved case must be sound now.
TEST(Found, EveryCaseIsSound) {
  namespace fs = std::filesystem;
  size_t cases = 0;
  Prover prover;
  for (const fs::directory_entry& entry : fs::directory_iterator(HEXPROOF_SOURCE_DIR "/tests/found")) {
    if (entry.path().extension() != ".py") continue;
    ++cases;
    Trial trial = judge_with_verdicts(parse_case(read_file(entry.path().string()), entry.path().string()), prover);
    EXPECT_NE(trial.outcome, Outcome::Unsound) << entry.path() << ": " << trial.finding;
  }
  RecordProperty("cases", static_cast<int>(cases));
}

}  // namespace campaign_test
}  // namespace hexproof
