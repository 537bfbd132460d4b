// Double buffers: what a block's annotation "double_buffer_scope" says.
#pragma once
#include "ir/wellformed.h"

namespace hexproof {

inline constexpr const char* kDoubleBuffer = "double_buffer_scope";

/// TVM's annotation `"double_buffer_scope": k` of a block asks for two slots of the k-th buffer that the block writes:
/// it may be filled for the next iteration while this one still reads. Here it computes nothing, and that is so where
/// none of the following stands in the function; else the first of them:
/// - the annotation at anything but a block, or with a k that is no buffer of it;
/// - a buffer that is not allocated in a loop around the block: a slot would outlive its iteration;
/// - a loop around it that is not serial;
/// - a statement in that loop that writes what the block reads, or permits to read it: filled ahead, the buffer would
///   hold older values, or none;
/// - a group of asynchronous copies in that loop, or a wait: the block would run in front of it;
/// - one outside of the block that touches what the block writes besides, of which there is one slot;
/// - one outside of the block that writes the buffer: it would do so behind the block where it came in front;
/// - one outside of the block that touches the buffer inside of a second loop around both: the slot is filled by all
///   runs of the block in an iteration.
std::optional<Defect> double_buffer_defect(const PrimFunc& func);

}  // namespace hexproof
