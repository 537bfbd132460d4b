// compute-at {block: name or Path, loop: Path, Var or name, clip: 0 or 1 (optional),
//             base: list of Expr (optional), extent: list of Expr (optional)}
//
//   for s, r: with T.block("P"): T[v] = ...          for x:
//   ...                                       ->       for ax, r: with T.block("P"): v = base(x) + ax; T[v] = ...
//   for x: D(T)                                        D(T)
//
// The producer's nest moves to where it is read: just before the first part of the body of `loop` that reads T, and
// computes only the box of cells that this body reads: per dimension the smallest range of constant extent that is
// found, else all of it; or the box from `base` on, of `extent` (constants, or the buffer's own), one entry per
// dimension. New loops run over the block's variables in their order, without the ones of extent 1 (TVM's
// preserve_unit_loops=False).
//
// With `clip`, the box may stick out of what the producer computed, as at the last tile of a split that does not
// divide: a predicate (T.where) cuts that off.
//
// The producer must be canonical (canonical_block.h): serial loops with bounds that depend on no other loop and no
// memory, each bound to one variable of the block, perhaps plus a constant; no predicate; one store (and one in init)
// to a buffer that is allocated here, at distinct spatial variables, or one to each of several such buffers, at equal
// indices: then T is all of them, and a cell of T one cell of each; no `undef`. It stands next to the nest with the
// loop, which comes later: below the function's allocations, or in loops around both, of which one iteration is looked
// at. Loops on the way down are serial.
//
// Side conditions
//  1. T is read only in the body of the loop and written only by the producer.
//  2. Every cell that the body reads lies in the computed box.
//  3. The box lies inside of what the producer computed; or the predicate cuts off the rest, which is no error, and
//     nobody reads what it cuts off.
//  4. What the producer reads is not overwritten from where it stood to where it goes: neither by the statements
//     between, nor by the whole nest of the loop.
//  5. The new bindings fit their types.
//  6. Each cell of T depends on no other: the block reads T only at the cell that it writes, which the init sets
//     first; and a cell's reductions keep their order. Then a cell may be computed again, and alone.
//  7. Where the granted flags leave open how the producer's floats are rounded, no cell is computed in two iterations:
//     it had one value, and would have two.
//  8. The bounds of the new loops are no error in the body of the loop, in the order of the variables.
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/memory/canonical_block.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/given_region.h"
#include "rewrite/site/places.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

constexpr const char* kComputeAt = "compute-at";

/// Where in the body of the loop the producer goes: a part of a sequence, or the whole statement (index -1).
struct Target {
  Path loop, place;
  int index = -1;
};

bool reads_any(const Stmt& stmt, const std::vector<Buffer>& buffers) {
  return std::any_of(buffers.begin(), buffers.end(), [&](const Buffer& b) { return reads_buffer(stmt, b); });
}

Target read_target(const PrimFunc& func, const ComputeAtArgs& args, const CanonicalBlock& p) {
  Target t{.loop = loop_arg(func, args.loop), .place = {}};
  Path seq = above(p.nest);
  if (!is_within(t.loop, seq) || t.loop.size() <= seq.size() || t.loop[seq.size()] <= p.index) {
    throw NotApplicable("the loop does not stand after the producer");
  }
  std::vector<Path> on_the_way = loops_around(func, t.loop);
  on_the_way.push_back(t.loop);
  for (const Path& at : on_the_way) {
    const For& loop = record_at<For>(func, at, "a loop");
    if (loop.kind != ForKind::Serial && loop.kind != ForKind::Unrolled) {
      throw NotApplicable("the loop over '" + loop.var.name() + "' is not serial: its iterations would share '" +
                          p.store.buffer->name + "'");
    }
  }
  for (Path at = t.loop; at.size() > seq.size(); at = above(at)) {
    if (stmt_at(func, at).as<Block>()) throw NotApplicable("the loop stands inside of a block");
  }
  t.place = below(t.loop, 0);
  while (stmt_at(func, t.place).as<AllocBuffer>()) t.place = below(t.place, 0);
  if (const Seq* parts = stmt_at(func, t.place).as<Seq>()) {
    for (size_t k = 0; k < parts->stmts.size() && t.index < 0; ++k) {
      if (reads_any(parts->stmts[k], stored_buffers(p))) t.index = static_cast<int>(k);
    }
  }
  return t;
}

