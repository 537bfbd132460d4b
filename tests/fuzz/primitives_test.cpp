// Campaigns make every schedule primitive, and what goes through changes no result.
#include <gtest/gtest.h>

#include "fuzz/campaign.h"
#include "fuzz/steps/described_nest.h"
#include "fuzz/steps/module_steps.h"
#include "fuzz/steps/primitive_steps.h"
#include "ir/text/text.h"

namespace hexproof {
namespace primitives_test {

CampaignReport campaign_of(const std::vector<std::string>& wanted, uint64_t runs, uint64_t seed) {
  return run_campaign({.runs = runs,
                       .seed = seed,
                       .jobs = 2,
                       .padded = 0,
                       .constructs = 0,
                       .granted = 0,
                       .schedules = 100,
                       .primitives = wanted},
                      {});
}

class EachPrimitive : public testing::TestWithParam<std::string> {};

TEST_P(EachPrimitive, GoesThroughAndIsSound) {
  uint64_t fired = 0;
  for (uint64_t seed = 1; seed <= 12 && fired == 0; ++seed) {
    const CampaignReport report = campaign_of({GetParam()}, 24, seed);
    EXPECT_EQ(report.unsound, 0u) << (report.findings.empty() ? "" : report.findings[0]);
    const auto counted = report.primitives.find(GetParam());
    ASSERT_NE(counted, report.primitives.end());
    fired += counted->second.fired;
  }
  EXPECT_GT(fired, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, EachPrimitive, testing::ValuesIn(campaign_primitives()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

Trial judged(const std::string& program, const std::vector<StepRequest>& steps) {
  Prover prover({.cache_path = "", .jobs = 1});
  const FuzzCase written{parse_module(program).functions.at(0), steps, 3};
  // As it is saved and replayed.
  return judge(parse_case(to_text(written), "case.py"), prover);
}

const char* kStages = R"(
@T.prim_func
def main(A: T.Buffer((14,), "int32"), C: T.Buffer((14,), "int32")):
    B = T.alloc_buffer((14,), "int32")
    for i in range(14):
        with T.block("B"):
            v = T.axis.spatial(14, i)
            B[v] = T.wrap(A[v] + 1)
    for i in range(14):
        with T.block("C"):
            v = T.axis.spatial(14, i)
            C[v] = T.wrap(B[v] * 3)
)";

TEST(ModuleSteps, ChangeTheFunctionsThatStagesBecome) {
  const Trial trial = judged(
      kStages,
      {{kModuleStep, {{"name", "hoist_stage"}, {"stage", "B"}, {"name=", "stage_0"}}},
       {kModuleStep, {{"name", "hoist_stage"}, {"stage", "C"}, {"name=", "stage_1"}}},
       {kModuleStep, {{"name", "work_on"}, {"func_name", "stage_1"}}},
       {kModuleStep, {{"name", "split"}, {"loop", {{"loop", "i"}, {"index", 0}}}, {"factors", {nullptr, 4}}}},
       {kModuleStep,
        {{"name", "transform_layout"},
         {"block", "C"},
         {"buffer", "B"},
         {"index_map", "lambda i: [i // 4, i % 4]"},
         {"pad_value", 0}}},
       {kModuleStep, {{"name", "work_on"}, {"func_name", "stage_0"}}},
       {kModuleStep,
        {{"name", "permit"}, {"buffer", "B"}, {"where", {{"indices", {"i", "j"}}, {"condition", "i * 4 + j >= 14"}}}}},
       // The consumer multiplies each of these.
       {kModuleStep,
        {{"name", "permit"}, {"buffer", "B"}, {"where", {{"indices", {"i", "j"}}, {"condition", "i == 0"}}}}},
       {kModuleStep, {{"name", "work_on"}, {"func_name", "no_such_function"}}}});
  EXPECT_EQ(trial.outcome, Outcome::Sound) << trial.finding;
  std::string accepted;
  for (const StepRequest& step : trial.accepted) accepted += step.args.at("name").get<std::string>() + " ";
  EXPECT_EQ(accepted, "hoist_stage hoist_stage work_on split transform_layout work_on ");
  EXPECT_EQ(trial.refused, 2u);
  EXPECT_EQ(trial.not_applicable, 1u);
  ASSERT_TRUE(trial.after);
  const std::string text = print(*trial.after);
  EXPECT_NE(text.find("T.alloc_buffer((4, 4)"), std::string::npos) << text;
  EXPECT_NE(text.find("range(14)"), std::string::npos) << text;
}

TEST(ModuleSteps, AreInCampaigns) {
  size_t modules = 0, on_callees = 0;
  for (uint64_t index = 0; index < 200; ++index) {
    const CampaignOptions o{.padded = 0, .constructs = 0, .granted = 0, .schedules = 100, .primitives = {"split"}};
    with_campaign_case(o, index, [&](const PrimFunc& func, uint64_t, const StepSource& next) {
      PrimFunc callee = func;
      callee.name = kHoisted + "0";
      std::optional<StepRequest> first = next(func);
      if (!first || first->rule != kModuleStep) return;
      ++modules;
      EXPECT_EQ(first->args.at("name"), "hoist_stage");
      while (std::optional<StepRequest> step = next(callee)) {
        EXPECT_EQ(step->rule, kModuleStep);
        on_callees += step->args.at("name") == "split";
      }
    });
  }
  EXPECT_GT(modules, 10u);
  EXPECT_LT(modules, 60u);
  EXPECT_GT(on_callees, modules);
}

const char* kSum = R"(
@T.prim_func
def main(A: T.Buffer((8, 6), "int32"), B: T.Buffer((8, 4), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        for k in range(4):
            C[i] = T.wrap(C[i] + A[i, k + 2] * B[i, k])
)";

TEST(DescribedNest, IsTheNestAndNoOther) {
  const PrimFunc func = parse_module(kSum).functions.at(0);
  const std::optional<PrimFunc> made = description_of_nest(func, {});
  ASSERT_TRUE(made);
  const std::string own = print(*made);
  EXPECT_EQ(difference_from_nest(func, {}, own), "");
  std::string other = own;
  const size_t product = other.find(" * ");
  ASSERT_NE(product, std::string::npos) << own;
  other.replace(product, 3, " - ");
  EXPECT_NE(difference_from_nest(func, {}, other), "");
  // Operands that change places are the nest under other names; the result stays what it is.
  const PrimFunc two = parse_module(
                           "def f(A: T.Buffer((8,), 'int32'), B: T.Buffer((6,), 'int32')):\n"
                           "    for i in range(6):\n        B[i] = T.wrap(A[i] - A[i + 2])\n")
                           .functions.at(0);
  std::string turned = print(*description_of_nest(two, {}));
  const size_t difference = turned.find("op1[i] - op2[i]");
  ASSERT_NE(difference, std::string::npos) << turned;
  EXPECT_EQ(difference_from_nest(two, {}, turned), "");
  turned.replace(difference, 15, "op2[i] - op1[i]");
  EXPECT_EQ(difference_from_nest(two, {}, turned), "");
  turned.replace(difference, 15, "op1[i] + op2[i]");
  EXPECT_NE(difference_from_nest(two, {}, turned), "");
  // Neither reads more than its operands.
  EXPECT_FALSE(description_of_nest(parse_module("def f(A: T.Buffer((8,), 'int32'), I: T.Buffer((8,), 'int32')):\n"
                                                "    for i in range(8):\n        A[I[i] % 8] = i\n")
                                       .functions.at(0),
                                   {}));
}

TEST(DescribedNest, GoesThroughAsAnIntrinsicAndASlipDoesNot) {
  const PrimFunc func = parse_module(kSum).functions.at(0);
  const std::string own = print(*description_of_nest(func, {0}));
  std::string slip = own;
  slip.replace(slip.find(" * "), 3, " - ");
  auto mark = [](const std::string& text) {
    return StepRequest{"primitive",
                       {{"name", "tensorize"},
                        {"block_or_loop", {{"loop", "k"}, {"index", 0}}},
                        {"tensor_intrin", {{"description", text}}}}};
  };
  const Trial trial = judged(kSum, {mark(slip), mark(own)});
  EXPECT_EQ(trial.outcome, Outcome::Sound) << trial.finding;
  ASSERT_EQ(trial.accepted.size(), 1u);
  EXPECT_EQ(trial.accepted[0].args, mark(own).args);
  EXPECT_EQ(trial.not_applicable, 1u);
}

TEST(DescribedNest, WithAnOperandThatIsTooSmallHasAnErrorAndIsRefused) {
  const PrimFunc func = parse_module(kSum).functions.at(0);
  const std::optional<PrimFunc> own = description_of_nest(func, {0});
  ASSERT_TRUE(own);
  EXPECT_EQ(error_of_description(print(*own)), "");
  const std::optional<PrimFunc> small = with_smaller_operand(*own, 0);
  ASSERT_TRUE(small);
  EXPECT_NE(error_of_description(print(*small)), "");
  const StepRequest step{"primitive",
                         {{"name", "tensorize"},
                          {"block_or_loop", {{"loop", "k"}, {"index", 0}}},
                          {"tensor_intrin", {{"description", print(*small)}}}}};
  const Trial trial = judged(kSum, {step});
  EXPECT_NE(trial.outcome, Outcome::Unsound) << trial.finding;
  EXPECT_TRUE(trial.accepted.empty());
}

}  // namespace primitives_test
}  // namespace hexproof
