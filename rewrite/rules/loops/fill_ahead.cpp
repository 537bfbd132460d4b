// fill-ahead {loop: Path, Var or name, slots: how many the cache gets, ahead: how many iterations early a slot is
// filled}
//
//                                            C = alloc_buffer((slots, m))
//                                            for i_ahead in range(ahead):
//                                              if i_ahead < n: fill C[i_ahead % slots, ...] for iteration i_ahead
//   for i in range(n):                 ->    for i in range(n):
//     C = alloc_buffer((m,))                   if i < n - ahead:
//     fill C[...]                                fill C[(i + ahead) % slots, ...] for iteration i + ahead
//     use C[...]                               use C[i % slots, ...]
//
// The first statement below the allocations of the loop's body fills one of them: the cache. Each iteration fills it
// anew; now it does so in a slot of its own, earlier. The blocks of the copy in front are called "B_ahead". What of a
// block that writes the cache goes by the iteration is spatial no more: instances share a slot.
//
// Side conditions
//  1. The loop is serial and starts at 0; its extent reads no memory. No part of it is marked as an instruction
//     (checked here).
//  2. What fills the cache writes nothing else, and reads nothing that the loop writes but the cache: it may run
//     earlier. It holds no assume and nothing that is thrown away (checked here).
//  3. What is filled ahead is no slot that an iteration until then still uses.
//  4. The new indices are no error.
//  5. The extents of the cache are known in front of the loop, and with its slots it fits in memory.
//  6. Where the rest of the body holds an assume, what is filled ahead is free of errors without those of the
//     iterations until then.
#include <fmt/format.h>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/made.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kFillAhead = "fill-ahead";

/// The body of the loop: allocations around a sequence, the first part of which fills one of them.
struct Filled {
  std::vector<Stmt> allocations;  // outermost first, without the cache
  Buffer cache;
  std::vector<Stmt> parts;
};

/// Conditions 1 and 2.
Filled filled_in(const For& loop) {
  if (loop.kind != ForKind::Serial) throw NotApplicable("the loop is not serial");
  if (mark_of(loop) || count_marks(loop.body) > 0)
    throw NotApplicable("a nest of the loop is marked as an instruction");
  if (!is_int(loop.min, 0)) throw NotApplicable("the loop does not start at 0");
  Filled out;
  std::vector<Stmt> allocations;
  Stmt body = loop.body;
  for (; body.as<AllocBuffer>(); body = body.as<AllocBuffer>()->body) allocations.push_back(body);
  const Seq* list = body.as<Seq>();
  if (!list || list->stmts.size() < 2) throw NotApplicable("the loop does not fill a buffer and use it then");
  out.parts = list->stmts;
  const Stmt& fill = out.parts[0];
  const std::set<Var> written = data_written(fill);
  for (const Stmt& s : allocations) {
    const Buffer& buffer = s.as<AllocBuffer>()->buffer;
    if (written.count(buffer->data)) {
      out.cache = buffer;
    } else {
      out.allocations.push_back(s);
    }
  }
  if (written.size() != 1 || !out.cache) {
    throw NotApplicable("the first statement of the loop does not write one buffer, allocated in the loop, alone");
  }
  std::set<Var> changes = data_written(loop.body);
  for (const Stmt& s : allocations) changes.insert(s.as<AllocBuffer>()->buffer->data);
  changes.erase(out.cache->data);
  visit_stmt(fill, [&](const Stmt& s) {
    if (s.as<Assume>() || s.as<Evaluate>())
      throw NotApplicable("an assume, or a value for nothing, where it is filled");
    for (const Expr& e : expressions(s)) {
      for (const Var& data : data_read(e)) {
        if (changes.count(data)) throw NotApplicable("what is filled ahead reads '" + data.name() + "' of the loop");
      }
    }
    return true;
  });
  return out;
}

/// The blocks under names of their own.
Stmt with_own_names(const PrimFunc& func, const Stmt& stmt) {
  return rewrite_stmt(
      stmt, [](const Expr& e) { return e; },
      [&](const Stmt& s) {
        const Block* block = s.as<Block>();
        if (!block) return s;
        Block renamed = *block;
        renamed.name += "_ahead";
        if (!find_blocks(func, renamed.name).empty()) {
          throw NotApplicable("there is a block '" + renamed.name + "' already");
        }
        return make_stmt(std::move(renamed), s->span);
      });
}

/// Blocks that write the cache: instances in iterations so far apart as there are slots share its cells, so what goes
/// by the iteration is spatial no more.
Stmt with_shared_slots(const Stmt& stmt, const Buffer& cache, const Var& var) {
  std::set<Var> follow{var};
  visit_stmt(stmt, [&](const Stmt& s) {
    auto bound = [&](const Var& v, const Expr& value) {
      for (const Var& used : free_vars(value)) {
        if (follow.count(used)) follow.insert(v);
      }
    };
    if (const LetStmt* let = s.as<LetStmt>()) bound(let->var, let->value);
    if (const Block* block = s.as<Block>()) {
      for (const IterVar& iter : block->iters) bound(iter.var, iter.binding);
    }
    return true;
  });
  return rewrite_stmt(
      stmt, [](const Expr& e) { return e; },
      [&](const Stmt& s) {
        const Block* block = s.as<Block>();
        if (!block || !data_written(s).count(cache->data)) return s;
        Block after = *block;
        for (IterVar& iter : after.iters) {
          if (iter.kind == IterKind::Spatial && follow.count(iter.var)) iter.kind = IterKind::Opaque;
        }
        return make_stmt(std::move(after), s->span);
      });
}

