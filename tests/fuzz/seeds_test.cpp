// Seeds (fuzz/seeds): they are what the rules and the kernel say today.
#include "fuzz/seeds/seeds.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "fuzz/campaign.h"
#include "fuzz/hunt/hunt_seeds.h"
#include "fuzz/hunt/quick_look.h"
#include "fuzz/hunt/redundant_faults.h"
#include "fuzz/hunt/redundant_needs.h"
#include "fuzz/hunt/unproved_needs.h"
#include "fuzz/seeds/distill.h"
#include "fuzz/steps/disturb.h"
#include "fuzz/steps/mutate_text.h"
#include "ir/base/file.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"
#include "rewrite/kernel/claims.h"

namespace hexproof {
namespace seeds_test {

namespace fs = std::filesystem;

/// What the kernel says: the planted fault of what it refuses the step for, or "".
std::string verdict_on(const StepSeed& seed, Prover& prover) {
  Derivation derivation(seed.fuzz_case.program);
  const StepRequest& step = seed.step();
  try {
    derivation.apply(step.rule, to_args(step.args, &seed.fuzz_case.program), prover);
    return "";
  } catch (const Refused& refused) {
    return fault_of(step.rule, refused.obligation);
  } catch (const NotApplicable& e) {
    return std::string("does not apply: ") + e.what();
  }
}

TEST(Seeds, AreAnsweredAsTheySay) {
  Prover prover;
  for (const StepSeed& seed : step_seeds()) EXPECT_EQ(verdict_on(seed, prover), seed.refused) << to_text(seed);
}

/// A rule without needs fires only; one with needs has seeds of both kinds.
TEST(Seeds, EveryRuleHasSomeThatFireAndSomeThatAreRefused) {
  std::set<std::string> with_needs;
#define MUTANT(name, breaks)                                      \
  if (const std::string fault = name; fault.starts_with("rule/")) \
    with_needs.insert(fault.substr(5, fault.find('/', 5) - 5));
#include "ir/base/mutants.def"
#undef MUTANT
  for (const Rule* rule : all_rules()) {
    size_t fires = 0, refused = 0;
    for (size_t k : step_seeds_of(rule->name)) ++(step_seeds()[k].refused.empty() ? fires : refused);
    EXPECT_GT(fires, 0u) << rule->name;
    if (with_needs.count(rule->name)) {
      EXPECT_GT(refused, 0u) << rule->name;
    }
  }
}

TEST(Seeds, ReadBackAsTheyAreWritten) {
  std::string text;
  for (const StepSeed& seed : step_seeds()) text += to_text(seed);
  const std::vector<StepSeed> back = parse_step_seeds(text, "seeds");
  ASSERT_EQ(back.size(), step_seeds().size());
  for (size_t k = 0; k < back.size(); ++k) {
    EXPECT_EQ(back[k].refused, step_seeds()[k].refused);
    EXPECT_EQ(to_text(back[k]), to_text(step_seeds()[k]));
  }
  EXPECT_THROW(parse_step_seeds("# hexproof fuzz case 1\ndef f():\n    T.evaluate(0)\n", "none"), Error);
}

/// The records of other runs come in another order; the same few are kept.
TEST(Distilled, DoesNotHangOnTheOrderAndKeepsWhatIsDistilled) {
  std::vector<StepSeed> some(step_seeds().begin(), step_seeds().begin() + 40), other(some.rbegin(), some.rend());
  auto text = [](const std::map<std::string, std::vector<StepSeed>>& all) {
    std::string out;
    for (const auto& [rule, seeds] : all) {
      for (const StepSeed& seed : seeds) out += to_text(seed);
    }
    return out;
  };
  const std::string once = text(distilled(some));
  EXPECT_EQ(once, text(distilled(other)));
  EXPECT_EQ(once, text(distilled(parse_step_seeds(once, "once"))));
}

TEST(ProgramSeeds, HaveProgramsAndPairsOfBothKinds) {
  size_t refuted = 0;
  for (const CheckedSeed& seed : program_seeds().checked) refuted += seed.refuted;
  EXPECT_GT(refuted, 10u);
  EXPECT_GT(program_seeds().checked.size(), 2 * refuted);
  EXPECT_GT(program_seeds().compared.size(), 10u);
}

TEST(ProbeSeed, FindsNothingWithoutAFault) {
  Prover prover({.cache_path = "", .rlimit = 100'000, .jobs = 1});
  const size_t all = seed_count();
  for (uint64_t number = 0; number < all + 200; number += number < all ? 3 : 1) {
    EXPECT_EQ(probe_seed(number, prover), "");
  }
}

/// Steps that owe what those of no seed do: accumulations that need a flag or a law, and an init of other cells than
/// are read.
constexpr const char* kOthers = R"(# hexproof fuzz case 1
# input-seed: 1
# step: rfactor {"axis":0,"loop":[]}
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((4, 5), "float32"), C: T.Buffer((4,), "float32")):
    T.func_attr({"hexproof.fp": "reassoc"})
    for k, i in T.grid(5, 4):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            C[vi] = C[vi] + A[vi, vk]
# hexproof fuzz case 1
# input-seed: 1
# step: swap-statements {"at":[0]}
# from tvm.script import tir as T

@T.prim_func
def before(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    B[0] = B[0] + A[0]
    B[0] = B[0] + A[1]
# hexproof fuzz case 1
# input-seed: 1
# step: reindex-write {"block":"C","buffer":"C","name":"D"}
# from tvm.script import tir as T

@T.prim_func
def before(C: T.Buffer((4,), "int32")):
    for k in range(4):
        with T.block("C"):
            vk = T.axis.reduce(4, k)
            with T.init():
                C[vk] = 0
            C[vk] = C[vk] + 1
)";

std::vector<StepSeed> seeds_and_others() {
  std::vector<StepSeed> out = step_seeds();
  for (StepSeed& seed : parse_step_seeds(kOthers, "others")) out.push_back(std::move(seed));
  return out;
}

/// A name in the table that no step owes would be looked for in vain: the rule says it in other words.
TEST(Seeds, OweEveryNeedOfTheTable) {
  std::set<std::string> owed;
  for (const StepSeed& seed : seeds_and_others()) {
    const PrimFunc& program = seed.fuzz_case.program;
    owed.insert(seed.refused);
    std::optional<Rewrite> rewrite = unproved(program, seed.step());
    if (!rewrite) continue;
    settle_claims(seed.step().rule, to_args(seed.step().args, &program), program, &*rewrite);
    for (const Obligation& need : rewrite->needs) owed.insert(fault_of(seed.step().rule, need));
  }
#define MUTANT(name, breaks) EXPECT_TRUE(!std::string(name).starts_with("rule/") || owed.count(name)) << name;
#include "ir/base/mutants.def"
#undef MUTANT
}

/// What is said to hold whatever the program, or wherever the other needs do: on no seed and on no near miss of one the
/// prover finds it false while it proves all others. What is said to ask for more than the result needs: where it is
/// false alone, no run shows it.
TEST(RedundantNeeds, AreNeverRefutedAloneOrShowInNoRun) {
  std::map<std::string, size_t> met;
  std::map<std::string, Redundant> how;
  for (const RedundantNeed& need : redundant_needs()) met[need.fault] = 0, how[need.fault] = need.how;
  Prover prover({.cache_path = "", .rlimit = 100'000, .jobs = 1});
  auto look = [&](const PrimFunc& program, const StepRequest& step) {
    std::optional<Rewrite> rewrite = unproved(program, step);
    if (!rewrite) return;
    const bool known = rewrite->interface_changes.empty() || program.scalars().empty();  // in which layout
    const std::optional<Rewrite> proposed = known && is_small(rewrite->after) ? rewrite : std::nullopt;
    bool any = false;
    for (const Obligation& need : rewrite->needs) any |= met.count(fault_of(step.rule, need)) > 0;
    if (!any) return;
    settle_claims(step.rule, to_args(step.args, &program), program, &*rewrite);
    std::set<std::string> implied, stricter;
    bool others = true;
    for (const Obligation& need : rewrite->needs) {
      auto it = met.find(fault_of(step.rule, need));
      const bool redundant = it != met.end();
      if (redundant) ++it->second;
      if (!redundant && !others) continue;
      const Verdict verdict = prover.prove(need).verdict;
      others &= redundant || verdict == Verdict::Proved;
      if (!redundant || verdict != Verdict::Refuted) continue;
      (how.at(it->first) == Redundant::Implied ? implied : stricter).insert(it->first);
    }
    if (!others) return;
    EXPECT_TRUE(implied.empty()) << *implied.begin() << "\n" << print(program) << step.args;
    if (stricter.empty() || !proposed) return;
    EXPECT_FALSE(look_quickly(program, *proposed, 1, 8).seed) << *stricter.begin() << "\n"
                                                              << print(program) << step.args;
  };
  uint64_t state = 5;
  for (const StepSeed& seed : seeds_and_others()) {
    look(seed.fuzz_case.program, seed.step());
    for (int k = 0; k < 4; ++k) {
      if (auto other = some_text_mutant(seed.fuzz_case.program, next_random(state))) look(*other, seed.step());
      if (auto other = disturbed(seed.step(), next_random(state))) look(seed.fuzz_case.program, *other);
    }
  }
  for (const auto& [fault, times] : met) EXPECT_GT(times, 0u) << fault;
}

/// Not a test of anything: makes fuzz/seeds/steps anew of the records in HEXPROOF_UPDATE_SEEDS (docs/campaigns.md).
TEST(Seeds, AreMadeOfRecords) {
  const char* records = std::getenv("HEXPROOF_UPDATE_SEEDS");
  if (!records) GTEST_SKIP() << "set HEXPROOF_UPDATE_SEEDS to a file of records";
  const fs::path folder = fs::path(HEXPROOF_SOURCE_DIR) / "fuzz/seeds/steps";
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const auto& [rule, seeds] : distilled(parse_step_seeds(read_file(records), records))) {
    std::string text;
    for (const StepSeed& seed : seeds) text += to_text(seed);
    write_file((folder / (rule + ".txt")).string(), text);
  }
}

}  // namespace seeds_test
}  // namespace hexproof
