#include "rewrite/site/given_region.h"

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/site/places.h"

namespace hexproof {

std::vector<DimRange> given_region(const PrimFunc& func, const std::optional<std::vector<Expr>>& given_base,
                                   const std::optional<std::vector<Expr>>& given_extent, const Path& at,
                                   const Buffer& buffer) {
  const std::vector<Expr>&base = needed(given_base, "base"), &extent = needed(given_extent, "extent");
  if (base.size() != buffer->ndim() || extent.size() != buffer->ndim()) {
    throw NotApplicable("base and extent need one entry per dimension of '" + buffer->name + "'");
  }
  std::set<Var> known;
  for (const LoopRange& loop : facts_at(func, at).loops) known.insert(loop.var);
  for (const Var& v : func.scalars()) known.insert(v);
  std::vector<DimRange> region;
  for (size_t d = 0; d < base.size(); ++d) {
    for (const Expr& e : {base[d], extent[d]}) {
      if (e->dtype != buffer->shape[d]->dtype || !is_repeatable(e)) {
        throw NotApplicable(print(e) + " is no index of the type of the shape of '" + buffer->name + "'");
      }
      for (const Var& v : free_vars(e)) {
        if (!known.count(v))
          throw NotApplicable("'" + v.name() + "' is not known where the box of '" + buffer->name + "' stands");
      }
    }
    region.push_back({base[d], extent[d]});
  }
  return region;
}

}  // namespace hexproof