/// What would happen without condition 3, with the variables of the model.
std::string interleaving(const Filled& f, const Expr& fills, const Expr& uses, const FillAheadArgs& args) {
  std::string copy;
  visit_stmt(f.parts[0], [&](const Stmt& s) {
    if (copy.empty() && s.as<Store>()) copy = one_line(s);
    return copy.empty();
  });
  return fmt::format(
      "the slot that is filled ahead is none that an iteration until then still uses: the copy '{}' for iteration {} "
      "is under way {} iterations early, in slot {} % {} of '{}', while iteration {} still needs slot {} % {}",
      copy, print(fills), args.ahead, print(fills), args.slots, f.cache->name, print(uses), print(uses), args.slots);
}

/// Condition 6: of the copies in front of the loop, and of those in it, which pass what follows them in the iterations
/// until theirs. `at` is the sequence of the two.
void owe_no_error_ahead(const Filled& f, const PrimFunc& after, const Path& at, std::vector<Obligation>* needs) {
  const Stmt rest = seq(std::vector<Stmt>(f.parts.begin() + 1, f.parts.end()));
  Path inside = below(at, 1);
  for (size_t k = 0; k <= f.allocations.size(); ++k) inside = below(inside, 0);
  for (const Path& fill : {below(at, 0), below(inside, 0)}) owe_no_error_before_assumes(rest, after, fill, needs);
}

Rewrite fill_ahead(const PrimFunc& func, const FillAheadArgs& args) {
  const Path at = loop_arg(func, args.loop);
  const Stmt stmt = checked_at(func, at);
  const For loop = record_at<For>(func, at, "a loop");
  const DType type = loop.var.dtype();
  const Filled f = filled_in(loop);
  if (args.slots < 1 || args.ahead < 0 || !fits_type(type, args.slots) || !fits_type(type, args.ahead)) {
    throw NotApplicable("there is at least one slot, and nothing is filled late");
  }
  demand_own_memory(func, f.cache);
  demand_scalar_indices(loop.body, f.cache);
  require_index(func, loop.extent, "the extent of the loop");
  for (const Expr& e : f.cache->shape) {
    require_index(func, e, "an extent of the cache");
    if (uses_var(e, loop.var)) throw NotApplicable("an extent of the cache depends on the loop");
  }
  const Expr i(loop.var), slots = imm(type, args.slots), ahead = imm(type, args.ahead);
  std::vector<Expr> shape = f.cache->shape;
  shape.insert(shape.begin(), slots);
  const Buffer cache = make_buffer(f.cache->name, f.cache->dtype, shape, {.scope = f.cache->scope});
  auto in_slot = [&](const Stmt& s) {
    return reindex_buffer(with_shared_slots(s, f.cache, loop.var), f.cache, cache, [&](std::vector<Expr> indices) {
      indices.insert(indices.begin(), args.slots == 1 ? imm(type, 0) : floormod(i, slots));
      return indices;
    });
  };

  Rewrite out{.after = func, .needs = {}};
  const Facts facts = facts_at(func, at);
  const Facts inside = facts_at(func, below(at, 0));
  const Expr extent = facts.resolve(loop.extent);
  const Var filled = Var::fresh(loop.var.name() + "_filled", type), used = Var::fresh(loop.var.name() + "_using", type);
  const Expr fills(filled), uses(used);
  std::vector<Expr> between = join(facts.given(), range_of(fills, imm(type, 0), extent));
  between = join(between, {le(imm(type, 0), uses), lt(uses, fills), le(fills - ahead, uses)});
  out.needs.push_back(need(kFillAhead, interleaving(f, fills, uses, args), func, f.parts[0], between,
                           ne(floormod(fills, slots), floormod(uses, slots))));
  const std::vector<Expr> runs = join(inside.given(), {lt(i, fold(extent - ahead))});
  out.needs.push_back(need(kFillAhead, "the new bound is no error", func, stmt, inside.given(), fits(extent - ahead)));
  out.needs.push_back(need(kFillAhead, "the iteration ahead fits its type", func, stmt, runs, fits(i + ahead)));
  owe_made({kFillAhead, func, stmt, facts, {}, stmt}, make_stmt(AllocBuffer{cache, empty_stmt()}), &out.needs);

  std::vector<Stmt> parts;
  const Stmt fill = in_slot(f.parts[0]);
  if (args.ahead > 0) {
    const Var first = Var::fresh(loop.var.name() + "_ahead", type);
    const Stmt copy = with_own_names(func, refresh(substitute(fill, VarMap{{loop.var, Expr(first)}})));
    const Stmt guarded = make_stmt(If{lt(Expr(first), loop.extent), copy, {}}, stmt->span);
    parts.push_back(make_stmt(For{.var = first, .min = imm(type, 0), .extent = ahead, .body = guarded}, stmt->span));
  }
  For changed = loop;
  std::vector<Stmt> body{fill};
  if (args.ahead > 0) {
    const Stmt later = substitute(fill, VarMap{{loop.var, i + ahead}});
    body[0] = make_stmt(If{lt(i, fold(loop.extent - ahead)), later, {}}, fill->span);
  }
  for (size_t k = 1; k < f.parts.size(); ++k) body.push_back(in_slot(f.parts[k]));
  changed.body = make_stmt(Seq{std::move(body)}, stmt->span);
  for (size_t k = f.allocations.size(); k-- > 0;) changed.body = with_children(f.allocations[k], {changed.body});
  parts.push_back(make_stmt(std::move(changed), stmt->span));
  out.after = replace_at(func, at, make_stmt(AllocBuffer{cache, seq(std::move(parts))}, stmt->span));
  if (args.ahead > 0) owe_no_error_ahead(f, out.after, below(at, 0), &out.needs);
  return out;
}

}  // namespace

extern const Rule k_fill_ahead{
    rule<fill_ahead>("for i: fill C; use C  ->  C[slot] filled some iterations ahead, in slots that go round")};

}  // namespace hexproof
