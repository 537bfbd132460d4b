// Copies between a buffer and its cache: where they stand, which cells they move, and the blocks that do it.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel/rule_args.h"
#include "rewrite/site/region.h"

namespace hexproof {

/// The outermost statement around a place that is one of several (or the only one) below the function's allocations:
/// where stages stand next to each other.
struct Stage {
  Path seq;        // the sequence, or the statement itself when it stands alone
  Path at;         // the statement
  int index = -1;  // in the sequence; -1: alone
};
Stage stage_around(const PrimFunc& func, const Path& at);
/// The same, in the innermost loop that holds several: what stands next to each other in each of its iterations. No
/// block stands around them.
Stage stage_in_loops(const PrimFunc& func, const Path& at);

/// A cache of a stage, what fills it in front and copies it back behind (either may be missing), and what the stage
/// becomes. `like` (may be missing) is a buffer that exists around the stages: its extents were evaluated.
struct Copies {
  Buffer cache, like;
  Stmt before, changed, after;
  std::vector<Buffer> more = {};  // further memory, as the cache
};
/// The function with the copies next to the stage. The cache is allocated around all stages of the sequence; one whose
/// extents are no constants, around those behind the last assume in front of the stage, which may be what bounds them.
/// Owes, where each of them stands, what is made (made.h): the memory and the loops of the copies; and that what goes
/// in front of the stage relies on no assume in it.
PrimFunc with_copies(const std::string& rule, const PrimFunc& func, const Stage& stage, const Copies& copies,
                     std::vector<Obligation>* needs);

/// The accesses of the statement at `outer` that are made inside of the one at `inner`.
std::vector<Access> accesses_between(const PrimFunc& func, const Path& outer, const Path& inner);

/// for ax: with T.block(name): v = base + ax; T.where(only); to[v] = from[v]
/// Without a name there is no block: for ax: if only: to[base + ax] = from[base + ax], for programs that have none.
/// `only`, if given, is a condition over `cell`, one variable per dimension.
Stmt copy_nest(const std::string& name, const Buffer& from, const Buffer& to, const std::vector<DimRange>& region,
               const std::vector<Var>& cell = {}, const Expr& only = {});

/// A buffer like `source`, in the scope; "data" in scope "global" is cached in "data_global".
Buffer cache_of(const Buffer& source, const std::string& scope);

/// Obligations: the cells of `access` lie in the region. A dimension that is copied whole needs none: the program
/// before is free of errors; but what an `assume` names may be out of bounds, so there every dimension is asked.
void owe_inside(const std::string& rule, const std::string& why, const PrimFunc& func, const std::vector<Expr>& given,
                const Access& access, const std::vector<DimRange>& region, std::vector<Obligation>* needs);
/// Obligations: the region lies in the box of the buffer, and its corners fit their type.
void owe_region_in_box(const std::string& rule, const PrimFunc& func, const Stmt& stmt, const std::vector<Expr>& given,
                       const Buffer& buffer, const std::vector<DimRange>& region, std::vector<Obligation>* needs);

/// The buffer that is named, or the `index`-th (from 0, without repetition, in program order)
/// that the block reads or writes. NotApplicable when the block has no such access.
Buffer accessed_arg(const PrimFunc& func, const std::optional<BufferArg>& named, const std::optional<int64_t>& index,
                    const Path& block, bool write);

}  // namespace hexproof
