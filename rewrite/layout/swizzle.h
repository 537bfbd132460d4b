// Index maps that flip bits of one index by bits of others, as `lambda i, j: [i, j ^ (i % 8)]`: their inverse flips
// the same bits again, once the indices that say which are known.
#pragma once
#include <optional>
#include <vector>

#include "ir/layout/index_map.h"

namespace hexproof {

/// Solves i = found(p, i) for the logical indices i: by those of them that are known of p alone, and where each needs
/// another one, by the bits that were found a round before. `found` has the inputs p of an inverse, and one output for
/// each input of `map`; `shape` is the logical box and `new_shape` that of p. The outputs and `conditions` are over p
/// then. False when that does not lead back from the image to the logical index, at those that are tried.
bool settle_masks(const IndexMap& map, const std::vector<Expr>& shape, const std::vector<Expr>& new_shape,
                  IndexMap* found, std::vector<Expr>* conditions);

}  // namespace hexproof
