// The memory that a run hands to a Hexagon kernel: one block of scalars and buffers, with gaps between them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "backend/workspace.h"
#include "ir/interpreter/interpreter.h"

namespace hexproof {

/// Where a buffer parameter lies in the block, in bytes: as a whole, or, where it is a table of rows, each row by its
/// number. The table itself is no part of the block.
struct PlacedArgument {
  bool row_table = false;
  std::vector<int64_t> offsets;  // one of a flat buffer
  int64_t bytes = 0;             // of what lies at each offset
};

/// First one 64-bit word per scalar, then the buffers, each and each row at a multiple of kParameterAlignment. Rows lie
/// in a shuffled order, with gaps of several lengths between them.
struct ArgumentBlock {
  std::vector<PlacedArgument> buffers;
  int64_t bytes = 0;
};

/// The block of these values of the scalars. Unsupported: a size that they do not give, or more than 2^31 - 1 bytes.
ArgumentBlock place_arguments(const PrimFunc& func, const ScalarValues& scalars);

/// Error, naming the parameter, unless the block keeps the calling contract: everything at a multiple of
/// kParameterAlignment, inside of the block, behind the scalars, and nothing over another.
void demand_contract(const PrimFunc& func, const ArgumentBlock& block);

/// The bytes of the block. What belongs to no scalar and no buffer is filled with a pattern.
std::string fill_block(const PrimFunc& func, const ArgumentBlock& block, const std::vector<uint64_t>& words,
                       const std::vector<Tensor>& buffers);
/// Takes the buffers out of it after a run. InternalError where anything else has changed: a kernel is made of programs
/// that are proved to stay in their buffers.
void empty_block(const ArgumentBlock& block, const std::string& before, const std::string& after,
                 std::vector<Tensor>& buffers);

}  // namespace hexproof
