#include "rewrite/te/loads.h"

#include "ir/evaluation.h"
#include "ir/visit.h"

namespace hexproof::te {

std::vector<Load> loads_in(const Expr& e) {
  std::vector<Load> out;
  for_each_evaluated(e, [&](const Expr& node, const Evaluation& where) {
    if (node->op != Op::Load) return;
    auto unfolded = [&](Expr part) {
      for (size_t k = where.lets.size(); k-- > 0;)
        part = substitute(part, {{where.lets[k].first, where.lets[k].second}});
      return part;
    };
    Load load{unfolded(node), {}};
    for (const Evaluation::Guard& guard : where.guards) {
      const Expr condition = unfolded(guard.condition);
      load.conditions.push_back(guard.negated ? lnot(condition) : condition);
    }
    out.push_back(std::move(load));
  });
  return out;
}

}  // namespace hexproof::te
