#include "rewrite/kernel/claims.h"

#include <algorithm>
#include <set>

#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/check/items/claims.h"
#include "verify/memory/quick.h"

namespace hexproof {
namespace {

/// Which blocks may run at values at which they did not run before, or touch cells that they did not touch.
struct Changes {
  bool fresh = true;   // new ones
  bool around = true;  // those around the place that the rule was told
  bool inside = true;  // those at the place and inside of it
};

/// What a rule changes of blocks, by its own conditions. One that is not listed may change everything.
Changes changes_of(const std::string& rule) {
  constexpr Changes kNone{.fresh = false, .around = false, .inside = false};
  static const std::map<std::string, Changes> known = {
      // Every block runs in fewer instances, or in the same ones, and touches the same cells: in another order, at
      // other places of the memory, or of another memory.
      {"add-unit-loop", kNone},
      {"annotate", kNone},
      {"bind", kNone},
      {"clamp-index", kNone},
      {"compact-buffer", kNone},
      {"compute-at", kNone},
      {"decompose-reduction", kNone},  // its init block runs, and writes, where the block did
      {"distribute-loop", kNone},
      {"elide-padding", kNone},
      {"eliminate-branch", kNone},
      {"flatten", kNone},
      {"fuse", kNone},
      {"grow-buffer", kNone},
      {"hoist-condition", kNone},  // what reads memory was evaluated in any case
      {"hoist-index", kNone},
      {"hoist-let", kNone},
      {"introduce-branch", kNone},
      {"join-conditions", kNone},
      {"make-async", kNone},
      {"merge-branches", kNone},
      {"merge-loops", kNone},
      {"parallelize", kNone},
      {"partition-loop", kNone},
      {"reduce-extent", kNone},
      {"reindex-loops", kNone},
      {"remove-assume", kNone},
      {"remove-empty", kNone},
      {"remove-store", kNone},
      {"remove-undef-store", kNone},
      {"reorder", kNone},
      {"reorder-block-vars", kNone},
      {"reverse-compute-at", kNone},
      {"set-dtype", kNone},
      {"set-scope", kNone},
      {"sink-alloc", kNone},
      {"skip-computed", kNone},
      {"split", kNone},
      {"swap-statements", kNone},
      {"tensorize", kNone},
      {"unit-loop", kNone},
      {"unroll", kNone},
      {"vectorize", kNone},
      // A block of its own around what stands there; instances inside are compared within it. A block that is bound
      // anew has new variables.
      {"blockize", {.fresh = true, .around = false, .inside = false}},
      {"rebind-block", {.fresh = true, .around = false, .inside = false}},
      // Copies and padding are filled in blocks of their own.
      {"cache-inplace", {.fresh = true, .around = false, .inside = false}},
      {"reindex-read", {.fresh = true, .around = false, .inside = false}},
      {"reindex-write", {.fresh = true, .around = false, .inside = false}},
      {"cache-read", {.fresh = true, .around = false, .inside = false}},
      {"cache-write", {.fresh = true, .around = false, .inside = false}},
      {"transform-layout", {.fresh = true, .around = false, .inside = false}},
      // The blocks around touch more.
      {"insert-store", {.fresh = false, .around = true, .inside = false}},
      // What a store's index is, is told by memory from now on: the cells are the same, but that must be seen, too.
      {"cache-index", {.fresh = true, .around = true, .inside = true}},
      // The value is read where the variable was: in blocks that did not read it.
      {"inline-let", {.fresh = false, .around = false, .inside = true}},
      {"forward-store", {.fresh = false, .around = true, .inside = true}},
      // Instances of the blocks inside meet that did not before: those of another block around, of another branch.
      {"lower-block", {.fresh = false, .around = false, .inside = true}},
      {"same-branches", {.fresh = false, .around = false, .inside = true}},
      // Everything inside of the branch runs more often.
      {"overcompute", {.fresh = false, .around = true, .inside = true}},
  };
  auto it = known.find(rule);
  return it == known.end() ? Changes{} : it->second;
}

/// A block is known again by its variables, one without variables by its name.
class Blocks {
 public:
  void add(const Block& block) {
    for (const IterVar& iter : block.iters) vars_.insert(iter.var);
    if (block.iters.empty()) names_.insert(block.name);
  }
  bool has(const Block& block) const {
    for (const IterVar& iter : block.iters) {
      if (vars_.count(iter.var)) return true;
    }
    return block.iters.empty() && names_.count(block.name);
  }

