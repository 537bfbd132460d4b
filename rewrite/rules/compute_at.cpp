// compute-at {block: name or Path, loop: Path, Var or name}
//
//   for s, r: with T.block("P"): T[v] = ...          for x:
//   ...                                       ->       for ax, r: with T.block("P"): v = base(x) + ax; T[v] = ...
//   for x: D(T)                                        D(T)
//
// The producer's nest moves to where it is read: just before the first part of the body of `loop` that reads T, and
// computes only the box of cells that this body reads: per dimension the smallest range of constant extent that is
// found, else all of it. New loops run over the block's variables in their order, without the ones of extent 1 (TVM's
// preserve_unit_loops=False).
//
// The producer must be canonical: serial loops with bounds that depend on no other loop and no memory, each bound to
// one variable of the block, perhaps plus a constant; no predicate; one store (and one in init) to a buffer that is
// allocated here, at distinct spatial variables; no `undef`. It stands below the function's allocations, as does the
// nest with the loop, which comes later; loops on the way down are serial.
//
// Side conditions
//  1. T is read only in the body of the loop and written only by the producer.
//  2. Every cell that the body reads lies in the computed box.
//  3. The box lies inside of what the producer computed.
//  4. What the producer reads is not overwritten from where it stood to where it goes: neither by the statements
//     between, nor by the whole nest of the loop.
//  5. The new bindings fit their types.
//  6. Each cell of T depends on no other: the block reads T only at the cell that it writes, which the init sets
//     first; and a cell's reductions keep their order. Then a cell may be computed again, and alone.
//  7. Where the granted flags leave open how the producer's floats are rounded, no cell is computed in two iterations:
//     it had one value, and would have two.
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

constexpr const char* kComputeAt = "compute-at";

/// What a block variable runs over: first, ..., first + extent - 1.
struct Run {
  Expr first, extent;
  int loop = -1;  // which loop of the nest; -1: none
};

struct Producer {
  Path nest;
  int index;  // among the parts of the sequence
  Block block;
  Store store;
  std::vector<Run> runs;  // one per variable of the block
  std::vector<int> dim;   // variable of the block -> dimension of T, -1 when it is in no index
};

/// The loop variable and the constant of `binding`.
Run run_of(const Expr& binding, const std::vector<For>& loops) {
  Expr var = binding, offset;
  if (binding->op == Op::Add && !binding->wraps) {
    bool left = as_int(binding->args[0]);
    offset = binding->args[left ? 0 : 1];
    var = binding->args[left ? 1 : 0];
    if (!as_int(offset)) throw NotApplicable("the producer is not canonical: binding " + print(binding));
  }
  if (!offset && as_int(binding)) return {binding, imm(binding->dtype, 1)};
  for (size_t k = 0; k < loops.size(); ++k) {
    if (var->op != Op::Var || !(var->var() == loops[k].var)) continue;
    Expr first = offset ? fold(loops[k].min + offset) : loops[k].min;
    return {first, loops[k].extent, static_cast<int>(k)};
  }
  throw NotApplicable("the producer is not canonical: binding " + print(binding));
}

/// The block with its own variables in the place of the loop variables that are bound to them as they are: other loops
/// will run around it.
Block without_loops(Block block, const std::vector<For>& loops) {
  VarMap own;
  for (const IterVar& iter : block.iters) {
    for (const For& loop : loops) {
      if (iter.binding->op == Op::Var && iter.binding->var() == loop.var) own.emplace(loop.var, Expr(iter.var));
    }
  }
  block.body = substitute(block.body, own);
  if (block.init) block.init = substitute(block.init, own);
  for (auto* regions : {&block.reads, &block.writes}) {
    if (!*regions) continue;
    for (BufferRegion& region : **regions) {
      for (Range& range : region.region) range = {substitute(range.min, own), substitute(range.extent, own)};
    }
  }
  Block rest = block;
  for (IterVar& iter : rest.iters) iter.binding = zero(iter.binding->dtype);  // the bindings are made anew
  for (const For& loop : loops) {
    if (!uses_var(make_stmt(rest), loop.var)) continue;
    throw NotApplicable("the producer uses its loop variable '" + loop.var.name() + "' beside those of its block");
  }
  return block;
}

bool has_undef(const Stmt& stmt) {
  bool found = false;
  visit_all_exprs(stmt, [&](const Expr& e) { found |= e->op == Op::Undef; });
  return found;
}

