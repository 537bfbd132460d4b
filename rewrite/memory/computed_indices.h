// Indices that a block computes.
#pragma once
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

struct ComputedIndex {
  Expr e;
  size_t often = 0;  // at so many places
};
/// The int32 indices of loads and stores in the init and body of the block that are no variable and no constant, over
/// variables of the block and scalars alone, which depend on no memory; each once, in program order.
std::vector<ComputedIndex> computed_indices(const PrimFunc& func, const Block& block);

}  // namespace hexproof
