// Which blocks stand where, and which compute what others read.
#pragma once
#include <vector>

#include "rewrite/schedule/schedule.h"

namespace hexproof {

/// The blocks inside of the statement at `at` that stand in no other block inside of it, in program order.
std::vector<Path> child_blocks(const PrimFunc& func, const Path& at);
/// The blocks that write memory which the block reads, without itself, in program order.
std::vector<Path> producer_blocks(const PrimFunc& func, const Path& block);
/// The blocks that read memory which the block writes, without itself, in program order.
std::vector<Path> consumer_blocks(const PrimFunc& func, const Path& block);
/// The blocks inside of the statement that write memory of the function's arguments.
std::vector<Path> output_blocks(const PrimFunc& func, const Path& at);

}  // namespace hexproof
