// reindex-loops {at: outermost loop, count: loops of the nest, replaced: their positions, image: 1 or 0, buffer: Buffer
//                or name, access: k; or map: IndexMap over the variables of the block that is the body}
//
//   for x in ...:                         for y in box:               y in memory order, one loop per index of f
//     for k in ...:               ->        if some iteration is at y:
//       S(x, k)                               for k in ...:
//                                               if some iteration is at (y, k):
//                                                 S(inverse(y, k), k)
//
// y = f(x, k) are the indices of the k-th access to the buffer in S (in program order, from 0) in which a replaced loop
// occurs; or what the map makes of the bindings of the block S. The loops that are not replaced stay inside, in their
// order; so do `if`s between the loops that depend on no buffer's content. The inverse, the box and the guard are found
// by rewrite/layout/reindex.h; `image` 0 leaves out of the guard that y is in the image of f where the ranges of x and
// k say so.
//
// Side conditions
//  1. The bounds of each loop depend on no other loop of the nest and on no buffer's content, the loops are serial,
//     unrolled or parallel, and f depends on loops of the nest and scalars only (checked here). Parallel loops become
//     serial ones: that is one of their orders.
//  2. Bounds of loops and guards are no error where they now stand, nor is the inverse where the guard holds.
//  3. Every old iteration is visited, at one place: f(x, k) is in the box, the guard holds there, and the inverse of
//     f(x, k) is x.
//  4. Nothing else is visited: where the guard holds, the inverse is in the ranges of the old loops, and f brings it
//     back to y.
//  5. Let p be before q in the old order, and behind it in the order of (y, k): no access of S(p) and access of
//     S(q) touch one cell with one of them writing. Every level of the old nest at which p comes first and every level
//     of the new one at which q does are a case of their own.
//  6. Accumulations T[c] = T[c] op e on one buffer may be flipped in a ring of integers (the law is owed), or on
//     floats when `reassoc` is granted; all other pairs of 5 stay owed.
//  7. Where S holds an assume, S is free of errors without those of the iterations that come behind it now.
#include "ir/visit.h"
#include "rewrite/layout/reindex.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/data_vars.h"

