// Every step of the derivations of examples/conv2d_conv2d at full size, judged by a method that knows no rule: the
// source against the program after the step, under the layouts that the steps so far gave the arguments.
#include <gtest/gtest.h>

#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/kernel/kernel.h"
#include "rewrite/schedule/reader.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace {

void every_step_is_proved(const std::string& schedule, size_t steps) {
  std::string folder = HEXPROOF_SOURCE_DIR;
  folder.append("/examples/conv2d_conv2d/");
  Prover prover;
  PrimFunc source = pick_function(parse_file(folder + "conv2d_conv2d.py"), "");
  Derivation derivation(source);
  const std::string path = folder + schedule;
  run_schedule(derivation, prover, std::make_shared<const SourceFile>(SourceFile{path, read_file(path)}));
  EXPECT_EQ(derivation.steps().size(), steps);
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
}

TEST(Conv2dEquivTest, EveryStepOfTheBaseline) { every_step_is_proved("schedule_k1_h1.py", 62); }
TEST(Conv2dEquivTest, EveryStepOfTheSplitSchedule) { every_step_is_proved("schedule_k2_h2.py", 71); }

}  // namespace
}  // namespace hexproof
