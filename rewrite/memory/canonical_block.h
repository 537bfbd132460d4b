// A block right inside of loops that run over its variables, which stores to one cell in each spatial instance: it may
// be computed again, elsewhere, and in part.
#pragma once
#include <string>
#include <vector>

#include "rewrite/memory/cache_stage.h"
#include "rewrite/memory/made.h"
#include "rewrite/site/region.h"

namespace hexproof {

/// What a block variable runs over: first, ..., first + extent - 1.
struct VariableRun {
  Expr first, extent;
  int loop = -1;  // which loop of the nest; -1: none
};

/// A stage of that shape, `index`-th of its sequence: serial loops with bounds that depend on no other loop and no
/// memory, each bound to one variable of the block, perhaps plus a constant; no predicate; one store (and one in init)
/// at distinct spatial variables, no `undef`. The block reads what it stores to only at the cell that it writes, which
/// its init sets first, and reductions run in the order of its variables.
struct CanonicalBlock {
  Path nest;
  int index;    // among the parts of the sequence
  Block block;  // with its own variables in the place of the loop variables that are bound to them as they are
  Store store;
  std::vector<Store> others;      // what it stores besides, at the same indices of other buffers of that shape
  std::vector<VariableRun> runs;  // one per variable of the block
  std::vector<int> dim;           // variable of the block -> dimension of what it stores to, -1 when it is in no index
};

/// The block at `at`, whose nest is the stage; NotApplicable, about "the `noun`", when it is none. Loops around the
/// stage stand still: a variable that is bound to such a value has that one. With `several` it may store to one cell of
/// each of several buffers, which together are one cell: all at the same indices, all set by the init.
CanonicalBlock canonical_block(const PrimFunc& func, const Path& at, const Stage& stage, const std::string& noun,
                               bool several = false);
/// The buffers that it stores to.
std::vector<Buffer> stored_buffers(const CanonicalBlock& canonical);

/// The block over other values of its variables: `ranges`, one per variable. New loops run over those that have more
/// than one value, in the order of the variables.
struct MovedBlock {
  Block block;  // bound to the new loops
  std::vector<LoopRange> loops;
  /// The block in its loops. Whoever puts it somewhere owes that their bounds are no error there (made.h).
  Stmt nest(const Span& span) const;
};
MovedBlock over_ranges(const CanonicalBlock& canonical, const std::vector<DimRange>& ranges);

/// What must hold for the moved block to run only at values at which it ran before; with `clip`, what is not seen to
/// hold becomes its predicate instead. `given` holds at the block, its loops included. `clipped` receives for each
/// variable whether it was.
void keep_in_runs(const std::string& rule, const std::string& why, const PrimFunc& func, const Stmt& stmt,
                  const CanonicalBlock& canonical, const std::vector<DimRange>& ranges, bool clip,
                  const std::vector<Expr>& outside, const std::vector<Expr>& given, MovedBlock* moved,
                  std::vector<bool>* clipped, std::vector<Obligation>* needs);

}  // namespace hexproof
