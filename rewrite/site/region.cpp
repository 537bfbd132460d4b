#include "rewrite/site/region.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr Wide kLargestBase = Wide(1) << 40;
bool is_far(Wide x) { return x > kLargestBase || x < -kLargestBase; }

/// The range of c times its values; false where the numbers get too large.
bool scale(IndexRange& r, Wide c) {
  if (is_far(c) || is_far(r.base.constant) || is_far(r.extent)) return false;
  for (const auto& [term, k] : r.base.terms) {
    if (is_far(k)) return false;
  }
  Linear base;
  base.add(r.base, c);
  if (c < 0) base.constant += Wide(c) * (r.extent - 1);
  r.base = base;
  r.extent = (r.extent - 1) * (c < 0 ? -c : c) + 1;
  return !is_far(r.base.constant) && !is_far(r.extent);
}

bool multiple_of(const Linear& sum, Wide c) {
  return std::all_of(sum.terms.begin(), sum.terms.end(), [&](const auto& t) { return t.second % c == 0; });
}

std::optional<IndexRange> range_of_sum(const Expr& e, const std::vector<LoopRange>& inner, int64_t sign) {
  std::optional<IndexRange> a = range_over(e->args[0], inner), b = range_over(e->args[1], inner);
  if (!a || !b || !scale(*b, sign)) return std::nullopt;
  a->base.add(b->base, 1);
  a->extent += b->extent - 1;
  if (is_far(a->base.constant) || is_far(a->extent)) return std::nullopt;
  return a;
}

bool same_terms(const Linear& a, const Linear& b) {
  Linear difference = a;
  difference.add(b, -1);
  return difference.terms.empty();
}

}  // namespace

std::optional<IndexRange> range_over(const Expr& e, const std::vector<LoopRange>& inner) {
  if (const int64_t* c = as_int(e)) {
    if (is_far(*c)) return std::nullopt;
    return IndexRange{{{}, *c}, 1};
  }
  if (e->op == Op::Var) {
    for (const LoopRange& loop : inner) {
      if (!(loop.var == e->var())) continue;
      const int64_t* extent = as_int(loop.extent);
      std::optional<IndexRange> r = range_over(loop.min, inner);
      if (!r || !extent || *extent <= 0 || is_far(*extent)) return std::nullopt;
      r->extent += *extent - 1;
      return r;
    }
    return IndexRange{{{{e, 1}}, 0}, 1};
  }
  if (!e->wraps && (e->op == Op::Add || e->op == Op::Sub)) return range_of_sum(e, inner, e->op == Op::Add ? 1 : -1);
  if (e->op == Op::Mul && !e->wraps) {
    bool left = as_int(e->args[0]);
    if (const int64_t* c = as_int(e->args[left ? 0 : 1])) {
      std::optional<IndexRange> r = range_over(e->args[left ? 1 : 0], inner);
      if (!r || !scale(*r, *c)) return std::nullopt;
      return r;
    }
  }
  if (e->op == Op::FloorDiv || e->op == Op::FloorMod) {
    const int64_t* c = as_int(e->args[1]);
    std::optional<IndexRange> r = c && *c > 0 ? range_over(e->args[0], inner) : std::nullopt;
    if (r) {
      Wide low = floor_div(r->base.constant, *c), rest = r->base.constant - low * *c;
      bool even = multiple_of(r->base, *c);
      if (e->op == Op::FloorMod) {
        if (even && rest + r->extent <= *c) return IndexRange{{{}, rest}, r->extent};
        return IndexRange{{{}, 0}, *c};
      }
      if (even || r->base.terms.empty()) {
        for (auto& [term, k] : r->base.terms) k /= *c;
        r->base.constant = low;
        r->extent = (rest + r->extent - 1) / *c + 1;
        return r;
      }
    }
  }
  // Something else is a term of its own while no inner variable is in it.
  for (const LoopRange& loop : inner) {
    if (uses_var(e, loop.var)) return std::nullopt;
  }
  if (!is_repeatable(e)) return std::nullopt;
  return IndexRange{{{{e, 1}}, 0}, 1};
}

std::vector<DimRange> region_of(const Buffer& buffer, const std::vector<Access>& accesses) {
  std::vector<DimRange> out;
  for (size_t d = 0; d < buffer->ndim(); ++d) {
    DType type = buffer->shape[d]->dtype;
    DimRange whole{zero(type), buffer->shape[d]};
    std::optional<IndexRange> hull;
    bool known = true;
    for (const Access& access : accesses) {
      std::optional<IndexRange> r = range_over(access.indices[d], access.loops);
      if (!r) {
        known = false;
      } else if (!hull) {
        hull = r;
      } else {
        known &= same_terms(hull->base, r->base);
        Wide low = std::min(hull->base.constant, r->base.constant);
        Wide high = std::max(hull->base.constant + hull->extent, r->base.constant + r->extent);
        hull->base.constant = low;
        hull->extent = high - low;
      }
    }
    const int64_t* extent = as_int(buffer->shape[d]);
    if (hull && hull->base.terms.empty() && extent) {  // a guard may cut off what lies outside of the box
      Wide low = std::max<Wide>(hull->base.constant, 0);
      hull->extent = std::min<Wide>(hull->base.constant + hull->extent, *extent) - low;
      hull->base.constant = low;
      if (hull->extent <= 0) known = false;
    }
    bool smaller = known && hull && (!extent || hull->extent < *extent) && fits_type(type, hull->extent);
    Expr base = smaller ? hull->base.expr(type) : Expr{};
    out.push_back(base ? DimRange{base, imm(type, hull->extent)} : whole);
  }
  return out;
}

}  // namespace hexproof
