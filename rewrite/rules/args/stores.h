// What rules are told that change stores. What each argument means stands at the head of its rule.
#pragma once
#include "rewrite/rules/args/traces.h"

namespace hexproof {

struct RemoveStoreArgs {
  Path at;
  std::string kind;
  std::optional<Path> by = {};
  std::optional<int64_t> witness = {};
  std::optional<std::vector<Trace>> trace = {};
  HEXPROOF_RULE_ARGS("remove-store", at, kind, by, witness, trace)
};

struct InsertStoreArgs {
  Path at;
  Path like;
  NumberArg value;
  std::optional<Path> by = {};
  std::optional<int64_t> witness = {};
  HEXPROOF_RULE_ARGS("insert-store", at, like, value, by, witness)
};

struct MakeAsyncArgs {
  std::vector<Path> copies, waits;
  std::vector<Expr> inflight;
  int64_t queue = 0;
  HEXPROOF_RULE_ARGS("make-async", copies, waits, inflight, queue)
};

struct ForwardStoreArgs {
  Path at;
  Path expr, store;
  std::optional<int64_t> witness = {};
  HEXPROOF_RULE_ARGS("forward-store", at, expr, store, witness)
};

struct RemoveUndefStoreArgs {
  std::optional<Path> at = {};
  std::optional<std::string> kind = {};
  HEXPROOF_RULE_ARGS("remove-undef-store", at, kind)
};

}  // namespace hexproof
