// What rules are told that change loops. What each argument means stands at the head of its rule.
#pragma once
#include "rewrite/kernel/rule_args.h"

namespace hexproof {

struct SplitArgs {
  Path at;
  int64_t factor = 0;
  std::string outer, inner;
  HEXPROOF_RULE_ARGS("split", at, factor, outer, inner)
};

struct FuseArgs {
  Path at;
  std::string name;
  HEXPROOF_RULE_ARGS("fuse", at, name)
};

struct ReorderArgs {
  Path at;
  Path order;
  HEXPROOF_RULE_ARGS("reorder", at, order)
};

struct UnitLoopArgs {
  Path at;
  HEXPROOF_RULE_ARGS("unit-loop", at)
};

struct AddUnitLoopArgs {
  Path at;
  std::string name;
  HEXPROOF_RULE_ARGS("add-unit-loop", at, name)
};

struct DistributeLoopArgs {
  Path at;
  int64_t count = 0;
  HEXPROOF_RULE_ARGS("distribute-loop", at, count)
};

struct FillAheadArgs {
  LoopArg loop;
  int64_t slots = 2, ahead = 1;
  HEXPROOF_RULE_ARGS("fill-ahead", loop, slots, ahead)
};

struct MergeLoopsArgs {
  Path at;
  HEXPROOF_RULE_ARGS("merge-loops", at)
};

struct PartitionLoopArgs {
  Path at;
  int64_t count = 0;
  std::string rest;
  std::optional<std::string> front = {};
  HEXPROOF_RULE_ARGS("partition-loop", at, count, rest, front)
};

struct ReduceExtentArgs {
  Path at;
  std::optional<NumberArg> min = {}, extent = {};
  HEXPROOF_RULE_ARGS("reduce-extent", at, min, extent)
};

struct ReindexLoopsArgs {
  Path at;
  int64_t count = 0;
  Path replaced;
  std::optional<BufferArg> buffer = {};
  std::optional<int64_t> access = {};
  std::optional<IndexMap> map = {};
  bool image = false;
  HEXPROOF_RULE_ARGS("reindex-loops", at, count, replaced, buffer, access, map, image)
};

struct ParallelizeArgs {
  Path at;
  HEXPROOF_RULE_ARGS("parallelize", at)
};

struct VectorizeArgs {
  Path at;
  HEXPROOF_RULE_ARGS("vectorize", at)
};

struct UnrollArgs {
  Path at;
  HEXPROOF_RULE_ARGS("unroll", at)
};

struct BindArgs {
  Path at;
  std::string thread;
  HEXPROOF_RULE_ARGS("bind", at, thread)
};

struct TensorizeArgs {
  LoopArg at;
  std::string intrinsic;
  std::optional<std::string> unaligned = {}, description = {};
  HEXPROOF_RULE_ARGS("tensorize", at, intrinsic, unaligned, description)
};

}  // namespace hexproof
