// fold-buffer {buffer: Buffer or name, axis: number, factor: number}
//
//   A = alloc_buffer((n, m))       ->      A = alloc_buffer((f, m))
//   ... A[i, j] ...                        ... A[i % f, j] ...
//
// A buffer of which only a window is in use at any time becomes circular: cells whose indices of `axis` differ by a
// multiple of `factor` share a place. Variables of blocks that write the buffer, and by which its index of that axis
// goes, are spatial no more: instances with different values of them may share a cell.
//
// Side conditions
//  1. The buffer is an allocation, which no other one is declared over. No assume speaks of it: it would speak of
//     another cell (checked here).
//  2. No cell is accessed any more once a cell with a greater index of the axis, which shares its place, was written.
//     So the place was last written with the cell that is read: what is written to it before is of that cell or of
//     smaller ones, in their order.
//  3. Iterations of a loop that is not serial share no place, unless they share the cell.
//  4. The buffer fits in memory.
#include "ir/visit.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/memory/memory_needs.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kFoldBuffer = "fold-buffer";

/// Where two accesses part: how many loops are around both, and does the first one come first in one iteration of them?
struct Parting {
  size_t loops = 0;
  bool in_front = false;
};
Parting parting(const Stmt& stmt, const Access& a, const Access& b) {
  Parting out{.loops = 0, .in_front = a.order < b.order};
  Stmt here = stmt;
  for (size_t k = 0; k < common_order(a, b) && a.order[k] >= kOrderParts; ++k) {
    out.loops += here.as<For>() != nullptr;
    here = children(here).at(static_cast<size_t>(a.order[k] - kOrderParts));
  }
  return out;
}

class Folds {
 public:
  Folds(const PrimFunc& func, const Buffer& buffer, const Path& body, const FoldBufferArgs& args, Rewrite* out)
      : func_(func),
        stmt_(stmt_at(func, body)),
        axis_(static_cast<size_t>(args.axis)),
        factor_(args.factor),
        period_(func, body),
        out_(out) {
    for (Access& access : period_.accesses(body)) {
      if (!(access.buffer == buffer)) continue;
      if (!fits_type(access.indices.at(axis_)->dtype, factor_)) {
        throw NotApplicable("the factor does not fit the type of an index of '" + buffer->name + "'");
      }
      accesses_.push_back(std::move(access));
    }
  }

  void owe() {
    for (const Access& write : writes_of(accesses_)) {
      for (const Access& access : accesses_) owe_apart(write, access);
    }
  }

 private:
  void owe_apart(const Access& write, const Access& access) {
    const Parting where = parting(stmt_, write, access);
    const Access earlier = renamed({write}, {}).front();
    std::vector<Expr> given = join(join(known(access), known(earlier)), period_.given()), same;
    for (size_t k = 0; k < where.loops; ++k) {
      HEXPROOF_CHECK(write.loops.at(k).var == access.loops.at(k).var, "the two accesses are not in the same loop");
      const LoopRange &here = access.loops.at(k), &there = earlier.loops.at(k);
      const bool serial = here.kind == ForKind::Serial || here.kind == ForKind::Unrolled;
      if (serial) {
        owe_older(access, earlier, join(join(given, same), {lt(Expr(there.var), Expr(here.var))}));
      } else {
        const auto [mine, its] = alike(access.indices[axis_], earlier.indices[axis_]);
        need_of("iterations that run at the same time share no place of different cells", access,
                join(join(given, same), {ne(Expr(there.var), Expr(here.var))}),
                lnot(land(ne(mine, its), shared(access, earlier))));
      }
      same.push_back(eq(Expr(there.var), Expr(here.var)));
    }
    if (where.in_front) owe_older(access, earlier, join(given, same));
  }

  void owe_older(const Access& access, const Access& earlier, std::vector<Expr> given) {
    const auto [mine, its] = alike(access.indices[axis_], earlier.indices[axis_]);
    need_of("no cell is accessed once a later one has its place", access, std::move(given),
            lnot(land(lt(mine, its), shared(access, earlier))));
  }

  void need_of(const std::string& why, const Access& access, std::vector<Expr> given, const Expr& goal) {
    out_->needs.push_back(need(kFoldBuffer, why, func_, access.stmt, std::move(given), goal));
  }

