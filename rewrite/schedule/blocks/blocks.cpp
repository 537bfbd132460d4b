// decompose_reduction, eliminate_branch, compute_at.
#include "rewrite/rules/args/blocks.h"

#include "rewrite/rules/args/branches.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

BlockRef Schedule::decompose_reduction(const BlockRef& block, const LoopRef& loop) {
  BlockRef out;
  primitive([&] {
    std::string name = current_name(block);
    for (const char* suffix : {"_init", "_update"}) {
      if (!find_blocks(func(), name + suffix).empty()) fail("there is a block '" + name + suffix + "' already");
    }
    apply(DecomposeReductionArgs{.at = path_of_block(block), .loop = path_of(loop)});
    rename(name, name + "_update");
    out = {name + "_init"};
    renamed_.erase(out.name);
  });
  return out;
}

void Schedule::eliminate_branch(const BlockRef& block) {
  primitive([&] {
    Path at = path_of_block(block);
    // The block's own predicate, or else the innermost `if` around it.
    if (!stmt_at(func(), at).as<Block>()->predicate) {
      while (!at.empty() && !stmt_at(func(), at).as<If>()) at.pop_back();
    }
    if (at.empty() && !stmt_at(func(), at).as<If>() && !stmt_at(func(), at).as<Block>()) {
      fail("there is no branch around block '" + current_name(block) + "'");
    }
    apply(EliminateBranchArgs{.at = at, .takes = true});
  });
}

void Schedule::compute_at(const BlockRef& block, const LoopRef& loop) {
  primitive([&] {
    // The whole box, or a guard for what sticks out of what the producer computes.
    const ComputeAtArgs args{.block = path_of_block(block), .loop = path_of(loop)};
    ComputeAtArgs clipped = args;
    clipped.clip = true;
    if (!try_apply(args) && !try_apply(clipped)) apply(args);
  });
}

}  // namespace hexproof
