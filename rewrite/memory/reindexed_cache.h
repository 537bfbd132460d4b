// A cache whose cells are indexed by the variables of a block: what the rules reindex-read and reindex-write share.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/rules/args/buffers.h"

namespace hexproof {

/// The cells of a buffer that a block touches, A[e(v)], and those of the cache in their place, C[g(v)]; v are those
/// variables of the block of which e and g speak. Let the box be all values of v in their domains.
struct ReindexedCache {
  Path block_path;
  Block block;
  Stage stage;
  Buffer buffer, cache;  // no buffer: what is computed goes into the cache
  std::vector<IterVar> used;
  std::vector<Expr> cell, place;  // e, g
};

/// Args: block, buffer or index; `map` over all variables of the block, for g (missing: g are the variables that e
/// speaks of); `name` of the cache (missing: after buffer and scope); `scope`. NotApplicable where the block touches
/// the buffer at several places, with indices that speak of more than its variables, or from outside of its body.
ReindexedCache reindexed_cache(const PrimFunc& func, const ReindexedArgs& args, bool write);

/// NotApplicable unless the domain of the variable starts at 0 and speaks of scalars alone.
void demand_box(const PrimFunc& func, const IterVar& iter);
/// Owes that the block's variables lie in the box; that e and g are no error there, and g leads into the cache. (That
/// the box is none, and fits in memory, with_copies owes.) `one_to_one`: cells of the buffer that differ have different
/// places; in any case, equal places have equal cells.
void owe_places(const std::string& rule, const PrimFunc& func, const ReindexedCache& c, bool one_to_one,
                std::vector<Obligation>* needs);
/// Owes that each value of the box is that of an instance which makes one of `accesses`.
void owe_visited(const std::string& rule, const std::string& why, const PrimFunc& func, const ReindexedCache& c,
                 std::vector<Access> accesses, std::vector<Obligation>* needs);

/// for v in the box: with T.block(cache): C[g(v)] = A[e(v)], or the other way round.
Stmt copy_of_box(const ReindexedCache& c, bool back);
/// for v in the box: with T.block(cache): C[g(v)] = value(v)
Stmt fill_of_box(const ReindexedCache& c, const Expr& value);
/// The block with C[g(v)] in place of A[e(v)], in loads, or in loads and stores.
Stmt through_cache(const ReindexedCache& c, const Stmt& block, bool stores);

}  // namespace hexproof
