// What rules are told that change blocks. What each argument means stands at the head of its rule.
#pragma once
#include "rewrite/kernel/rule_args.h"

namespace hexproof {

struct ComputeAtArgs {
  BlockArg block;
  LoopArg loop;
  std::optional<bool> clip = {};
  std::optional<std::vector<Expr>> base = {}, extent = {};
  HEXPROOF_RULE_ARGS("compute-at", block, loop, clip, base, extent)
};

struct ReverseComputeAtArgs {
  BlockArg block;
  LoopArg loop;
  std::optional<bool> clip = {};
  std::optional<int64_t> witness = {};
  HEXPROOF_RULE_ARGS("reverse-compute-at", block, loop, clip, witness)
};

struct RfactorArgs {
  LoopArg loop;
  std::optional<int64_t> axis = {};
  HEXPROOF_RULE_ARGS("rfactor", loop, axis)
};

struct SplitSumArgs {
  BlockArg block;
  HEXPROOF_RULE_ARGS("split-sum", block)
};

struct DecomposeReductionArgs {
  Path at;
  Path loop;
  std::optional<bool> into = {};
  HEXPROOF_RULE_ARGS("decompose-reduction", at, loop, into)
};

struct BlockizeArgs {
  Path at;
  std::optional<int64_t> count = {};
  std::string name;
  std::optional<bool> unit_iters = {};
  HEXPROOF_RULE_ARGS("blockize", at, count, name, unit_iters)
};

struct RebindBlockArgs {
  Path at;
  std::optional<bool> unit_iters = {};
  std::optional<IndexMap> map = {};
  std::optional<std::vector<Expr>> bindings = {};
  HEXPROOF_RULE_ARGS("rebind-block", at, unit_iters, map, bindings)
};

struct DecomposePaddingArgs {
  Path at;
  Path loop;
  HEXPROOF_RULE_ARGS("decompose-padding", at, loop)
};

struct LowerBlockArgs {
  Path at;
  HEXPROOF_RULE_ARGS("lower-block", at)
};

struct ReorderBlockVarsArgs {
  Path at;
  Path order;
  HEXPROOF_RULE_ARGS("reorder-block-vars", at, order)
};

}  // namespace hexproof
