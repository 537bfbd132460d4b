// What programs are made of, and the table of which rules were tried on it.
#include "fuzz/constructs/constructs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "fuzz/campaign.h"
#include "fuzz/programs/program.h"
#include "fuzz/steps/steps.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace constructs_test {

std::vector<uint32_t> numbers(uint64_t seed) {
  std::vector<uint32_t> out;
  for (int i = 0; i < 250; ++i) out.push_back(static_cast<uint32_t>(next_random(seed)));
  return out;
}

class EachConstruct : public testing::TestWithParam<size_t> {};

TEST_P(EachConstruct, IsWellFormedReadsBackAndIsMostlyFreeOfErrors) {
  const int row = static_cast<int>(GetParam());
  const int kPrograms = 40;
  int erroneous = 0;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    Choices choices(seed == 0 ? std::vector<uint32_t>{} : numbers(seed + 1000 * GetParam()));
    PrimFunc func;
    Sketch sketch(choices);
    all_constructs()[GetParam()].write(sketch);
    try {
      func = sketch.program();
    } catch (const std::exception& e) {
      FAIL() << e.what() << sketch.text();
    }
    EXPECT_EQ(ill_formed(func), "") << print(func);
    EXPECT_TRUE(same_program(func, parse_module(print(func)).functions.at(0))) << print(func);
    RunArguments arguments = random_arguments(func, seed);
    erroneous += run(func, arguments.buffers, arguments.scalars).error.has_value();
  }
  EXPECT_LE(erroneous, kPrograms / 2) << all_constructs()[static_cast<size_t>(row)].name;
}

INSTANTIATE_TEST_SUITE_P(Constructs, EachConstruct, testing::Range<size_t>(0, all_constructs().size()),
                         [](const testing::TestParamInfo<size_t>& info) {
                           std::string name = all_constructs()[info.param].name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(Constructs, HaveDistinctNames) {
  std::set<std::string> names;
  for (const Construct& c : all_constructs()) EXPECT_TRUE(names.insert(c.name).second) << c.name;
}

/// Whatever stands beside it: none makes a program with another that the language does not take.
TEST(Constructs, AnyTwoMakeAProgram) {
  for (const Construct& first : all_constructs()) {
    for (const Construct& second : all_constructs()) {
      Choices choices(numbers(7));
      Sketch sketch(choices);
      first.write(sketch);
      second.write(sketch);
      EXPECT_NO_THROW(sketch.program()) << first.name << ", " << second.name << "\n" << sketch.text();
    }
  }
}

TEST(ConstructedProgram, HasTheWantedRowsAndIsTheSameForTheSameChoices) {
  std::vector<int> wanted = {construct_at("scatter"), construct_at("nest")};
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Choices one(numbers(seed)), two(numbers(seed));
    ConstructedProgram a = random_constructed_program(one, wanted), b = random_constructed_program(two, wanted);
    EXPECT_EQ(print(a.func), print(b.func));
    for (int row : wanted) EXPECT_EQ(std::count(a.constructs.begin(), a.constructs.end(), row), 1);
  }
}

TEST(ConstructedProgram, TheyReadBackAndMostRunWithoutErrors) {
  int erroneous = 0;
  const int kPrograms = 500;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    Choices choices(numbers(seed));
    PrimFunc func = random_constructed_program(choices).func;
    EXPECT_TRUE(same_program(func, parse_module(print(func)).functions.at(0))) << print(func);
    try {
      RunArguments arguments = random_arguments(func, seed);
      erroneous += run(func, arguments.buffers, arguments.scalars).error.has_value();
    } catch (const Unsupported& e) {
      ADD_FAILURE() << e.what() << print(func);
    }
  }
  EXPECT_LT(erroneous, kPrograms * 4 / 10);
}

TEST(Arguments, SatisfyWhatIsAssumedOfScalars) {
  PrimFunc func = parse_module(
                      "def f(h: T.handle, n: T.int32, m: T.int32):\n    k = T.int32()\n"
                      "    A = T.match_buffer(h, (k,), \"int32\")\n    T.assume(n >= 1 and n <= 5)\n"
                      "    T.assume(n + m <= 6)\n    T.assume(m >= 0)\n    for i in range(k):\n        A[i] = n\n")
                      .functions[0];
  std::set<int64_t> sizes, values;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RunArguments a = random_arguments(func, seed);
    ASSERT_EQ(a.scalars.size(), 2u);
    EXPECT_TRUE(a.scalars[0] >= 1 && a.scalars[0] + a.scalars[1] <= 6 && a.scalars[1] >= 0);
    sizes.insert(a.buffers[0].size()), values.insert(a.scalars[0]);
    EXPECT_FALSE(run(func, a.buffers, a.scalars).error);
  }
  EXPECT_TRUE(sizes.count(0) && sizes.count(1) && sizes.size() > 8);
  EXPECT_GE(values.size(), 4u);
}

TEST(Coverage, CountsAndNamesWhatIsEmpty) {
  Coverage table;
  size_t before = table.empty_cells().size();
  int row = construct_at("scatter");
  table.program({row}, false);
  table.tried({row}, "split", 3);
  EXPECT_EQ(table.empty_cells().size(), before);
  table.refused({row}, "split");
  EXPECT_EQ(table.empty_cells().size(), before - 1);
  table.fired({row}, "fuse");
  EXPECT_EQ(table.empty_cells().size(), before - 2);
  nlohmann::ordered_json json = table.json();
  EXPECT_EQ(json["scatter"]["rules"]["split"], nlohmann::ordered_json::array({3, 0, 1}));
  EXPECT_NE(table.text().find("scatter"), std::string::npos);
}

TEST(Coverage, EveryRuleHasAHomeThatExists) {
  for (const std::string& step : step_names()) {
    EXPECT_FALSE(habitat(step).empty()) << step;
    for (int row : habitat(step)) EXPECT_GE(row, 0) << step;
  }
}

#ifdef __SANITIZE_ADDRESS__
constexpr uint64_t kRuns = 100;  // the sanitizers cost a factor
#else
constexpr uint64_t kRuns = 400;
#endif

TEST(ConstructCampaign, FindsNothing) {
  CampaignReport report = run_campaign({.runs = kRuns, .seed = 7, .jobs = 2, .constructs = 90}, {});
  EXPECT_EQ(report.unsound, 0u) << (report.findings.empty() ? "" : report.findings[0]);
  EXPECT_GT(report.sound, report.runs / 2);
  EXPECT_LT(report.erroneous, report.runs * 3 / 10);
}

/// Rounds for the cells of the table that were not reached take minutes: asked for by HEXPROOF_COVER=1.
TEST(ConstructCampaign, LeavesNoCellEmpty) {
  if (!std::getenv("HEXPROOF_COVER")) GTEST_SKIP() << "set HEXPROOF_COVER=1";
  CampaignReport report = run_covering_campaign({.runs = 2000, .seed = 7, .jobs = 2, .constructs = 90}, {});
  EXPECT_EQ(report.unsound, 0u) << (report.findings.empty() ? "" : report.findings[0]);
  for (const Coverage::Place& place : report.coverage.empty_cells())
    ADD_FAILURE() << "never: " << Coverage::name(place);
}

}  // namespace constructs_test
}  // namespace hexproof