/// Condition 1.
void demand_no_other_use(const PrimFunc& func, const CanonicalBlock& p, const Target& t) {
  const std::vector<Buffer> buffers = stored_buffers(p);
  Path body = below(t.loop, 0);
  auto walk = [&](const auto& self, const Stmt& s, const Path& at) -> void {
    if (at == p.nest) return;
    bool inside = is_within(at, body);
    const Store* store = s.as<Store>();
    for (const Buffer& buffer : buffers) {
      if (store && store->buffer == buffer) throw NotApplicable("'" + buffer->name + "' is written elsewhere, too");
      for (const Expr& top : expressions(s)) {
        if (!inside && reads_buffer(make_stmt(Evaluate{top}), buffer)) {
          throw NotApplicable("'" + buffer->name + "' is read outside of the loop, too");
        }
      }
    }
    std::vector<Stmt> parts = children(s);
    for (size_t k = 0; k < parts.size(); ++k) self(self, parts[k], below(at, static_cast<int>(k)));
  };
  walk(walk, func.body, {});
  if (!reads_any(stmt_at(func, body), buffers)) {
    throw NotApplicable("the body of the loop does not read '" + buffers[0]->name + "'");
  }
}

/// Condition 4.
void owe_inputs_unchanged(const PrimFunc& func, const CanonicalBlock& p, const Target& t,
                          std::vector<Obligation>* needs) {
  const Path stages = above(p.nest);
  const int last = t.loop[stages.size()];
  const Period moved(func, p.nest, below(stages, last));
  std::vector<Access> reads = reads_of(moved.accesses(p.nest));
  const std::vector<Buffer> own = stored_buffers(p);
  std::erase_if(reads, [&](const Access& r) { return std::find(own.begin(), own.end(), r.buffer) != own.end(); });
  for (int k = p.index + 1; k <= last; ++k) {
    const Path at = below(stages, k);
    for (const Access& write : writes_of(moved.accesses(at))) {
      for (const Access& read : renamed(reads, {})) {
        for (Obligation& o : disjoint(kComputeAt, "what the producer reads is not overwritten on the way",
                                      place_of(func, write.stmt), moved.given(), write, read)) {
          needs->push_back(std::move(o));
        }
      }
    }
  }
}

/// Condition 7: two iterations of the loops around the place that compute one cell are one.
void owe_computed_once(const PrimFunc& func, const CanonicalBlock& p, const Target& t, const std::vector<DimRange>& box,
                       const Facts& facts, std::vector<Obligation>* needs) {
  const size_t outside = facts_at(func, above(p.nest)).loops.size();
  VarMap other;
  Expr same = boolean(true);
  for (size_t k = outside; k < facts.loops.size(); ++k) {
    const Var& var = facts.loops[k].var;
    const Expr its = Var::fresh(var.name(), var.dtype());
    other.emplace(var, its);
    same = land(same, eq(Expr(var), its));
  }
  std::vector<Expr> given;
  auto know = [&](const Expr& e) {
    if (is_data(e)) return;  // memory may have changed between the two
    given.push_back(e);
    given.push_back(substitute(e, other));
  };
  for (const Expr& e : facts.given()) know(e);
  for (const DimRange& range : box) {
    const Expr cell = Var::fresh("cell", range.base->dtype);
    const Expr base = facts.resolve(range.base), extent = facts.resolve(range.extent);
    for (const Expr& e : range_of(cell, base, extent)) know(e);
  }
  needs->push_back(need(kComputeAt, "no cell is computed in two iterations: the granted flags may round it in two ways",
                        func, stmt_at(func, t.loop), given, same));
}

/// Its extents are numbers, or the buffer's own: no loop runs to something that must be computed first.
std::vector<DimRange> proposed_box(const PrimFunc& func, const ComputeAtArgs& args, const Path& body,
                                   const Buffer& buffer) {
  std::vector<DimRange> box = given_region(func, args.base, args.extent, body, buffer);
  for (size_t d = 0; d < box.size(); ++d) {
    if (!as_int(box[d].extent) && !(box[d].extent == buffer->shape[d])) {
      throw NotApplicable("the extent " + print(box[d].extent) + " of the box is no constant");
    }
  }
  return box;
}

/// What is read of the buffers, in each dimension: one range where they agree, else all of it.
std::vector<DimRange> region_of_all(const std::vector<Buffer>& buffers, const std::vector<Access>& reads) {
  std::vector<DimRange> out;
  for (const Buffer& buffer : buffers) {
    std::vector<Access> its = reads;
    std::erase_if(its, [&](const Access& r) { return !(r.buffer == buffer); });
    if (its.empty()) continue;
    const std::vector<DimRange> region = region_of(buffer, its);
    if (out.empty()) out = region;
    for (size_t d = 0; d < out.size(); ++d) {
      if (out[d].base == region[d].base && out[d].extent == region[d].extent) continue;
      out[d] = {zero(buffer->shape[d]->dtype), buffer->shape[d]};
    }
  }
  return out;
}

