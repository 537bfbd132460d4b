// What rules are told that change branches. What each argument means stands at the head of its rule.
#pragma once
#include "rewrite/rules/args/traces.h"

namespace hexproof {

struct EliminateBranchArgs {
  Path at;
  std::optional<bool> takes = {};
  HEXPROOF_RULE_ARGS("eliminate-branch", at, takes)
};

struct MergeBranchesArgs {
  Path at;
  std::optional<bool> complementary = {};
  HEXPROOF_RULE_ARGS("merge-branches", at, complementary)
};

struct JoinConditionsArgs {
  Path at;
  std::optional<bool> back = {};
  HEXPROOF_RULE_ARGS("join-conditions", at, back)
};

struct SameBranchesArgs {
  Path at;
  HEXPROOF_RULE_ARGS("same-branches", at)
};

struct HoistConditionArgs {
  Path at;
  Path statement, expr;
  std::optional<bool> block_vars = {};
  HEXPROOF_RULE_ARGS("hoist-condition", at, statement, expr, block_vars)
};

struct OvercomputeArgs {
  Path at;
  std::optional<bool> takes = {};
  std::optional<std::vector<Trace>> stores = {};
  HEXPROOF_RULE_ARGS("overcompute", at, takes, stores)
};

struct IntroduceBranchArgs {
  Path at;
  std::optional<Expr> condition = {};
  std::optional<Path> by = {};
  std::optional<std::vector<Trace>> stores = {};
  std::optional<Expr> value = {};
  HEXPROOF_RULE_ARGS("introduce-branch", at, condition, by, stores, value)
};

}  // namespace hexproof
