// What hunts for planted faults are made of: steps that are nearly right, and a look at what a rule makes before
// anything is proved.
#include <gtest/gtest.h>

#include <set>

#include "fuzz/constructs/constructs.h"
#include "fuzz/hunt/tempter.h"
#include "fuzz/steps/disturb.h"
#include "fuzz/verdicts.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"

namespace hexproof {
namespace hunt_test {

PrimFunc program(const std::string& body) {
  return parse_module("@T.prim_func\ndef main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n" + body)
      .functions.at(0);
}

const PrimFunc& scan() {
  static const PrimFunc func = program("    for i in range(7):\n        A[i + 1] = A[i] + 1\n");
  return func;
}

StepRequest step(const std::string& rule, const std::string& args) {
  return {rule, nlohmann::ordered_json::parse(args)};
}

std::set<std::string> all_disturbed(const StepRequest& of) {
  std::set<std::string> out;
  for (uint64_t k = 0; k < 60; ++k) {
    if (std::optional<StepRequest> other = disturbed(of, k)) {
      EXPECT_EQ(other->rule, of.rule);
      out.insert(other->args.dump());
    }
  }
  return out;
}

TEST(Disturbed, ChangesOneTokenOfOneArgument) {
  EXPECT_EQ(all_disturbed(step("split", R"({"factor":4,"outer":"o"})")),
            (std::set<std::string>{R"({"factor":5,"outer":"o"})", R"({"factor":3,"outer":"o"})",
                                   R"({"factor":0,"outer":"o"})", R"({"factor":127,"outer":"o"})"}));
  const std::set<std::string> maps = all_disturbed(step("transform-layout", R"({"map":"lambda i: [i // 4, i % 4]"})"));
  EXPECT_EQ(maps, (std::set<std::string>{
                      R"({"map":"lambda i: [i % 4, i % 4]"})", R"({"map":"lambda i: [i // 5, i % 4]"})",
                      R"({"map":"lambda i: [i // 3, i % 4]"})", R"({"map":"lambda i: [i // 4, i // 4]"})",
                      R"({"map":"lambda i: [i // 4, i % 5]"})", R"({"map":"lambda i: [i // 4, i % 3]"})"}));
  EXPECT_TRUE(all_disturbed(step("compute-at", R"({"base":{"extents":[2]}})")).count(R"({"base":{"extents":[3]}})"));
  EXPECT_TRUE(all_disturbed(step("remove-assume", "{}")).empty());
}

TEST(QuickLook, SeesWhatGoesWrongAndNothingElse) {
  const std::optional<Rewrite> wrong = unproved(scan(), step("parallelize", R"({"at":[]})"));
  ASSERT_TRUE(wrong);
  const QuickLook seen = look_quickly(scan(), *wrong, 3, 2);
  EXPECT_TRUE(seen.ran);
  EXPECT_EQ(seen.seed, 3u);
  const std::optional<Rewrite> right = unproved(scan(), step("unroll", R"({"at":[]})"));
  ASSERT_TRUE(right);
  const QuickLook nothing = look_quickly(scan(), *right, 3, 2);
  EXPECT_TRUE(nothing.ran);
  EXPECT_FALSE(nothing.seed);
  EXPECT_FALSE(unproved(scan(), step("fuse", R"({"at":[],"name":"f"})")));
  // No input brings such a program to its end, so that it shows nothing.
  const PrimFunc broken = program("    for i in range(8):\n        A[i + 1] = A[i] + 1\n");
  const std::optional<Rewrite> of_broken = unproved(broken, step("parallelize", R"({"at":[]})"));
  ASSERT_TRUE(of_broken);
  EXPECT_FALSE(look_quickly(broken, *of_broken, 3, 2).ran);
}

TEST(Tempter, FindsNearMissesThatTheKernelRefuses) {
  // The step is right; the index of a near miss is not.
  const PrimFunc copy =
      program("    for i in range(7):\n        B[i] = A[i] + 1\n    for j in range(7):\n        A[j] = B[j]\n");
  Prover prover({.cache_path = "", .rlimit = 100'000, .jobs = 1});
  size_t wrong = 0;
  Tempter tempter(
      1, [](const StepRequest& of, const Rewrite&) { return of.rule == "merge-loops"; },
      [&](const PrimFunc& func, const StepRequest& of, uint64_t seed) {
        ++wrong;
        const Trial trial = try_step(func, of, seed, prover, 0);
        EXPECT_EQ(trial.outcome, Outcome::NoStep) << trial.finding << print(func);
      });
  for (uint64_t k = 0; k < 4; ++k) tempter.tempt(copy, step("merge-loops", R"({"at":[0]})"), k, [] { return true; });
  EXPECT_GT(wrong, 0u);
}

TEST(ConstructedProgram, LeavesOutWhatCannotStandTogether) {
  uint64_t state = 7;
  for (int k = 0; k < 60; ++k) {
    std::vector<uint32_t> numbers(150);
    for (uint32_t& n : numbers) n = static_cast<uint32_t>(next_random(state));
    Choices choices(numbers);
    const ConstructedProgram made =
        random_constructed_program(choices, {construct_at("local-allocation"), construct_at("thread-bound-loop")});
    EXPECT_FALSE(made.constructs.empty());
  }
}

TEST(WrongCheck, SaysNothingWhereCheckIsRight) {
  Prover prover({.cache_path = "", .rlimit = 100'000, .jobs = 1});
  const PrimFunc dies = program("    if A[0] >= 0 and A[0] < 8:\n        A[0] = 100\n        B[A[0]] = 1\n");
  EXPECT_EQ(wrong_check(dies, 1, prover), "");
  EXPECT_EQ(wrong_check(scan(), 1, prover), "");
}

}  // namespace hunt_test
}  // namespace hexproof
