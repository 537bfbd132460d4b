// Every step of the derivations of the examples, at full size, judged again by whole-program comparison, which knows no
// rule.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/layout/interface.h"
#include "rewrite/schedule/reader.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace derivations_test {

std::string example(const std::string& name) {
  return fmt::format("{}/examples/conv2d_conv2d/{}", HEXPROOF_SOURCE_DIR, name);
}

void expect_proved(const PrimFunc& before, const PrimFunc& after, const std::vector<InterfaceChange>& changes,
                   Prover& prover, const std::string& step) {
  EquivReport report =
      equiv(pair_programs(before, after, relation_request(changes)), prover, {.method = Method::Parametric});
  EXPECT_EQ(report.finding, Finding::Proved) << step << ": " << report.reason;
}

class Derivations : public testing::TestWithParam<std::string> {};

TEST_P(Derivations, EveryStepIsProvedAgain) {
  Derivation derivation(parse_file(example("conv2d_conv2d.py")).functions.at(0));
  Prover prover;
  std::string schedule = read_file(example(GetParam()));
  run_schedule(derivation, prover, std::make_shared<SourceFile>(SourceFile{GetParam(), schedule}));
  ASSERT_GT(derivation.steps().size(), 40u);
  for (size_t k = 0; k < derivation.steps().size(); ++k) {
    const Step& step = derivation.steps()[k];
    expect_proved(step.before, step.after, step.interface_changes, prover, fmt::format("step {}, {}", k, step.rule));
  }
  expect_proved(derivation.source(), derivation.current(), derivation.interface(), prover, "all steps together");
}

INSTANTIATE_TEST_SUITE_P(Examples, Derivations, testing::Values("schedule_k1_h1.py", "schedule_k2_h2.py"),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

}  // namespace derivations_test
}  // namespace hexproof
