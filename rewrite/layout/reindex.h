// Loops over the cells of a buffer in place of the loops of a nest: how the new loops, the inverse of an access and the
// guard are found. A guess that obligations must confirm; nothing relies on it unproved.
#pragma once
#include <vector>

#include "rewrite/site/nest.h"

namespace hexproof {

/// The loops visit the buffer in memory order as they are: there is nothing to do.
class InMemoryOrder : public NotApplicable {
 public:
  using NotApplicable::NotApplicable;
};

/// New loops y in place of some loops x of a nest (the others, k, stay): y = index(x, k) and x = inverse(y, k).
struct Reindexing {
  std::vector<Expr> index;            // per new loop, over the variables of the nest
  std::vector<Var> vars;              // of the new loops, outermost first
  std::vector<Expr> starts, extents;  // of the new loops
  VarMap inverse;                     // replaced variable -> its value over `vars` and the loops that stay
  /// Some iteration is at (y, k): first the conditions on y alone, then those that also speak of k.
  std::vector<Expr> outer_guards, inner_guards;
};

/// Which indices of an access become loops: those in which a replaced loop occurs. Where an index also holds loops that
/// stay, it must hold a replaced loop as `i * c + e`, c > 0, e over loops of constant range that stay, and always with
/// the same e: as in `(i + f) // 4, (i + f) % 4`.
///
/// The loops are all of 32 or all of 64 bits. `replaced`: per loop of the nest. `with_image`: ask in the guard for the
/// image of the map, too, where the ranges of the replaced loops may be all that has to be asked. NotApplicable when no
/// inverse is found.
Reindexing reindexing_of(const Nest& nest, const std::vector<bool>& replaced, const std::vector<Expr>& indices,
                         bool with_image);

}  // namespace hexproof
