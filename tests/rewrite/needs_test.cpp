// tests/rewrite/needs/RULE.txt: programs that break without one need of the rule, and keep all its others. They are
// seeds as they stand (docs/campaigns.md), so that what is asked of them is not recorded.
#include <filesystem>
#include <utility>

#include "fuzz/hunt/quick_look.h"
#include "fuzz/hunt/unproved_needs.h"
#include "fuzz/seeds/seeds.h"
#include "ir/base/file.h"
#include "rewrite/kernel/observed.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace needs_test {

namespace fs = std::filesystem;

std::vector<StepSeed> programs() {
  std::vector<StepSeed> out;
  for (const auto& entry : fs::directory_iterator(fs::path(HEXPROOF_SOURCE_DIR) / "tests/rewrite/needs")) {
    const std::string path = entry.path().string();
    for (StepSeed& one : parse_step_seeds(read_file(path), path)) out.push_back(std::move(one));
  }
  return out;
}

TEST(Needs, EachIsTheOnlyOneThatItsProgramBreaks) {
  const StepObserver recorder = std::exchange(step_observer(), {});
  Prover& prover = test_prover();
  const std::vector<StepSeed> all = programs();
  EXPECT_GE(all.size(), 50u);
  for (const StepSeed& one : all) {
    const PrimFunc& program = one.fuzz_case.program;
    EXPECT_EQ(unproved_needs(program, one.step(), prover), std::set<std::string>{one.refused}) << to_text(one);
    Derivation derivation(program);
    try {
      derivation.apply(one.step().rule, to_args(one.step().args, &program), prover);
      ADD_FAILURE() << "applies: " << to_text(one);
    } catch (const Refused& refused) {
      EXPECT_EQ(fault_of(one.step().rule, refused.obligation), one.refused) << to_text(one);
    }
    if (!program.granted_flags().empty()) continue;  // runs show one of several outcomes
    const QuickLook look = look_quickly(program, *unproved(program, one.step()), one.fuzz_case.input_seed, 1);
    EXPECT_TRUE(look.ran && look.seed) << to_text(one);
  }
  step_observer() = recorder;
}

}  // namespace needs_test
}  // namespace hexproof
