#include "rewrite/region.h"

#include <algorithm>

#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr int64_t kLargest = int64_t(1) << 40;

void add_term(Linear& sum, const Expr& term, int64_t coefficient) {
  for (auto it = sum.terms.begin(); it != sum.terms.end(); ++it) {
    if (!(it->first == term)) continue;
    it->second += coefficient;
    if (it->second == 0) sum.terms.erase(it);
    return;
  }
  if (coefficient) sum.terms.emplace_back(term, coefficient);
}

/// The range of c times its values; false where the numbers get too large.
bool scale(IndexRange& r, int64_t c) {
  if (std::abs(c) > kLargest || std::abs(r.base.constant) > kLargest || r.extent > kLargest) return false;
  Wide constant = Wide(c) * (c < 0 ? r.base.constant + r.extent - 1 : r.base.constant);
  Wide extent = Wide(r.extent - 1) * std::abs(c) + 1;
  if (constant > kLargest || constant < -kLargest || extent > kLargest) return false;
  for (auto& [term, k] : r.base.terms) {
    Wide product = Wide(k) * c;
    if (product > kLargest || product < -kLargest) return false;
    k = static_cast<int64_t>(product);
  }
  if (c == 0) r.base.terms.clear();
  r.base.constant = static_cast<int64_t>(constant);
  r.extent = static_cast<int64_t>(extent);
  return true;
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

bool multiple_of(const Linear& sum, int64_t c) {
  return std::all_of(sum.terms.begin(), sum.terms.end(), [&](const auto& t) { return t.second % c == 0; });
}

std::optional<IndexRange> range_of_sum(const Expr& e, const std::vector<LoopRange>& inner, int64_t sign) {
  std::optional<IndexRange> a = range_over(e->args[0], inner), b = range_over(e->args[1], inner);
  if (!a || !b || !scale(*b, sign)) return std::nullopt;
  for (const auto& [term, k] : b->base.terms) add_term(a->base, term, k);
  a->base.constant += b->base.constant;
  a->extent += b->extent - 1;
  if (std::abs(a->base.constant) > kLargest || a->extent > kLargest) return std::nullopt;
  return a;
}

}  // namespace

bool operator==(const Linear& a, const Linear& b) {
  if (a.constant != b.constant || a.terms.size() != b.terms.size()) return false;
  return std::all_of(a.terms.begin(), a.terms.end(), [&](const auto& t) {
    return std::any_of(b.terms.begin(), b.terms.end(),
                       [&](const auto& u) { return u.second == t.second && u.first == t.first; });
  });
}

Expr Linear::expr(DType type) const {
  Expr sum;
  for (const auto& [term, k] : terms) {
    Expr part = term->dtype == type ? term : cast(type, term);
    if (k != 1) part = part * imm(type, k);
    sum = sum ? sum + part : part;
  }
  if (!sum) return imm(type, constant);
  if (constant == 0) return sum;
  return constant > 0 ? sum + imm(type, constant) : sum - imm(type, -constant);
}

std::optional<IndexRange> range_over(const Expr& e, const std::vector<LoopRange>& inner) {
  if (const int64_t* c = as_int(e)) {
    if (std::abs(*c) > kLargest) return std::nullopt;
    return IndexRange{{{}, *c}, 1};
  }
  if (e->op == Op::Var) {
    for (const LoopRange& loop : inner) {
      if (!(loop.var == e->var())) continue;
      const int64_t* extent = as_int(loop.extent);
      std::optional<IndexRange> r = range_over(loop.min, inner);
      if (!r || !extent || *extent <= 0 || *extent > kLargest) return std::nullopt;
      r->extent += *extent - 1;
      return r;
    }
    return IndexRange{{{{e, 1}}, 0}, 1};
  }
  if (e->op == Op::Add || e->op == Op::Sub) return range_of_sum(e, inner, e->op == Op::Add ? 1 : -1);
  if (e->op == Op::Mul) {
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
      int64_t low = floor_div(r->base.constant, *c), rest = r->base.constant - low * *c;
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
  if (is_data(e)) return std::nullopt;
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
        Linear a = hull->base, b = r->base;
        a.constant = b.constant = 0;
        known &= a == b;
        int64_t low = std::min(hull->base.constant, r->base.constant);
        int64_t high = std::max(hull->base.constant + hull->extent, r->base.constant + r->extent);
        hull->base.constant = low;
        hull->extent = high - low;
      }
    }
    const int64_t* extent = as_int(buffer->shape[d]);
    bool smaller = known && hull && (!extent || hull->extent < *extent) && fits_type(type, hull->extent);
    out.push_back(smaller ? DimRange{hull->base.expr(type), imm(type, hull->extent)} : whole);
  }
  return out;
}

}  // namespace hexproof
