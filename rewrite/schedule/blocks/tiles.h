// Primitives that make blocks of tiles, and parts of loops: each finds places and calls rules, all or nothing.
#pragma once
#include <vector>

#include "rewrite/schedule/schedule.h"

namespace hexproof {

/// The loop with all that stands in it becomes a block, whose variables the loops around are bound to; the init of the
/// block inside becomes its init. Returns it: it is named after the blocks inside, with "_o". Without `unit_iters` it
/// has no variables that have one value.
BlockRef blockize(Schedule& schedule, const LoopRef& loop, bool unit_iters);
/// Blocks that stand next to one another, with what stands between them and the loops around each alone, become one.
BlockRef blockize(Schedule& schedule, const std::vector<BlockRef>& blocks, bool unit_iters);
/// As Schedule::tensorize; a block stands for the nest in it. A name for which a description was registered is that.
void tensorize(Schedule& schedule, const BlockRef& block_or_loop, const std::string& intrinsic,
               const std::vector<std::string>& unaligned);
/// From now on, until the end of the process, the name means the function in that text. Error when it is no
/// description, or the name is another's.
void register_intrinsic(const std::string& name, const std::string& description, bool override_other);
/// Parts of a loop, after each other: over so many iterations each, one of the counts may be missing. Returns them.
std::vector<LoopRef> loop_partition(Schedule& schedule, const LoopRef& loop,
                                    const std::vector<std::optional<int64_t>>& factors);

}  // namespace hexproof
