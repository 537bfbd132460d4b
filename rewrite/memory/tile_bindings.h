// Bindings of a block in tiles: what the loops outside of a tile make of them, and what those inside do.
#pragma once
#include <optional>
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// A binding as outer * inner_extent + inner: a guess that obligations must confirm.
struct TileBinding {
  Expr outer, outer_extent;  // 0 and 1 where the loops inside make all of it
  Expr inner, inner_extent;  // 0 and 1 where they make none
  Expr outer_part;           // outer * inner_extent, as it is written
};

/// Nothing when a part of the binding speaks of loops of both sorts at once, or the values of the outer part do not go
/// in steps of as many as the inner part has.
std::optional<TileBinding> tile_binding(const IterVar& iter, const std::vector<LoopRange>& outer,
                                        const std::vector<LoopRange>& inner);

}  // namespace hexproof
