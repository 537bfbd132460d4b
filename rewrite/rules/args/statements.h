// What rules are told that change statements of any kind. What each argument means stands at the head of its rule.
#pragma once
#include "rewrite/kernel/rule_args.h"

namespace hexproof {

struct SwapStatementsArgs {
  Path at;
  HEXPROOF_RULE_ARGS("swap-statements", at)
};

struct RemoveEmptyArgs {
  Path at;
  std::optional<std::string> kind = {};
  HEXPROOF_RULE_ARGS("remove-empty", at, kind)
};

struct RemoveAssumeArgs {
  HEXPROOF_RULE_ARGS("remove-assume")
};

struct AnnotateArgs {
  std::optional<Path> at = {};
  std::string key;
  std::optional<std::variant<int64_t, std::string>> value = {};
  HEXPROOF_RULE_ARGS("annotate", at, key, value)
};

}  // namespace hexproof
