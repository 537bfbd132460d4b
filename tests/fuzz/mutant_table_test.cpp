// The table of planted faults (ir/base/mutants.def) and the code say the same.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "fuzz/hunt/redundant_faults.h"
#include "fuzz/programs/padded.h"
#include "fuzz/programs/program.h"
#include "fuzz/steps/steps.h"
#include "ir/base/file.h"
#include "rewrite/expr_rules/rule.h"
#include "rewrite/kernel/mutant_needs.h"
#include "verify/check/items/claims.h"

namespace hexproof {
namespace mutant_table_test {

namespace fs = std::filesystem;

const std::map<std::string, std::string>& table() {
  static const std::map<std::string, std::string> rows = [] {
    std::map<std::string, std::string> out;
#define MUTANT(name, breaks) EXPECT_TRUE(out.emplace(name, breaks).second) << name << " stands there twice";
#include "ir/base/mutants.def"
#undef MUTANT
    return out;
  }();
  return rows;
}

bool of_family(const std::string& name) { return name.starts_with("rule/") || name.starts_with("expr/"); }

TEST(MutantTable, HasEnoughOfThemAndEachSaysWhatItBreaks) {
  EXPECT_GE(table().size(), 120u);
  for (const auto& [name, breaks] : table()) {
    EXPECT_NE(name.find('/'), name.npos) << name;
    EXPECT_EQ(name.find_first_of(" \"'"), name.npos) << name;
    EXPECT_GT(breaks.size(), 10u) << name;
  }
}

TEST(MutantTable, EachNameStandsInTheCodeOnceAndTheOtherWayRound) {
  std::map<std::string, int> in_code;
  for (const char* folder : {"ir", "verify", "rewrite", "backend", "fuzz", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEXPROOF_SOURCE_DIR) / folder)) {
      std::string extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h") continue;
      std::string text = read_file(entry.path().string());
      const std::string use = "HEXPROOF_MUTANT(";
      for (size_t at = text.find(use); at != text.npos; at = text.find(use, at + 1)) {
        size_t open = text.find_first_not_of(" \n", at + use.size());
        if (text[open] != '"') continue;  // the macro itself
        ++in_code[text.substr(open + 1, text.find('"', open + 1) - open - 1)];
        EXPECT_EQ(extension, ".cpp") << "a fault in a header: " << entry.path();
        EXPECT_NE(text.find("#include \"ir/base/mutant.h\""), text.npos) << entry.path();
      }
    }
  }
  for (const auto& [name, count] : in_code) {
    EXPECT_EQ(count, 1) << name;
    EXPECT_TRUE(table().count(name)) << name << " is in no line of ir/base/mutants.def";
  }
  for (const auto& [name, breaks] : table()) {
    EXPECT_TRUE(of_family(name) || in_code.count(name)) << name << " is nowhere in the code";
  }
}

size_t conjunct_count(const Expr& e) {
  return !e ? 0 : e->op == Op::And ? conjunct_count(e->args[0]) + conjunct_count(e->args[1]) : 1;
}

TEST(MutantTable, HasEveryConditionOfEveryExpressionRule) {
  std::set<std::string> wanted, there;
  for (const RuleInstance& instance : rule_instances()) {
    size_t count = conjunct_count(instance.rewrite.when) + conjunct_count(instance.rewrite.when_index);
    for (size_t k = 1; k <= count; ++k) wanted.insert(mutant_without_condition(instance.rule->name, k));
  }
  for (const auto& [name, breaks] : table()) {
    if (name.starts_with("expr/")) there.insert(name);
  }
  EXPECT_EQ(there, wanted);
}

/// What campaigns ask of rules is in the table. (Conditions that arise rarely are found out by longer ones.)
TEST(MutantTable, HasTheConditionsOfRulesThatCampaignsMeet) {
  std::set<std::string> rules;
  for (const Rule* rule : all_rules()) rules.insert(rule->name);
  for (const auto& [name, breaks] : table()) {
    if (!name.starts_with("rule/")) continue;
    std::string rule = name.substr(5, name.find('/', 5) - 5);
    EXPECT_TRUE(rules.count(rule)) << name;
  }
  Prover prover({.cache_path = "", .rlimit = 100'000, .jobs = 1});
  uint64_t state = 11;
  size_t met = 0;
  for (int k = 0; k < 300; ++k) {
    std::vector<uint32_t> numbers, more;
    for (int n = 0; n < 150; ++n) numbers.push_back(static_cast<uint32_t>(next_random(state)));
    for (int n = 0; n < 40; ++n) more.push_back(static_cast<uint32_t>(next_random(state)));
    Choices choices(numbers), step_choices(more);
    Derivation derivation(k % 4 == 0 ? random_padded_program(choices) : random_program(choices));
    RandomSteps steps(step_choices);
    while (std::optional<StepRequest> step = steps(derivation.current())) {
      std::vector<Obligation> needs;
      try {
        derivation.apply(step->rule, to_args(step->args, &derivation.current()), prover);
        for (const auto& [need, answer] : derivation.steps().back().obligations) needs.push_back(need);
      } catch (const NotApplicable&) {
      } catch (const Refused& refused) {
        needs.push_back(refused.obligation);
      }
      for (const Obligation& need : needs) {
        ++met;
        if (need.rule == kBlockClaims) continue;  // owed after every rule alike: "kernel/block-claims"
        if (is_int(need.goal, 0)) continue;       // that no execution gets there: no condition
        // What moves in front of an assume is asked as `check` asks: "kernel/errors-before-assumes".
        if (need.rule.starts_with("check-") && !table().count(mutant_without(step->rule, need))) continue;
        EXPECT_TRUE(table().count(mutant_without(step->rule, need))) << mutant_without(step->rule, need);
      }
    }
  }
  EXPECT_GT(met, 1000u);
}

/// What cannot change a result: the rules say so, not a list that could grow stale.
TEST(MutantTable, TellsWhatCannotChangeAResult) {
  size_t redundant = 0;
  for (const auto& [name, breaks] : table()) redundant += !why_redundant(name).empty();
  EXPECT_LT(redundant, table().size() / 4);
  EXPECT_NE(why_redundant("expr/mod-of-sum/condition-1"), "");     // each application owes that both sides are equal
  EXPECT_NE(why_redundant("expr/add-constants/condition-1"), "");  // there is no such constant
  EXPECT_NE(why_redundant("kernel/errors-before-assumes"), "");    // both programs meet an error
  EXPECT_EQ(why_redundant("expr/div-of-sum/condition-1"), "");
  EXPECT_EQ(why_redundant("expr/distribute/condition-1"), "");
  EXPECT_EQ(why_redundant("rule/unit-loop/the-loop-runs-exactly-once"), "");
}

TEST(MutantTable, NamesLeaveNamesOfTheProgramOut) {
  auto name = [](const std::string& rule, const std::string& why) {
    return mutant_without("r", Obligation{rule, why, {}, {}, boolean(true)});
  };
  EXPECT_EQ(name("r", "the flat index fits its type"), "rule/r/the-flat-index-fits-its-type");
  EXPECT_EQ(name("r", "what is copied from 'A' was written: A[i]"), "rule/r/what-is-copied-from-was-written");
  EXPECT_EQ(name("r", "a read of A_flat is seen"), name("r", "a read of B is seen"));
  EXPECT_EQ(name("check-bounds", "a read of A is in bounds"), "rule/r/check-bounds");
}

}  // namespace mutant_table_test
}  // namespace hexproof
