#include "rewrite/memory/computed_indices.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/site/places.h"

namespace hexproof {

std::vector<ComputedIndex> computed_indices(const PrimFunc& func, const Block& block) {
  std::set<Var> known;
  for (const Var& v : func.scalars()) known.insert(v);
  for (const IterVar& iter : block.iters) known.insert(iter.var);
  std::vector<ComputedIndex> out;
  auto take = [&](const Expr& e) {
    if (e->op == Op::Var || as_int(e) || e->dtype != kInt32 || !is_repeatable(e)) return;
    for (const Var& v : free_vars(e)) {
      if (!known.count(v)) return;
    }
    auto same = std::find_if(out.begin(), out.end(), [&](const ComputedIndex& i) { return i.e == e; });
    if (same == out.end()) same = out.insert(out.end(), {e});
    ++same->often;
  };
  for (const Stmt& part : {block.init, block.body}) {
    if (!part) continue;
    visit_stmt(part, [&](const Stmt& s) {
      if (const Store* store = s.as<Store>()) std::for_each(store->indices.begin(), store->indices.end(), take);
      return true;
    });
    visit_all_exprs(part, [&](const Expr& e) {
      if (e->op == Op::Load) std::for_each(e->args.begin(), e->args.end(), take);
    });
  }
  return out;
}

}  // namespace hexproof
