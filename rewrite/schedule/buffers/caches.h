// Primitives that make copies of buffers in another form: each finds places and calls rules, all or nothing.
#pragma once
#include <string>
#include <vector>

#include "rewrite/schedule/schedule.h"

namespace hexproof {

/// The block reads or writes a buffer through a copy that is indexed by the block's variables. Returns the block of
/// the copy.
BlockRef reindex(Schedule& schedule, const BlockRef& block, const BufferChoice& choice);
/// The same, in a scope, indexed by what the map makes of all variables of the block.
BlockRef reindex_cache(Schedule& schedule, const BlockRef& block, const BufferChoice& choice, const std::string& scope,
                       const IndexMap& map, bool write);
/// A buffer that the block updates in place is copied into a scope, updated there, and copied back. Returns the blocks
/// of both copies.
std::vector<BlockRef> cache_inplace(Schedule& schedule, const BlockRef& block, const BufferChoice& choice,
                                    const std::string& scope);
/// Indices that the block computes at more than `threshold` places are computed in front, into caches. Returns the
/// blocks that do it; none, where there is no such index.
std::vector<BlockRef> cache_index(Schedule& schedule, const BlockRef& block, const std::string& scope,
                                  int64_t threshold);
/// The block's variables become what the map makes of them, and the loops around it run over these.
void transform_block_layout(Schedule& schedule, const BlockRef& block, const IndexMap& map);
/// The domain of each variable of the block grows to a multiple of its padding: operands are copied and padded with
/// zeros, the result is copied back from a padded one. The indices of the block are its variables.
void pad_einsum(Schedule& schedule, const BlockRef& block, const std::vector<int64_t>& padding);
/// The rows of an allocation that the block writes lie `offset` behind a multiple of `factor` elements apart, from one
/// index of `axis` to the next: the axis behind it grows.
void storage_align(Schedule& schedule, const BlockRef& block, int64_t buffer_index, int64_t axis, int64_t factor,
                   int64_t offset);
/// What the block computes of an allocation in a loop of tiles is computed once, and the allocation is as long as the
/// window that one tile needs, circular along the axis of the outermost such loop.
void rolling_buffer(Schedule& schedule, const BlockRef& block, int64_t buffer_index);

}  // namespace hexproof
