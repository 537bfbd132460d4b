// reverse-compute-at {block: name or Path, loop: Path, Var or name, clip: 0 or 1 (optional), witness: which inversion
//                     of the new bindings shows that every instance runs (default 0)}
//
//   for x: P(T)                                         for x: P(T)
//   ...                                                        for ax, r: with T.block("C"): v = base(x) + ax
//   for s, r: with T.block("C"): O[v] = e(T[v])   ->                        O[v] = e(T[v])
//                                                       ...
//
// The consumer's nest moves to the end of the body of `loop`, in which what it reads is written, and runs there over
// the instances that read what this iteration writes: per variable that stands alone (perhaps plus a constant) in an
// index of a load, the smallest range of constant extent that is found, else all. With `clip`, a predicate cuts off
// what sticks out of the old instances.
//
// The consumer must be canonical (canonical_block.h), and stands below the function's allocations, as does the nest
// with the loop, which comes before; on the way down to the loop there are serial loops and sequences only.
//
// Side conditions
//  1. The block runs in no instance in which it did not run before; a predicate that sees to that is no error.
//  2. It runs in every instance in which it ran before. (More than once does no harm: no instance reads what the block
//     writes, but for the cell that its own init sets.)
//  3. What an instance reads is not written after the place: neither in a later iteration of the loops around, nor in
//     what follows in their bodies. So it reads what it read before.
//  4. The nest and the statements between do not touch what the block writes; those between do not write what it reads.
//  5. The new bindings fit their types.
//  6. The bounds of the new loops are no error in the body of the loop, in the order of the variables.
//  7. Where the nest with the loop, or a statement between, holds an assume, what runs now is free of errors without
//     what came in front of the consumer.
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/canonical_block.h"
#include "rewrite/memory/dead_store.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"
#include "verify/access/linear.h"