  /// The two cells have one place.
  Expr shared(const Access& a, const Access& b) const {
    Expr out;
    for (size_t d = 0; d < a.indices.size(); ++d) {
      const auto [x, y] = alike(a.indices[d], b.indices[d]);
      const Expr f = imm(x->dtype, factor_);
      const Expr equal = d == axis_ ? eq(floormod(x, f), floormod(y, f)) : eq(x, y);
      out = out ? land(out, equal) : equal;
    }
    return out;
  }

  /// What an execution without an error says of an access.
  std::vector<Expr> known(const Access& access) const {
    std::vector<Expr> out = domain_of(access);
    for (size_t d = 0; d < access.indices.size(); ++d) {
      const Expr& e = access.indices[d];
      if (is_data(e)) continue;
      out = join(std::move(out), {fits(e), le(zero(e->dtype), e)});
    }
    return out;
  }

  const PrimFunc& func_;
  Stmt stmt_;
  size_t axis_;
  int64_t factor_;
  Period period_;
  std::vector<Access> accesses_;
  Rewrite* out_;
};

/// Blocks that store to the buffer: their variables in its index of the axis are neither spatial nor of a reduction.
Stmt with_opaque_variables(const Stmt& stmt, const Buffer& buffer, size_t axis) {
  return rewrite_stmt(
      stmt, [](const Expr& e) { return e; },
      [&](const Stmt& s) {
        const Block* block = s.as<Block>();
        if (!block || !stores_to_buffer(s, buffer)) return s;
        std::set<Var> in_index;
        visit_stmt(s, [&](const Stmt& inner) {
          const Store* store = inner.as<Store>();
          if (store && store->buffer == buffer) in_index.merge(free_vars(store->indices[axis]));
          return true;
        });
        Block after = *block;
        for (IterVar& iter : after.iters) {
          if (iter.kind == IterKind::Spatial && in_index.count(iter.var)) iter.kind = IterKind::Opaque;
        }
        return make_stmt(std::move(after), s->span);
      });
}

Rewrite fold_buffer(const PrimFunc& func, const FoldBufferArgs& args) {
  const BufferSource source = buffer_arg(func, args.buffer);
  const Buffer& before = source.buffer;
  if (source.param) throw NotApplicable("'" + before->name + "' is an argument, not an allocation");
  demand_own_memory(func, before);
  demand_scalar_indices(func.body, before);
  if (args.axis < 0 || static_cast<size_t>(args.axis) >= before->ndim()) {
    throw NotApplicable("'" + before->name + "' has no axis " + std::to_string(args.axis));
  }
  const size_t axis = static_cast<size_t>(args.axis);
  const DType type = before->shape[axis]->dtype;
  const int64_t* extent = as_int(before->shape[axis]);
  if (args.factor < 1 || !fits_type(type, Wide{args.factor})) throw NotApplicable("the factor is a positive number");
  if (extent && args.factor >= *extent) throw NotApplicable("the axis is not longer than the factor");
  visit_stmt(func.body, [&](const Stmt& s) {
    if (s.as<Assume>() && reads_buffer(s, before)) throw NotApplicable("an assume speaks of '" + before->name + "'");
    return true;
  });
  const Path &alloc = *source.alloc, body = below(alloc, 0);
  std::vector<Expr> shape = before->shape;
  shape[axis] = imm(type, args.factor);
  const Buffer after = make_buffer(before->name, before->dtype, shape,
                                   {.axis_separators = before->axis_separators, .scope = before->scope});
  Rewrite out{.after = func, .needs = {}};
  Folds(func, before, body, args, &out).owe();
  const Stmt stmt = stmt_at(func, alloc);
  owe_memory(kFoldBuffer, func, stmt, facts_at(func, alloc), after, before, &out.needs);
  const Stmt opaque = with_opaque_variables(stmt_at(func, body), before, axis);
  const Stmt changed = reindex_buffer(opaque, before, after, [&](const std::vector<Expr>& indices) {
    std::vector<Expr> moved = indices;
    moved[axis] = floormod(indices[axis], imm(indices[axis]->dtype, args.factor));
    return moved;
  });
  out.after = replace_at(func, alloc, make_stmt(AllocBuffer{after, changed}, stmt->span));
  return out;
}

}  // namespace

extern const Rule k_fold_buffer{rule<fold_buffer>("A[i]  ->  A[i % f], where only a window of A is in use")};

}  // namespace hexproof
