// reorder-block-vars {at: block, order: positions}
//
//   block (vi = i, vj = j): S     ->      block (vj = j, vi = i): S        for order [1, 0]
//
// The order in which variables are bound computes nothing: a binding speaks of no other variable of the block.
//
// Side conditions
//  1. `order` names each variable once (checked here).
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite reorder_block_vars(const PrimFunc& func, const ReorderBlockVarsArgs& args) {
  const Path &at = args.at, &order = args.order;
  const Stmt stmt = checked_at(func, at);
  Block block = record_at<Block>(func, at, "a block");
  Path sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool all = sorted.size() == block.iters.size();
  for (size_t k = 0; all && k < sorted.size(); ++k) all = sorted[k] == static_cast<int>(k);
  if (!all) throw NotApplicable("the order does not name each variable of the block once");
  std::vector<IterVar> iters;
  for (int k : order) iters.push_back(block.iters[static_cast<size_t>(k)]);
  block.iters = std::move(iters);
  return {.after = replace_at(func, at, make_stmt(std::move(block), stmt->span)), .needs = {}};
}

}  // namespace

extern const Rule k_reorder_block_vars{rule<reorder_block_vars>("block (vi, vj)  ->  block (vj, vi)")};

}  // namespace hexproof