namespace hexproof {
namespace {

constexpr const char* kReverse = "reverse-compute-at";

void demand_plain_way(const PrimFunc& func, const Path& stages, const Path& loop) {
  for (Path at = loop; at.size() > stages.size(); at = above(at)) {
    const Stmt stmt = stmt_at(func, at);
    const For* around = stmt.as<For>();
    if (!around && !stmt.as<Seq>()) throw NotApplicable("on the way to the loop there is more than loops");
    if (!around) continue;
    if (around->kind != ForKind::Serial && around->kind != ForKind::Unrolled) {
      throw NotApplicable("the loop over '" + around->var.name() + "' is not serial");
    }
    if (!is_repeatable(around->min) || !is_repeatable(around->extent)) {
      throw NotApplicable("the bounds of the loop over '" + around->var.name() + "' depend on memory");
    }
  }
}

/// `e` as a variable of the block and a constant: the value of the variable where `e` has the value `at`.
std::optional<Expr> solved(const Expr& e, const Var& var, const Expr& at) {
  const Linear form = linear(e);
  if (form.terms.size() != 1 || form.terms[0].second != 1 || !(form.terms[0].first == Expr(var))) return std::nullopt;
  Linear value = linear(at);
  value.constant -= form.constant;
  Expr out = value.expr(var.dtype());
  return out ? std::optional<Expr>(out) : std::nullopt;
}

/// The values of the block's variables at which it reads what the body of the loop writes: a guess.
std::vector<DimRange> ranges_read(const CanonicalBlock& c, const std::vector<Access>& written) {
  std::vector<DimRange> out;
  for (size_t k = 0; k < c.block.iters.size(); ++k) {
    const IterVar& iter = c.block.iters[k];
    DimRange range{c.runs[k].first, c.runs[k].extent};
    bool found = iter.kind == IterKind::Reduce;  // all of them, in their order
    visit_all_exprs(c.block.body, [&](const Expr& e) {
      if (found || e->op != Op::Load || e->buffer() == c.store.buffer) return;
      std::vector<Access> writes;
      for (const Access& a : written) {
        if (a.buffer == e->buffer()) writes.push_back(a);
      }
      if (writes.empty()) return;
      const std::vector<DimRange> region = region_of(e->buffer(), writes);
      for (size_t d = 0; d < region.size() && !found; ++d) {
        bool whole = is_int(region[d].base, 0) && region[d].extent == e->buffer()->shape[d];
        if (whole || region[d].extent->dtype != range.extent->dtype) continue;
        if (std::optional<Expr> first = solved(e->args[d], iter.var, region[d].base)) {
          range = {*first, region[d].extent};
          found = true;
        }
      }
    });
    out.push_back(range);
  }
  return out;
}

/// The cases in which `its`, a renamed copy of the access `write` of the nest, comes behind the place at the end of the
/// body of `loop`: some loop around both is in a later iteration, those around that one in the same; or none is, and
/// the access stands behind the loop in a sequence around it.
std::vector<std::vector<Expr>> later(const Access& write, const Access& its, const Path& nest, const Path& loop,
                                     const std::vector<Var>& loops) {
  const Path at = joined(nest, place_in(write));
  size_t common = 0;
  while (common < loop.size() && common < at.size() && loop[common] == at[common]) ++common;
  const bool behind = common < loop.size() && common < at.size() && at[common] > loop[common];
  std::vector<std::vector<Expr>> out;
  std::vector<Expr> same;
  for (size_t k = 0; k < loops.size() && k < write.loops.size() && write.loops[k].var == loops[k]; ++k) {
    out.push_back(join(same, {lt(Expr(loops[k]), Expr(its.loops[k].var))}));
    same.push_back(eq(Expr(loops[k]), Expr(its.loops[k].var)));
  }
  if (behind) out.push_back(same);
  return out;
}

/// Every instance of before runs at some iteration of the loops.
void owe_all_instances(const PrimFunc& func, const CanonicalBlock& c, const Facts& facts, size_t outside,
                       const MovedBlock& moved, int64_t which, std::vector<Obligation>* needs) {
  std::vector<Expr> given = given_at(func, above(c.nest)), shape, cell, at;
  VarMap renamed_loops;
  std::vector<LoopRange> loops;
  auto own = [&](const LoopRange& loop) {
    const Var var = Var::fresh(loop.var.name(), loop.var.dtype());
    loops.push_back({var, substitute(loop.min, renamed_loops), substitute(loop.extent, renamed_loops), loop.kind});
    renamed_loops.emplace(loop.var, Expr(var));
  };
  for (size_t k = outside; k < facts.loops.size(); ++k) own(facts.loops[k]);
  for (const LoopRange& loop : moved.loops) own(loop);
  for (size_t k = 0; k < c.runs.size(); ++k) {
    const Expr value = Var::fresh(c.block.iters[k].var.name(), c.block.iters[k].var.dtype());
    given = join(given, range_of(value, c.runs[k].first, c.runs[k].extent));
    shape.push_back(c.runs[k].extent);
    cell.push_back(value);
    at.push_back(substitute(moved.block.iters[k].binding, renamed_loops));
  }
  const Buffer instances = make_buffer("instances", kInt32, shape);
  Access runs = access_of(instances, at, true);
  runs.loops = loops;
  if (moved.block.predicate) {
    VarMap bound;
    for (const IterVar& iter : moved.block.iters) bound.emplace(iter.var, iter.binding);
    runs.guards.push_back(substitute(substitute(moved.block.predicate, bound), renamed_loops));
  }
  const auto ways = covers(kReverse, "every instance of the block runs in some iteration",
                           place_of(func, stmt_at(func, c.nest)), given, {runs}, access_of(instances, cell));
  if (which < 0 || static_cast<size_t>(which) >= ways.size()) {
    throw NotApplicable("the block is not seen to run in all of its instances");
  }
  for (const Obligation& o : ways[static_cast<size_t>(which)]) needs->push_back(o);
}

Rewrite reverse_compute_at(const PrimFunc& func, const ReverseComputeAtArgs& args) {
  const Path at = block_arg(func, args.block);
  const CanonicalBlock c = canonical_block(func, at, stage_around(func, at), "consumer");
  demand_own_memory(func, c.store.buffer);
  const Path stages = above(c.nest), loop = loop_arg(func, args.loop);
  if (!is_within(loop, stages) || loop.size() <= stages.size() || loop[stages.size()] >= c.index) {
    throw NotApplicable("the loop does not stand in front of the consumer");
  }
  demand_plain_way(func, stages, loop);
  const Path first = below(stages, loop[stages.size()]), body = below(loop, 0);
  Path place = body;
  while (stmt_at(func, place).as<AllocBuffer>()) place = below(place, 0);

  const Stmt nest = stmt_at(func, c.nest);
  const Facts facts = facts_at(func, body);
  const std::vector<Expr> given = facts.given();
  const std::vector<DimRange> ranges = ranges_read(c, writes_of(footprint(stmt_at(func, body), facts)));
  MovedBlock moved = over_ranges(c, ranges);
  std::vector<Expr> inside = given;
  for (const LoopRange& l : moved.loops) inside = join(inside, range_of(l));

  Rewrite out{.after = func, .needs = {}};
  // 5
  for (const IterVar& iter : moved.block.iters) {
    out.needs.push_back(need(kReverse, "the new binding of '" + iter.var.name() + "' fits its type", func, nest, inside,
                             fits(iter.binding)));
  }
  // 1
  std::vector<bool> clipped;
  keep_in_runs(kReverse, "the block runs in no other instances than before", func, nest, c, ranges,
               args.clip.value_or(false), given, inside, &moved, &clipped, &out.needs);
  // 2
  const size_t outside = facts_at(func, first).loops.size();
  owe_all_instances(func, c, facts, outside, moved, args.witness.value_or(0), &out.needs);
  // 3
  const Period period(func, first, c.nest);
  const Stmt there = moved.nest(nest->span);
  owe_made({kReverse, func, nest, facts, c.store.buffer, nest}, there, &out.needs);
  const std::vector<Access> mine = period.accesses(there, place);
  const std::vector<Access> reads = reads_of(mine), writes = writes_of(mine);
  std::vector<Expr> here = period.given();
  std::vector<Var> loops;
  for (size_t k = outside; k < facts.loops.size(); ++k) {
    loops.push_back(facts.loops[k].var);
    here = join(here, range_of(facts.loops[k]));
  }
  for (const Access& write : writes_of(period.accesses(first))) {
    const Access its = renamed({write}, {}).at(0);
    for (const std::vector<Expr>& when : later(write, its, first, loop, loops)) {
      for (const Access& read : reads) {
        for (Obligation& o : disjoint(kReverse, "what the block reads is not written any more behind its new place",
                                      place_of(func, write.stmt), join(here, when), read, its)) {
          out.needs.push_back(std::move(o));
        }
      }
    }
  }
  // 4
  for (int part = first.back(); part < c.index; ++part) {
    const std::vector<Access> theirs = renamed(period.accesses(below(stages, part)), {});
    owe_no_conflict(kReverse, "what stood in front of the block does not touch what it writes", func, nest, here,
                    theirs, writes, Sums::Fixed, &out.needs);
    if (part == first.back()) continue;
    owe_no_conflict(kReverse, "what stood between does not write what the block reads", func, nest, here,
                    writes_of(theirs), reads, Sums::Fixed, &out.needs);
  }
  std::vector<Stmt> passed;
  for (int part = first.back(); part < c.index; ++part) passed.push_back(stmt_at(func, below(stages, part)));

  // First the place, which stands earlier in the sequence: its path stays good when the consumer goes.
  const Stmt before = stmt_at(func, place);
  std::vector<Stmt> parts = before.as<Seq>() ? before.as<Seq>()->stmts : std::vector<Stmt>{before};
  parts.push_back(there);
  out.after = replace_at(func, place, seq(std::move(parts)));
  std::vector<Stmt> rest = stmt_at(out.after, stages).as<Seq>()->stmts;
  rest.erase(rest.begin() + c.index);
  out.after = replace_at(out.after, stages, seq(std::move(rest)));
  owe_no_error_before_assumes(seq(std::move(passed)), out.after, {}, &out.needs);
  return out;
}

}  // namespace

extern const Rule k_reverse_compute_at{
    rule<reverse_compute_at>("a consumer's nest  ->  inside of the loop that computes what it reads")};

}  // namespace hexproof
