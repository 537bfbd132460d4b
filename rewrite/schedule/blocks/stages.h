// Primitives that put one stage into another: each finds places and calls rules, all or nothing (as Schedule's own).
#pragma once
#include <memory>
#include <vector>

#include "rewrite/schedule/schedule.h"

namespace hexproof {

/// A schedule of its own, with the same steps so far; handles mean the same in both. What is done to one does nothing
/// to the other. It asks the same prover.
std::shared_ptr<Schedule> copy_of(Schedule& schedule);
/// What the block stores to a buffer that is allocated here takes the place of every load of it; the store, the block
/// and the allocation go.
void compute_inline(Schedule& schedule, const BlockRef& block);
/// What sample_compute_location gives in place of a loop: to be inlined, or to stay where it is.
enum class Location : uint8_t { Inline, Root };
LoopRef location_mark(Location location);
/// The block, whose result the loop reads, moves into it (Schedule::compute_at); or does what the mark says. `index`:
/// at which place of the loop's body it stands then, -1 for the last one that is right, -2 for the first. `unit_loops`:
/// variables with one value have a loop, too.
void compute_at(Schedule& schedule, const BlockRef& block, const LoopRef& loop, bool unit_loops, int64_t index);
void reverse_compute_at(Schedule& schedule, const BlockRef& block, const LoopRef& loop, bool unit_loops, int64_t index);
/// The block moves into the loop, in which what it reads is computed.
void reverse_compute_at(Schedule& schedule, const BlockRef& block, const LoopRef& loop);
/// The block, which reads what one other block stores, is computed where that one stores; the buffer between them goes.
void reverse_compute_inline(Schedule& schedule, const BlockRef& block);
/// The reduction of the block in the loop becomes one of partial results, one for each value of the loop, which stand
/// at `axis` (negative: from behind); returns their block.
BlockRef rfactor(Schedule& schedule, const LoopRef& loop, int64_t axis);
/// The reduction of the block, whose terms are multiplied out, becomes one for each of them, in front; the block makes
/// the result of these. Returns the blocks of the sums, in the order of the terms.
std::vector<BlockRef> split_sum(Schedule& schedule, const BlockRef& block);
/// A block that stores T.if_then_else(condition, value, constant) becomes one that fills in the constant, in front of
/// the loop, and itself where the condition holds. Returns the block that fills.
BlockRef decompose_padding(Schedule& schedule, const BlockRef& block, const LoopRef& loop);
/// Would decompose_padding go through? Changes nothing.
bool can_decompose_padding(Schedule& schedule, const BlockRef& block, const LoopRef& loop);

}  // namespace hexproof