Producer read_producer(const PrimFunc& func, const Path& at) {
  Stage stage = stage_around(func, at);
  if (stage.index < 0) throw NotApplicable("nothing stands after the producer");
  Producer p{.nest = stage.at, .index = stage.index, .block = {}, .store = {}, .runs = {}, .dim = {}};
  std::vector<For> loops;
  Stmt here = stmt_at(func, stage.at);
  while (const For* loop = here.as<For>()) {
    if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
      throw NotApplicable("the producer's loop over '" + loop->var.name() + "' is not serial");
    }
    for (const Expr& bound : {loop->min, loop->extent}) {
      bool varies = is_data(bound);
      for (const For& outer : loops) varies |= uses_var(bound, outer.var);
      if (varies)
        throw NotApplicable("the bounds of the producer's loop over '" + loop->var.name() + "' are not fixed");
    }
    loops.push_back(*loop);
    here = loop->body;
  }
  const Block* block = here.as<Block>();
  if (!block || stage.at.size() + loops.size() != at.size()) {
    throw NotApplicable("the producer is not a block right inside of its loops");
  }
  if (block->predicate) throw NotApplicable("the producer's block has a predicate");
  const Block in_its_variables = without_loops(*block, loops);
  block = &in_its_variables;
  const Store* store = block->body.as<Store>();
  if (!store || has_undef(here)) throw NotApplicable("the producer's body is not one store of a definite value");
  p.block = *block;
  p.store = *store;
  if (block->init) {
    const Store* init = block->init.as<Store>();
    if (!init || !(init->buffer == store->buffer) || init->indices != store->indices ||
        reads_buffer(block->init, store->buffer)) {
      throw NotApplicable("the init of the producer does not set the cell that the block writes");
    }
  }
  visit_all_exprs(block->body, [&](const Expr& e) {
    if (e->op != Op::Load || !(e->buffer() == store->buffer)) return;
    if (e->args != store->indices)
      throw NotApplicable("the producer reads another cell of '" + store->buffer->name + "'");
    if (!block->init) throw NotApplicable("the producer adds to a cell that no init sets: it may not run twice");
  });

  std::vector<int> used(loops.size(), 0);
  int last_reduce = -1;
  for (const IterVar& iter : block->iters) {
    Run run = run_of(iter.binding, loops);
    if (run.loop >= 0 && used[static_cast<size_t>(run.loop)]++)
      throw NotApplicable("two variables are bound to one loop");
    auto in_index = std::find(store->indices.begin(), store->indices.end(), Expr(iter.var));
    int dim = in_index == store->indices.end() ? -1 : static_cast<int>(in_index - store->indices.begin());
    if (iter.kind == IterKind::Reduce) {
      if (dim >= 0) throw NotApplicable("reduction variable '" + iter.var.name() + "' is in an index of the store");
      if (!(run.first == iter.dom.min)) throw NotApplicable("the reduction does not start at the start of its domain");
      if (run.loop >= 0 && run.loop < last_reduce) throw NotApplicable("the reductions would change their order");
      last_reduce = std::max(last_reduce, run.loop);
    } else if (iter.kind != IterKind::Spatial || (dim < 0 && !is_int(run.extent, 1))) {
      throw NotApplicable("variable '" + iter.var.name() + "' of the producer is no index of what it writes");
    }
    p.runs.push_back(run);
    p.dim.push_back(dim);
  }
  for (size_t k = 0; k < loops.size(); ++k) {
    if (!used[k]) throw NotApplicable("the producer's loop over '" + loops[k].var.name() + "' is bound to no variable");
  }
  for (size_t d = 0; d < store->indices.size(); ++d) {
    const Expr& index = store->indices[d];
    bool known = as_int(index) || std::find(p.dim.begin(), p.dim.end(), static_cast<int>(d)) != p.dim.end();
    if (!known) throw NotApplicable("index " + print(index) + " of the producer's store is no variable of its own");
  }
  return p;
}

/// Where in the body of the loop the producer goes: a part of a sequence, or the whole statement (index -1).
struct Target {
  Path loop, place;
  int index = -1;
};

Target read_target(const PrimFunc& func, const Args& args, const Producer& p) {
  Target t{.loop = loop_arg(func, args, "loop"), .place = {}};
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
      if (reads_buffer(parts->stmts[k], p.store.buffer)) t.index = static_cast<int>(k);
    }
  }
  return t;
}

/// Condition 1.
void demand_no_other_use(const PrimFunc& func, const Producer& p, const Target& t) {
  const Buffer& buffer = p.store.buffer;
  Path body = below(t.loop, 0);
  auto walk = [&](const auto& self, const Stmt& s, const Path& at) -> void {
    if (at == p.nest) return;
    bool inside = is_within(at, body);
    const Store* store = s.as<Store>();
    if (store && store->buffer == buffer) throw NotApplicable("'" + buffer->name + "' is written elsewhere, too");
    for (const Expr& top : expressions(s)) {
      if (!inside && reads_buffer(make_stmt(Evaluate{top}), buffer)) {
        throw NotApplicable("'" + buffer->name + "' is read outside of the loop, too");
      }
    }
    std::vector<Stmt> parts = children(s);
    for (size_t k = 0; k < parts.size(); ++k) self(self, parts[k], below(at, static_cast<int>(k)));
  };
  walk(walk, func.body, {});
  if (!reads_buffer(stmt_at(func, body), buffer)) {
    throw NotApplicable("the body of the loop does not read '" + buffer->name + "'");
  }
}

