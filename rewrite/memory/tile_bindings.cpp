#include "rewrite/memory/tile_bindings.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/site/region.h"

namespace hexproof {
namespace {

bool uses_loops(const Expr& e, const std::vector<LoopRange>& loops) {
  return std::any_of(loops.begin(), loops.end(), [&](const LoopRange& l) { return uses_var(e, l.var); });
}

/// How many values from 0 on the expression has, as far as it is seen.
std::optional<int64_t> values_from_zero(const Expr& e, const std::vector<LoopRange>& loops) {
  const std::optional<IndexRange> range = range_over(e, loops);
  if (!range || !range->base.terms.empty() || range->base.constant != 0 || range->extent > INT32_MAX) return {};
  return static_cast<int64_t>(range->extent);
}

}  // namespace

std::optional<TileBinding> tile_binding(const IterVar& iter, const std::vector<LoopRange>& outer,
                                        const std::vector<LoopRange>& inner) {
  const Expr& b = iter.binding;
  const DType type = b->dtype;
  if (!uses_loops(b, inner)) {
    if (!is_int(iter.dom.min, 0)) return std::nullopt;
    return TileBinding{b, iter.dom.extent, zero(type), imm(type, 1), b};
  }
  Linear of_inner, of_outer;
  const Linear sum = linear(b);
  of_outer.constant = sum.constant;
  for (const auto& [atom, c] : sum.terms) {
    const bool inside = uses_loops(atom, inner);
    if (inside && uses_loops(atom, outer)) return std::nullopt;
    (inside ? of_inner : of_outer).terms.emplace_back(atom, c);
  }
  if (of_outer.terms.empty()) return TileBinding{zero(type), imm(type, 1), b, iter.dom.extent, zero(type)};
  const Expr inside = of_inner.expr(type), part = of_outer.expr(type);
  const std::optional<int64_t> step = inside ? values_from_zero(inside, inner) : std::nullopt;
  if (!step || !part || !fits_type(type, *step) || of_outer.constant % *step != 0) return std::nullopt;
  for (auto& [atom, c] : of_outer.terms) {
    if (c % *step != 0) return std::nullopt;
    c /= *step;
  }
  of_outer.constant /= *step;
  const Expr outside = of_outer.expr(type);
  if (!outside) return std::nullopt;
  Expr extent;
  for (const LoopRange& loop : outer) {
    if (outside == Expr(loop.var) && is_int(loop.min, 0)) extent = loop.extent;
  }
  if (!extent) {
    const std::optional<int64_t> values = values_from_zero(outside, outer);
    if (values && fits_type(type, *values)) extent = imm(type, *values);
  }
  // Of block variables and others around, no range is seen: then the domain says it.
  if (const int64_t* all = as_int(iter.dom.extent); !extent && all && *all > 0 && is_int(iter.dom.min, 0)) {
    extent = imm(type, (*all - 1) / *step + 1);
  }
  if (!extent) return std::nullopt;
  return TileBinding{outside, extent, inside, imm(type, *step), part};
}

}  // namespace hexproof
