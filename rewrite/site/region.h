// Which cells a set of accesses touches, as a box that moves with the loops around: base + [0, extent).
#pragma once
#include <optional>
#include <vector>

#include "verify/access/footprint.h"
#include "verify/access/linear.h"

namespace hexproof {

/// The values base, ..., base + extent - 1.
struct IndexRange {
  Linear base;
  Wide extent = 1;
};

/// A range that should hold every value of `e` while the variables of `inner` run: a guess that obligations must
/// confirm. Nothing when none with a constant extent is found.
std::optional<IndexRange> range_over(const Expr& e, const std::vector<LoopRange>& inner);

/// One dimension of a region.
struct DimRange {
  Expr base;
  Expr extent;
};
/// A box around the cells of the accesses, the loops in each access running: per dimension the union of the ranges, or
/// the whole dimension where there is none of constant extent that is smaller. The base speaks of what is outside of
/// those loops.
std::vector<DimRange> region_of(const Buffer& buffer, const std::vector<Access>& accesses);

}  // namespace hexproof