/// Condition 4.
void owe_inputs_unchanged(const PrimFunc& func, const Producer& p, const Target& t, std::vector<Obligation>* needs) {
  Path seq = above(p.nest);
  std::vector<Expr> given = given_at(func, seq);
  std::vector<Access> reads = reads_of(footprint(stmt_at(func, p.nest), facts_at(func, p.nest)));
  std::erase_if(reads, [&](const Access& r) { return r.buffer == p.store.buffer; });
  for (int k = p.index + 1; k <= t.loop[seq.size()]; ++k) {
    Path at = below(seq, k);
    for (const Access& write : writes_of(footprint(stmt_at(func, at), facts_at(func, at), true))) {
      for (const Access& read : reads) {
        for (Obligation& o : disjoint(kComputeAt, "what the producer reads is not overwritten on the way",
                                      place_of(func, write.stmt), given, write, rename_apart(read, {}, nullptr))) {
          needs->push_back(std::move(o));
        }
      }
    }
  }
}

/// Condition 7: two iterations of the loops around the place that compute one cell are one.
void owe_computed_once(const PrimFunc& func, const Producer& p, const Target& t, const std::vector<DimRange>& box,
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

Rewrite compute_at(const PrimFunc& func, const Args& args) {
  Producer p = read_producer(func, block_arg(func, args, "block"));
  const Buffer& buffer = p.store.buffer;
  BufferSource source = buffer_arg(func, {{"buffer", buffer}}, "buffer");
  if (source.param) throw NotApplicable("'" + buffer->name + "' is an argument: all of it must be computed");
  demand_own_memory(func, buffer);
  Target t = read_target(func, args, p);
  demand_no_other_use(func, p, t);

  Rewrite out{.after = func, .needs = {}};
  Stmt nest = stmt_at(func, p.nest);
  Path body = below(t.loop, 0);
  Facts facts = facts_at(func, body);
  std::vector<Expr> given = facts.given();
  std::vector<Access> reads = reads_of(footprint(stmt_at(func, body), facts));
  std::erase_if(reads, [&](const Access& r) { return !(r.buffer == buffer); });
  std::vector<DimRange> region = region_of(buffer, reads);

  // The box in terms of the block's variables.
  Block block = p.block;
  std::vector<Var> loops;
  std::vector<Expr> extents, inside = given;
  std::vector<DimRange> box;
  for (const Expr& index : p.store.indices) box.push_back({index, imm(index->dtype, 1)});
  for (size_t k = 0; k < block.iters.size(); ++k) {
    const Run& run = p.runs[k];
    DimRange range{run.first, run.extent};
    if (p.dim[k] >= 0) {
      const DimRange& wanted = region[static_cast<size_t>(p.dim[k])];
      bool whole = is_int(wanted.base, 0) && wanted.extent == buffer->shape[static_cast<size_t>(p.dim[k])];
      if (!whole && wanted.extent->dtype == run.extent->dtype) range = wanted;
      box[static_cast<size_t>(p.dim[k])] = range;
    }
    Expr binding = range.base;
    if (!is_int(range.extent, 1)) {
      Var loop = Var::fresh("ax" + std::to_string(loops.size()), range.extent->dtype);
      loops.push_back(loop);
      extents.push_back(range.extent);
      inside = join(inside, range_of(Expr(loop), zero(loop.dtype()), range.extent));
      binding = is_int(range.base, 0) ? Expr(loop) : range.base + Expr(loop);
    }
    block.iters[k].binding = binding;
  }
  for (const IterVar& iter : block.iters) {
    out.needs.push_back(need(kComputeAt, "the new binding of '" + iter.var.name() + "' fits its type", func, nest,
                             inside, fits(iter.binding)));
  }
  for (const Access& read : reads) {
    owe_inside(kComputeAt, "every cell of '" + buffer->name + "' that is read in the loop is computed there", func,
               given, read, box, &out.needs);
  }
  for (size_t k = 0; k < block.iters.size(); ++k) {
    if (p.dim[k] < 0) continue;
    const DimRange& range = box[static_cast<size_t>(p.dim[k])];
    const Run& run = p.runs[k];
    if (range.base == run.first && range.extent == run.extent) continue;
    std::string why = "what is computed in the loop was computed by the producer before";
    out.needs.push_back(need(kComputeAt, why, func, nest, given, fits(range.base + range.extent)));
    out.needs.push_back(need(kComputeAt, why, func, nest, given, le(run.first, range.base)));
    out.needs.push_back(
        need(kComputeAt, why, func, nest, given, le(fold(range.base + range.extent), fold(run.first + run.extent))));
  }
  owe_inputs_unchanged(func, p, t, &out.needs);
  bool open = false;
  visit_all_exprs(nest, [&](const Expr& e) { open |= is_left_open(e, open_rounding_of(func)); });
  if (open) owe_computed_once(func, p, t, box, facts, &out.needs);

  Stmt moved = make_stmt(std::move(block), nest->span);
  for (size_t k = loops.size(); k-- > 0;) {
    moved =
        make_stmt(For{.var = loops[k], .min = zero(loops[k].dtype()), .extent = extents[k], .body = moved}, nest->span);
  }
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
    "compute-at", "a producer's nest  ->  what is needed of it, inside of the loop that reads it", &compute_at};

}  // namespace hexproof