namespace hexproof {
namespace {

constexpr const char* kReindexLoops = "reindex-loops";

/// The indices of the access; without those that belong to loops further inside alone.
std::vector<Expr> access_indices(const PrimFunc& func, const Nest& nest, const std::vector<bool>& replaced,
                                 const Buffer& buffer, int64_t k) {
  const Facts inside = facts_at(func, nest.body_path);
  for (const Access& access : footprint(nest.body, inside)) {
    if (!(access.buffer == buffer) || k-- > 0) continue;
    std::vector<Expr> indices;
    for (const Expr& e : access.indices) {
      bool inside_alone = false, here = false;
      for (size_t k = 0; k < replaced.size(); ++k) here |= replaced[k] && uses_var(e, nest.loops[k].var);
      for (const LoopRange& own : access.loops) inside_alone |= !here && uses_var(e, own.var);
      if (inside_alone) continue;
      indices.push_back(e);
      require_index(func, e, "an index of '" + buffer->name + "'");
      if (e->dtype != nest.loops[0].var.dtype()) {
        throw NotApplicable("an index of '" + buffer->name + "' has another type than the loops");
      }
      for (const LoopRange& own : access.loops) {
        if (uses_var(e, own.var)) {
          throw NotApplicable("an index of '" + buffer->name + "' depends on '" + own.var.name() +
                              "', which is no loop of the perfect nest");
        }
      }
    }
    return indices;
  }
  throw NotApplicable("there is no such access to '" + buffer->name + "'");
}

/// What the map makes of the bindings of the block that is the body of the nest.
std::vector<Expr> mapped_bindings(const PrimFunc& func, const Nest& nest, const IndexMap& map) {
  const Block* block = nest.body.as<Block>();
  if (!block || block->iters.size() != map.inputs.size()) {
    throw NotApplicable("the body of the nest is no block with a variable for each index of the map");
  }
  std::vector<Expr> bindings;
  for (const IterVar& iter : block->iters) {
    require_index(func, iter.binding, "a binding of the block");
    if (iter.binding->dtype != kInt32) throw NotApplicable("a binding of the block is no int32");
    bindings.push_back(iter.binding);
  }
  return map.apply(bindings);
}

/// The indices of the access that the arguments name.
std::vector<Expr> named_access(const PrimFunc& func, const Nest& nest, const std::vector<bool>& replaced,
                               const ReindexLoopsArgs& args) {
  const BufferArg& given = needed(args.buffer, "buffer");
  const Buffer* itself = std::get_if<Buffer>(&given);
  const Buffer buffer = itself ? *itself : buffer_arg(func, given).buffer;
  return access_indices(func, nest, replaced, buffer, needed(args.access, "access"));
}

Rewrite reindex_loops(const PrimFunc& func, const ReindexLoopsArgs& args) {
  const Path& at = args.at;
  int64_t count = args.count;
  const Path& positions = args.replaced;
  if (count < 1 || count > 1000) throw NotApplicable("the nest must have a loop");
  const size_t n = static_cast<size_t>(count);
  Nest nest = nest_at(func, at, n);
  require_independent_bounds(func, nest);
  std::vector<bool> replaced(n);
  for (int k : positions) {
    if (k < 0 || static_cast<size_t>(k) >= n) throw NotApplicable("there is no loop " + std::to_string(k));
    replaced[static_cast<size_t>(k)] = true;
  }
  for (For& loop : nest.loops) {
    if (loop.kind == ForKind::Vectorized || loop.kind == ForKind::ThreadBinding) {
      throw NotApplicable("loop '" + loop.var.name() + "' is vectorized or bound to a thread");
    }
    if (loop.kind == ForKind::Parallel) loop.kind = ForKind::Serial;
  }
  const std::vector<Expr> indices =
      args.map ? mapped_bindings(func, nest, *args.map) : named_access(func, nest, replaced, args);
  const Reindexing found = reindexing_of(nest, replaced, indices, args.image);
  const Stmt stmt = checked_at(func, at);
  const size_t m = found.vars.size();

  std::vector<For> kept, gone, fresh;
  for (size_t k = 0; k < n; ++k) (replaced[k] ? gone : kept).push_back(nest.loops[k]);
  for (size_t d = 0; d < m; ++d) {
    fresh.push_back(For{.var = found.vars[d], .min = found.starts[d], .extent = found.extents[d], .body = {}});
  }
  bool in_order = m == gone.size() && found.outer_guards.empty() && found.inner_guards.empty();
  for (size_t d = 0; in_order && d < m; ++d) {
    in_order = replaced[d] && found.starts[d] == nest.loops[d].min && found.index[d] == Expr(nest.loops[d].var) &&
               found.extents[d] == nest.loops[d].extent;
  }
  if (in_order) {
    throw InMemoryOrder(args.map ? "the loops run in this order already"
                                 : "the loops visit the buffer in memory order already");
  }

  Stmt body = substitute(guarded(nest.guards, nest.body, stmt->span), found.inverse);
  auto under = [&](const std::vector<Expr>& conditions) {
    if (!conditions.empty()) body = make_stmt(If{all(conditions), body, {}}, stmt->span);
  };
  auto around = [&](const std::vector<For>& loops) {
    for (size_t k = loops.size(); k-- > 0;) {
      For loop = loops[k];
      loop.body = body;
      body = make_stmt(std::move(loop), stmt->span);
    }
  };
  under(found.inner_guards);
  around(kept);
  under(found.outer_guards);
  around(fresh);
  Rewrite result{.after = replace_at(func, at, body), .needs = {}};

  Facts facts = facts_at(func, at);
  auto owe = [&](const std::string& why, const std::vector<Expr>& given, const Expr& goal) {
    result.needs.push_back(need(kReindexLoops, why, func, stmt, given, facts.resolve(goal)));
  };
  auto know = [&](std::vector<Expr> given, const std::vector<Expr>& conditions) {
    for (const Expr& e : conditions) given.push_back(facts.resolve(e));
    return given;
  };
  // 2, on the way down.
  owe_bounds(kReindexLoops, func, stmt, facts, nest.loops, &result.needs);
  for (const For& loop : fresh) {
    const Expr end = is_int(loop.min, 0) ? loop.extent : loop.min + loop.extent;
    owe("the new bounds fit their type", facts.given(), end->dtype == kUInt64 ? bound_is_no_error(end) : fits(end));
  }
  std::vector<Expr> visited = join(facts.given(), ranges_of(facts, fresh));
  for (const Expr& e : found.outer_guards) owe("the guard is no error", visited, fits(e));
  visited = join(know(visited, found.outer_guards), ranges_of(facts, kept));
  for (const Expr& e : found.inner_guards) owe("the guard is no error", visited, fits(e));
  visited = know(visited, found.inner_guards);
  for (const For& loop : gone) owe("the old loop variables fit their type", visited, fits(found.inverse.at(loop.var)));
  // 3
  std::vector<Expr> domain = ranges_of(facts, nest.loops);
  std::vector<Expr> old = join(facts.given(), domain);
  VarMap image;
  for (size_t d = 0; d < m; ++d) image.emplace(found.vars[d], found.index[d]);
  for (const Expr& e : found.index) owe("the index fits its type in every iteration", old, fits(e));
  for (const For& loop : fresh) {
    for (const Expr& e : range_of(image.at(loop.var), loop.min, loop.extent)) {
      owe("every iteration is visited: its cell is in the box", old, e);
    }
  }
  for (const std::vector<Expr>* guards : {&found.outer_guards, &found.inner_guards}) {
    for (const Expr& e : *guards) owe("every iteration is visited: the guard holds", old, substitute(e, image));
  }
  for (const For& loop : gone) {
    owe("no two iterations visit one cell, and each is found there", old,
        eq(substitute(found.inverse.at(loop.var), image), Expr(loop.var)));
  }
  // 4
  for (const For& loop : gone) {
    for (const Expr& e : range_of(found.inverse.at(loop.var), loop.min, loop.extent)) {
      owe("only old iterations are visited", visited, e);
    }
  }
  for (size_t d = 0; d < m; ++d) {
    owe("each iteration is visited once, at its cell", visited,
        eq(substitute(found.index[d], found.inverse), Expr(found.vars[d])));
  }
  // 5
  VarMap second = fresh_copies(nest.loops);
  std::vector<Access> p = Period(func, at).accesses(nest.body_path);
  std::vector<Access> q = renamed(p, second);
  for (const Expr& guard : nest.guards) domain.push_back(facts.resolve(guard));
  std::vector<Expr> given = join(facts.given(), domain);
  for (const Expr& e : domain) given.push_back(substitute(e, second));
  std::vector<Expr> key;  // the new order
  for (const Expr& e : found.index) key.push_back(facts.resolve(e));
  for (const For& loop : kept) key.push_back(Expr(loop.var));
  OwedLaws laws;
  for (size_t a = 0; a < n; ++a) {
    const Var& old_level = nest.loops[a].var;
    for (size_t b = 0; b < key.size(); ++b) {
      // p is before q in the loops up to a, so it cannot be behind q in a key that is one of them.
      bool never = false;
      for (size_t k = 0; k <= a; ++k) never = never || key[b] == Expr(nest.loops[k].var);
      for (size_t c = 0; c < b; ++c) never = never || key[c] == Expr(old_level);
      if (never) continue;
      std::vector<Expr> flipped = given;
      for (size_t k = 0; k < a; ++k) flipped.push_back(eq(Expr(nest.loops[k].var), second.at(nest.loops[k].var)));
      flipped.push_back(lt(Expr(old_level), second.at(old_level)));
      for (size_t c = 0; c < b; ++c) flipped.push_back(eq(key[c], substitute(key[c], second)));
      flipped.push_back(gt(key[b], substitute(key[b], second)));
      owe_no_conflict(kReindexLoops, "iterations whose order changes do not touch one cell", func, stmt, flipped, p, q,
                      Sums::Exchange, &result.needs, &laws);
    }
  }
  owe_no_error_before_assumes(stmt, result.after, at, &result.needs);
  return result;
}

}  // namespace

extern const Rule k_reindex_loops{
    rule<reindex_loops>("for x: S(x)  ->  for y in memory order: if some x is at y: S(inverse(y))")};

}  // namespace hexproof
