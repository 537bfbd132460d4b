// What the rule is told that keeps what earlier iterations computed. What each argument means stands at its head.
#pragma once
#include "rewrite/kernel/rule_args.h"

namespace hexproof {

struct SkipComputedArgs {
  Path at;
  LoopArg loop;
  std::optional<Expr> condition = {};
  std::optional<std::vector<Expr>> earlier = {};
  std::optional<int64_t> kept = {}, step = {};
  HEXPROOF_RULE_ARGS("skip-computed", at, loop, condition, earlier, kept, step)
};

}  // namespace hexproof