 private:
  std::set<Var> vars_;
  std::set<std::string> names_;
};

/// The blocks of the program before.
struct Before {
  Blocks all, around, inside;
  std::set<const StmtNode*> statements;
  std::set<Buffer> touched;

  Before(const PrimFunc& func, const Args& args) {
    const auto at = args.find("at");
    const Path* place = at == args.end() ? nullptr : std::get_if<Path>(&at->second);
    for (const Path& path : find_all(func, [](const Stmt& s) { return s.as<Block>() != nullptr; })) {
      const Stmt stmt = stmt_at(func, path);
      const Block& block = *stmt.as<Block>();
      statements.insert(stmt.get());
      all.add(block);
      // Without a place, every block is one around and inside of it.
      if (!place || (is_within(*place, path) && path != *place)) around.add(block);
      if (!place || is_within(path, *place)) inside.add(block);
    }
    for (const Buffer& b : buffers_read(func.body)) touched.insert(b);
    for (const Buffer& b : buffers_stored(func.body)) touched.insert(b);
  }

  bool changed(const Block& block, const Changes& changes) const {
    return (changes.fresh && !all.has(block)) || (changes.around && around.has(block)) ||
           (changes.inside && inside.has(block));
  }
};

/// Does the statement touch a buffer that the program before did not?
bool touches_new_buffer(const Stmt& stmt, const std::set<Buffer>& known) {
  for (const std::vector<Buffer>& list : {buffers_read(stmt), buffers_stored(stmt)}) {
    for (const Buffer& b : list) {
      if (!known.count(b)) return true;
    }
  }
  return false;
}

bool seen_to_hold(const std::vector<Obligation>& claims) {
  return std::all_of(claims.begin(), claims.end(), [](const Obligation& o) { return Quick(o.given).implies(o.goal); });
}

}  // namespace

void settle_claims(const std::string& rule, const Args& args, const PrimFunc& before, Rewrite* rewrite) {
  const Changes changes = changes_of(rule);
  bool any = false;
  visit_stmt(rewrite->after.body, [&](const Stmt& s) {
    if (const Block* block = s.as<Block>()) any |= has_claims(*block);
    return !any;
  });
  if (!any) return;
  const Before old(before, args);
  std::set<Path> owed;
  auto wanted = [&](const Stmt& stmt, const Path& path) {
    const Block& block = *stmt.as<Block>();
    if (!has_claims(block)) return false;
    if (old.changed(block, changes)) return owed.insert(path), true;
    // A rule that copies may copy more than was read; regions of buffers that are gone name none that is touched.
    bool regions = block.reads || block.writes;
    return regions && !old.statements.count(stmt.get()) && (changes.fresh || touches_new_buffer(stmt, old.touched));
  };
  for (BlockClaims& claims : claims_of(rewrite->after, wanted)) {
    const Stmt stmt = stmt_at(rewrite->after, claims.path);
    Block block = *stmt.as<Block>();
    bool reads = seen_to_hold(claims.reads), writes = seen_to_hold(claims.writes);
    if (!reads) block.reads.reset();
    if (!writes) block.writes.reset();
    if (!reads || !writes) {
      rewrite->after = replace_at(rewrite->after, claims.path, make_stmt(std::move(block), stmt->span));
    }
    if (!HEXPROOF_MUTANT("kernel/block-claims", owed.count(claims.path) == 1, false)) continue;
    for (Obligation& o : claims.instances) rewrite->needs.push_back(std::move(o));
  }
}

}  // namespace hexproof
