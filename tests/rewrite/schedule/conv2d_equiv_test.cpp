// Every step of the derivations of examples/conv2d_conv2d and conv2d_int8 at full size, judged by a method that knows
// no rule: the source against the program after the step, under the layouts that the steps so far gave the arguments.
#include <gtest/gtest.h>

#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/kernel/kernel.h"
#include "rewrite/schedule/reader.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace conv2d_equiv_test {

Derivation every_step_is_proved(const std::string& example, const std::string& program, const std::string& schedule) {
  const std::string folder = std::string(HEXPROOF_SOURCE_DIR) + "/examples/" + example + "/";
  Prover prover;
  PrimFunc source = pick_function(parse_file(folder + program), "");
  Derivation derivation(source);
  const std::string path = folder + schedule;
  run_schedule(derivation, prover, std::make_shared<const SourceFile>(SourceFile{path, read_file(path)}));
  std::map<size_t, IndexMap> layouts;
  for (const Step& step : derivation.steps()) {
    for (const InterfaceChange& change : step.interface_changes) {
      auto [it, first] = layouts.try_emplace(change.param, change.map());
      if (!first) it->second.outputs = change.map().apply(it->second.outputs);
    }
    RelationRequest request;
    for (const auto& [param, map] : layouts) request.layouts[source.params[param].buffer->name] = map;
    Evidence evidence = equiv_parametric(pair_programs(source, step.after, request), prover);
    EXPECT_EQ(evidence.finding, Finding::Proved) << step.rule << ": " << evidence.says << "\n" << print(step.after);
  }
  return derivation;
}

TEST(Conv2dEquivTest, EveryStepOfTheBaseline) {
  EXPECT_EQ(every_step_is_proved("conv2d_conv2d", "conv2d_conv2d.py", "schedule_k1_h1.py").steps().size(), 62u);
}
TEST(Conv2dEquivTest, EveryStepOfTheSplitSchedule) {
  EXPECT_EQ(every_step_is_proved("conv2d_conv2d", "conv2d_conv2d.py", "schedule_k2_h2.py").steps().size(), 71u);
}

struct Int8 {
  std::string schedule;
  std::string program = "conv2d_" + schedule;
  std::string folder = "conv2d_int8";
};
class Int8EquivTest : public ::testing::TestWithParam<Int8> {};

TEST_P(Int8EquivTest, EveryStep) {
  const Int8& e = GetParam();
  Derivation derivation = every_step_is_proved(e.folder, e.program + ".py", "schedule_" + e.schedule + ".py");
  ASSERT_FALSE(derivation.steps().empty());
  EXPECT_EQ(derivation.steps().back().rule, "tensorize");
}
INSTANTIATE_TEST_SUITE_P(All, Int8EquivTest,
                         ::testing::Values(Int8{"1x1"}, Int8{"3x3"}, Int8{"1x1_u8s8"}, Int8{"3x3_u8s8"},
                                           Int8{"1x1_requant"}, Int8{"3x3_requant"}, Int8{"1x1_zero_points"},
                                           Int8{"3x3_zero_points"}, Int8{"conv2d"},
                                           Int8{"1x1_packed_inside", "conv2d_1x1"}, Int8{"1x1_host", "conv2d_1x1_u8s8"},
                                           Int8{"3x3_host", "conv2d_3x3_u8s8"},
                                           Int8{"3x3", "depthwise_3x3", "depthwise_int8"}),
                         [](const auto& info) { return info.param.program + "_by_" + info.param.schedule; });

}  // namespace conv2d_equiv_test
}  // namespace hexproof
