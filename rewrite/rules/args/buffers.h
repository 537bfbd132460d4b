// What rules are told that change buffers. What each argument means stands at the head of its rule.
#pragma once
#include "rewrite/kernel/rule_args.h"

namespace hexproof {

struct TransformLayoutArgs {
  BufferArg buffer;
  IndexMap map;
  std::optional<IndexMap> inverse = {};
  std::optional<PadArg> pad_value = {};
  HEXPROOF_RULE_ARGS("transform-layout", buffer, map, inverse, pad_value)
};

struct ElidePaddingArgs {
  BufferArg buffer;
  std::vector<Expr> shape;
  IndexMap map;
  HEXPROOF_RULE_ARGS("elide-padding", buffer, shape, map)
};

struct FlattenArgs {
  std::optional<BufferArg> buffer = {};
  HEXPROOF_RULE_ARGS("flatten", buffer)
};

struct SetScopeArgs {
  BufferArg buffer;
  std::string scope;
  HEXPROOF_RULE_ARGS("set-scope", buffer, scope)
};

struct SinkAllocArgs {
  BufferArg buffer;
  std::optional<LoopArg> loop = {};
  HEXPROOF_RULE_ARGS("sink-alloc", buffer, loop)
};

struct ShareStorageArgs {
  BufferArg buffer, with;
  HEXPROOF_RULE_ARGS("share-storage", buffer, with)
};

struct CompactBufferArgs {
  BufferArg buffer;
  std::optional<std::vector<Expr>> base = {}, extent = {};
  HEXPROOF_RULE_ARGS("compact-buffer", buffer, base, extent)
};

struct GrowBufferArgs {
  BufferArg buffer;
  std::vector<Expr> shape;
  HEXPROOF_RULE_ARGS("grow-buffer", buffer, shape)
};

struct FoldBufferArgs {
  BufferArg buffer;
  int64_t axis = 0, factor = 0;
  HEXPROOF_RULE_ARGS("fold-buffer", buffer, axis, factor)
};

struct SetDtypeArgs {
  BufferArg buffer;
  std::string dtype;
  std::optional<int64_t> flip = {};
  HEXPROOF_RULE_ARGS("set-dtype", buffer, dtype, flip)
};

struct CacheIndexArgs {
  BlockArg block;
  int64_t number = 0;
  std::string name;
  std::optional<std::string> scope = {};
  HEXPROOF_RULE_ARGS("cache-index", block, number, name, scope)
};

struct CacheInplaceArgs {
  BlockArg block;
  std::optional<BufferArg> buffer = {};
  std::optional<int64_t> index = {};
  std::optional<std::string> scope = {}, cover = {};
  HEXPROOF_RULE_ARGS("cache-inplace", block, buffer, index, scope, cover)
};

/// What reindex-read and reindex-write share.
struct ReindexedArgs {
  BlockArg block;
  std::optional<BufferArg> buffer = {};
  std::optional<int64_t> index = {};
  std::optional<IndexMap> map = {};
  std::optional<std::string> name = {}, scope = {};
};

struct ReindexReadArgs : ReindexedArgs {
  HEXPROOF_RULE_ARGS("reindex-read", block, buffer, index, map, name, scope)
};

struct ReindexWriteArgs : ReindexedArgs {
  HEXPROOF_RULE_ARGS("reindex-write", block, buffer, index, map, name, scope)
};

struct CacheReadArgs {
  BlockArg block;
  std::optional<BufferArg> buffer = {};
  std::optional<int64_t> index = {};
  std::optional<std::string> scope = {}, cover = {};
  HEXPROOF_RULE_ARGS("cache-read", block, buffer, index, scope, cover)
};

struct CacheWriteArgs {
  BlockArg block;
  std::optional<BufferArg> buffer = {};
  std::optional<int64_t> index = {};
  std::optional<std::string> scope = {}, cover = {};
  HEXPROOF_RULE_ARGS("cache-write", block, buffer, index, scope, cover)
};

}  // namespace hexproof
