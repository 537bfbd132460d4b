// Every expression rule is proved, at every type and in every reading that it is offered in; its guard is needed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "rewrite/expr_rules/prove.h"

namespace hexproof {
namespace expr_rules_prove_test {

class RuleProofTest : public testing::TestWithParam<std::string> {};

TEST_P(RuleProofTest, Holds) {
  const ExprRule* rule = find_expr_rule(GetParam());
  ASSERT_TRUE(rule);
  std::vector<RuleProof> proofs = prove_rules(GetParam());
  EXPECT_EQ(proofs.empty(), rule->arithmetic == ForArithmetic::IndexAtUse);
  for (const RuleProof& proof : proofs) {
    EXPECT_EQ(proof.answer.verdict, Verdict::Proved) << proof.str() << ": " << proof.answer.reason;
  }
}

/// The first instance with a guard, at the narrowest type: there a solver finds values that break the bare rule.
TEST_P(RuleProofTest, GuardIsNeeded) {
  for (const RuleInstance& instance : rule_instances()) {
    if (instance.rule->name != GetParam() || !(instance.rewrite.when || instance.rewrite.when_index)) continue;
    if (instance.rule->arithmetic == ForArithmetic::IndexAtUse) continue;
    EXPECT_EQ(prove_without_guards(instance).verdict, Verdict::Refuted) << print(instance);
    return;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const ExprRule& rule : expr_rules()) out.push_back(rule.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleProofTest, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

/// `HEXPROOF_UPDATE_DOCS=1` writes the page instead.
TEST(ExprRulesDocs, PageIsWhatTheRulesSay) {
  std::string path = HEXPROOF_SOURCE_DIR "/docs/rules-expressions.md";
  if (std::getenv("HEXPROOF_UPDATE_DOCS")) std::ofstream(path) << expr_rules_markdown();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), expr_rules_markdown());
}

}  // namespace expr_rules_prove_test
}  // namespace hexproof
