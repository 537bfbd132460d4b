// What a schedule may leave undone in front of vector code.
#pragma once
#include "rewrite/kernel/kernel.h"

namespace hexproof::api {

/// Where a vectorized loop has a block in it, blocks are lowered and indices simplified, as steps of the derivation:
/// the code generator of Hexagon makes vectors of plain loops. Each is done as far as it is proved.
void lower_vectorized(Derivation& derivation, Prover& prover);

}  // namespace hexproof::api
