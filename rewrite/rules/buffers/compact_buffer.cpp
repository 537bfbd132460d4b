// compact-buffer {buffer: Buffer or name, base: list of Expr (optional), extent: list of Expr (optional)}
//
//   A = alloc_buffer(n)                A' = alloc_buffer(m)
//   ... A[e] ...                 ->    ... A'[e - base] ...
//
// `base` and `extent` have one entry per dimension; a base may use the loop variables around the allocation. Without
// them they are found: the smallest range of constant extent per dimension that holds every index, else the whole
// dimension.
//
// Side conditions
//  1. Every index of A lies in [base, base + extent).
//  2. e - base fits its type.
//  3. No extent grows, and none is negative: what fits in memory still does.
//  4. The base is the same for the whole life of the allocation: it depends on what is outside of it, and on no memory.
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/given_region.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kCompactBuffer = "compact-buffer";

Rewrite compact_buffer(const PrimFunc& func, const CompactBufferArgs& args) {
  BufferSource source = buffer_arg(func, args.buffer);
  const Buffer& before = source.buffer;
  if (source.param) throw NotApplicable("'" + before->name + "' is an argument, not an allocation");
  demand_own_memory(func, before);
  demand_scalar_indices(func.body, before);
  const Path alloc = *source.alloc;
  Facts facts = facts_at(func, below(alloc, 0));
  Stmt body = stmt_at(func, below(alloc, 0));
  std::vector<Access> accesses = footprint(body, facts);
  std::erase_if(accesses, [&](const Access& a) { return !(a.buffer == before); });
  std::vector<DimRange> region =
      args.base ? given_region(func, args.base, args.extent, alloc, before) : region_of(before, accesses);

  std::vector<Expr> shape;
  bool smaller = false;
  for (size_t d = 0; d < region.size(); ++d) {
    shape.push_back(region[d].extent);
    // Where nothing runs everything is proved; a program with such a constant has no meaning all the same.
    if (const int64_t* extent = as_int(shape.back()); extent && *extent < 0) throw NotApplicable("a negative extent");
    smaller |= !is_int(region[d].base, 0) || !(region[d].extent == before->shape[d]);
  }
  if (!smaller) throw NotApplicable("every dimension of '" + before->name + "' is used whole");

  Rewrite out{.after = func, .needs = {}};
  std::vector<Expr> given = facts.given();
  auto shifted = [&](const Expr& index, const Expr& base) {
    if (is_int(base, 0)) return index;
    if (index->dtype == base->dtype) return fold(index - base);
    bool narrow = index->dtype.bits < base->dtype.bits;
    return narrow ? cast(base->dtype, index) - base : index - cast(index->dtype, base);
  };
  for (size_t d = 0; d < region.size(); ++d) {
    if (region[d].extent == before->shape[d]) continue;
    out.needs.push_back(need(kCompactBuffer, "the new extent is not negative", func, stmt_at(func, alloc), given,
                             le(zero(region[d].extent->dtype), region[d].extent)));
    out.needs.push_back(need(kCompactBuffer, "the new extent is not larger than the old one", func,
                             stmt_at(func, alloc), given, le(region[d].extent, before->shape[d])));
    out.needs.push_back(need(kCompactBuffer, "the new extent fits its type", func, stmt_at(func, alloc), given,
                             fits(region[d].extent)));
  }
  for (const Access& access : accesses) {
    owe_inside(kCompactBuffer, "every index of '" + before->name + "' lies in the part that is kept", func, given,
               access, region, &out.needs);
    for (size_t d = 0; d < region.size(); ++d) {
      if (is_int(region[d].base, 0)) continue;
      out.needs.push_back(need(kCompactBuffer, "the shifted index fits its type", func, access.stmt,
                               join(given, domain_of(access)), fits(shifted(access.indices[d], region[d].base))));
    }
  }

  Buffer after = make_buffer(before->name, before->dtype, shape,
                             {.axis_separators = before->axis_separators, .scope = before->scope});
  Stmt changed = reindex_buffer(body, before, after, [&](const std::vector<Expr>& indices) {
    std::vector<Expr> moved;
    for (size_t d = 0; d < indices.size(); ++d) moved.push_back(shifted(indices[d], region[d].base));
    return moved;
  });
  out.after = replace_at(func, alloc, make_stmt(AllocBuffer{after, changed}, stmt_at(func, alloc)->span));
  return out;
}

}  // namespace

extern const Rule k_compact_buffer{rule<compact_buffer>("A[e]  ->  A'[e - base], A' only as large as what is used")};

}  // namespace hexproof