Rewrite compute_at(const PrimFunc& func, const ComputeAtArgs& args) {
  const Path at = block_arg(func, args.block);
  const CanonicalBlock p = canonical_block(func, at, stage_in_loops(func, at), "producer", true);
  const Buffer& buffer = p.store.buffer;
  const std::vector<Buffer> buffers = stored_buffers(p);
  for (const Buffer& b : buffers) {
    BufferSource source = buffer_arg(func, b);
    if (source.param) throw NotApplicable("'" + b->name + "' is an argument: all of it must be computed");
    demand_own_memory(func, b);
  }
  Target t = read_target(func, args, p);
  demand_no_other_use(func, p, t);

  Rewrite out{.after = func, .needs = {}};
  Stmt nest = stmt_at(func, p.nest);
  Path body = below(t.loop, 0);
  Facts facts = facts_at(func, body);
  std::vector<Expr> given = facts.given();
  std::vector<Access> reads = reads_of(footprint(stmt_at(func, body), facts));
  std::erase_if(reads,
                [&](const Access& r) { return std::find(buffers.begin(), buffers.end(), r.buffer) == buffers.end(); });
  const std::vector<DimRange> region =
      args.base ? proposed_box(func, args, body, buffer) : region_of_all(buffers, reads);

  // The box in terms of the block's variables.
  std::vector<DimRange> box, ranges;
  for (const Expr& index : p.store.indices) box.push_back({index, imm(index->dtype, 1)});
  for (size_t k = 0; k < p.block.iters.size(); ++k) {
    const VariableRun& run = p.runs[k];
    DimRange range{run.first, run.extent};
    if (p.dim[k] >= 0) {
      const DimRange& wanted = region[static_cast<size_t>(p.dim[k])];
      bool whole = is_int(wanted.base, 0) && wanted.extent == buffer->shape[static_cast<size_t>(p.dim[k])];
      if (!whole && wanted.extent->dtype == run.extent->dtype) range = wanted;
      box[static_cast<size_t>(p.dim[k])] = range;
    }
    ranges.push_back(range);
  }
  MovedBlock moving = over_ranges(p, ranges);
  std::vector<Expr> inside = given;
  for (const LoopRange& loop : moving.loops) inside = join(inside, range_of(loop));
  for (const IterVar& iter : moving.block.iters) {
    out.needs.push_back(need(kComputeAt, "the new binding of '" + iter.var.name() + "' fits its type", func, nest,
                             inside, fits(iter.binding)));
  }
  for (const Access& read : reads) {
    owe_inside(kComputeAt, "every cell of '" + read.buffer->name + "' that is read in the loop is computed there", func,
               given, read, box, &out.needs);
  }
  const bool clip = args.clip.value_or(false);
  std::vector<bool> clipped;
  keep_in_runs(kComputeAt, "what is computed in the loop was computed by the producer before", func, nest, p, ranges,
               clip, given, inside, &moving, &clipped, &out.needs);
  std::vector<DimRange> computed;  // by the producer, where the guard cuts off what it did not compute
  for (const Expr& extent : buffer->shape) computed.push_back({zero(extent->dtype), extent});
  for (size_t k = 0; k < clipped.size(); ++k) {
    if (clipped[k]) computed[static_cast<size_t>(p.dim[k])] = {p.runs[k].first, p.runs[k].extent};
  }
  for (const Access& read : reads) {
    owe_inside(kComputeAt, "what is read of '" + read.buffer->name + "' was computed by the producer before", func,
               given, read, computed, &out.needs);
  }
  owe_inputs_unchanged(func, p, t, &out.needs);
  bool open = false;
  visit_all_exprs(nest, [&](const Expr& e) { open |= is_left_open(e, open_rounding_of(func)); });
  if (open) owe_computed_once(func, p, t, box, facts, &out.needs);

  const Stmt moved = moving.nest(nest->span);
  owe_made({kComputeAt, func, nest, facts, buffer, nest}, moved, &out.needs);
  // First the target, which stands later, then the producer: so both paths stay good.
  Stmt place = stmt_at(func, t.place);
  std::vector<Stmt> parts = t.index < 0 ? std::vector<Stmt>{place} : place.as<Seq>()->stmts;
  parts.insert(parts.begin() + std::max(t.index, 0), moved);
  out.after = replace_at(func, t.place, seq(std::move(parts)));
  Path stages = above(p.nest);
  std::vector<Stmt> rest = stmt_at(out.after, stages).as<Seq>()->stmts;
  rest.erase(rest.begin() + p.index);
  out.after = replace_at(out.after, stages, seq(std::move(rest)));
  owe_no_error_before_assumes(nest, out.after, {}, &out.needs);
  return out;
}

}  // namespace

extern const Rule k_compute_at{
    rule<compute_at>("a producer's nest  ->  what is needed of it, inside of the loop that reads it")};

}  // namespace hexproof
