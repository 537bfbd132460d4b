// What rules are told that change expressions. What each argument means stands at the head of its rule.
#pragma once
#include "rewrite/expr_rules/site.h"
#include "rewrite/kernel/rule_args.h"

namespace hexproof {

/// "rule#match@statement/expression; ...".
template <>
struct ArgField<std::vector<Application>> {
  static Arg write(const std::vector<Application>& applications);
  static std::optional<std::vector<Application>> read(const Arg& arg);
};

struct SimplifyArgs {
  Path at;
  std::vector<Application> applications;
  HEXPROOF_RULE_ARGS("simplify", at, applications)
};

struct ClampIndexArgs {
  Path at;
  Path expr;
  std::optional<NumberArg> extent = {};
  std::optional<bool> back = {};
  HEXPROOF_RULE_ARGS("clamp-index", at, expr, extent, back)
};

struct HoistIndexArgs {
  Path at;
  Path statement, expr;
  std::string name;
  HEXPROOF_RULE_ARGS("hoist-index", at, statement, expr, name)
};

struct HoistLetArgs {
  Path at;
  Path statement;
  std::optional<Path> expr = {};
  HEXPROOF_RULE_ARGS("hoist-let", at, statement, expr)
};

struct InlineLetArgs {
  Path at;
  HEXPROOF_RULE_ARGS("inline-let", at)
};

}  // namespace hexproof
