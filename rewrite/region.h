// Which cells a set of accesses touches, as a box that moves with the loops around: base + [0, extent).
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "verify/footprint.h"

namespace hexproof {

/// constant + sum of coefficient * term; the terms are variables or expressions taken as they are.
struct Linear {
  std::vector<std::pair<Expr, int64_t>> terms;
  int64_t constant = 0;
  Expr expr(DType type) const;
  friend bool operator==(const Linear& a, const Linear& b);
};

/// The values base, ..., base + extent - 1.
struct IndexRange {
  Linear base;
  int64_t extent = 1;
};

/// A range that should hold every value of `e` while the variables of `inner` run: a guess that obligations must
/// confirm. Nothing when none with a constant extent is found.
std::optional<IndexRange> range_over(const Expr& e, const std::vector<LoopRange>& inner);

/// One dimension of a region.
struct DimRange {
  Expr base;
  Expr extent;
};
/// A box around the cells of the accesses, the loops in each access running: per dimension the union of the ranges, or the
/// whole dimension where there is none of constant extent that is smaller. The base speaks of what is outside of those loops.
std::vector<DimRange> region_of(const Buffer& buffer, const std::vector<Access>& accesses);

}  // namespace hexproof
