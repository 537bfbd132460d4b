// decompose-reduction {at: block with an init, loop: a loop around it, into: 1 (optional)}
//
//   for i:                                for i:
//     for k:                      ->        block "B_init" (i): I(i)
//       block "B" (i, k):                   for k:
//         init: I(i)                          block "B_update" (i, k): S(i, k)
//         S(i, k)
//
// Between `loop` and the block stand loops, plain `if`s, allocations, and other statements next to them, such as the
// caches of a tile. The loops whose variable occurs in the binding of a spatial (or opaque) variable are copied in
// front; call the others r, and let r stand at its start there.
// With `into`, the loop is all that a block around it does, and what is initialised in front is that block's init,
// which runs where its reduction variables are at their starts; the block of the updates keeps its name.
//
// Side conditions. p, q are iterations of the nest.
//  1. I uses no reduction variable; bindings, predicate, bounds and `if`s depend on no buffer's content (checked here).
//  2. Each r runs at least once: else the old program did not initialise.
//  3. With every r at its start, each reduction variable is at the start of its domain: what is initialised in
//     front was initialised before.
//  4. An instance p that initialised has every r at its start (with `into`: and the reduction variables of the block
//     around): what was initialised before is initialised in front, and only once.
//  5. For q before p: what I(p) touches, and S(q) too, is only read: I(p) used to run after S(q) and now runs before
//     it. Every level of the nest at which q comes first is a case of its own. The order among the I is kept.
//  6. What I touches, the other statements inside of `loop` only read: I now runs before all of them.
//  7. With `into`: the starts of the reductions of the block around are no error: with an init they are evaluated.
//  8. Where something inside of `loop` assumes, what is initialised in front is free of errors without it.
#include "ir/visit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/memory/made.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/nest.h"

namespace hexproof {
namespace {

/// A statement next to the way from the loop to the block, and how many loops and guards of the nest stand around it.
struct Other {
  Path at;
  size_t loops, guards;
};

struct Reduction {
  Nest nest;
  Block block;
  std::vector<bool> copied;  // per loop: is it copied in front?
  std::vector<Other> others;
};

Reduction reduction_at(const PrimFunc& func, const Path& at, const Path& loop) {
  if (!is_within(at, loop) || at == loop) throw NotApplicable("the loop does not stand around the block");
  record_at<For>(func, loop, "a loop");
  Reduction found;
  found.block = record_at<Block>(func, at, "a block");
  Nest& nest = found.nest;
  for (Path here = loop; here != at; here = below(here, at[here.size()])) {
    const Stmt stmt = stmt_at(func, here);
    const If* branch = stmt.as<If>();
    const AllocBuffer* memory = stmt.as<AllocBuffer>();
    if (const For* around = stmt.as<For>()) {
      nest.loops.push_back(*around);
    } else if (branch && !branch->else_case) {
      require_index(func, branch->condition, "a condition around the block");
      nest.guards.push_back(branch->condition);
      nest.guard_depth.push_back(nest.loops.size());
    } else if (const Seq* parts = stmt.as<Seq>()) {
      for (size_t k = 0; k < parts->stmts.size(); ++k) {
        const Path other = below(here, static_cast<int>(k));
        if (!is_within(at, other)) found.others.push_back({other, nest.loops.size(), nest.guards.size()});
      }
    } else if (!memory || (found.block.init && touches_buffer(found.block.init, memory->buffer))) {
      throw NotApplicable("between the loop and the block stands more than loops and plain branches");
    }
  }
  nest.body = stmt_at(func, at);
  nest.body_path = at;
  const Block& block = found.block;
  if (!block.init) throw NotApplicable("the block has no init");
  if (block.predicate) require_index(func, block.predicate, "the block's predicate");
  for (const IterVar& iter : block.iters) {
    require_index(func, iter.binding, "a binding of the block");
    require_index(func, iter.dom.min, "a domain of the block");
    if (iter.kind == IterKind::Reduce && uses_var(block.init, iter.var)) {
      throw NotApplicable("the init uses the reduction variable '" + iter.var.name() + "'");
    }
  }
  for (const For& f : found.nest.loops) {
    require_index(func, f.min, "the start of a loop");
    require_index(func, f.extent, "the extent of a loop");
    bool spatial = false;
    for (const IterVar& iter : block.iters) {
      spatial |= iter.kind != IterKind::Reduce && uses_var(iter.binding, f.var);
    }
    found.copied.push_back(spatial);
  }
  return found;
}

/// The block whose only statement is the loop.
const Block& block_of(const PrimFunc& func, const Path& loop) {
  const Block& around = record_at<Block>(func, above(loop), "a loop that is all that a block does");
  if (around.init) throw NotApplicable("the block around has an init");
  for (const IterVar& iter : around.iters) {
    if (iter.kind != IterKind::Reduce) continue;
    require_index(func, iter.binding, "a binding of the block around");
    require_index(func, iter.dom.min, "a domain of the block around");
  }
  return around;
}

Rewrite decompose_reduction(const PrimFunc& func, const DecomposeReductionArgs& args) {
  const Path &at = args.at, &loop_path = args.loop;
  const bool into = args.into.value_or(false);
  const Reduction reduction = reduction_at(func, at, loop_path);
  const Nest& nest = reduction.nest;
  const Block& block = reduction.block;
  const Stmt stmt = checked_at(func, at), loop = checked_at(func, loop_path);
  const size_t n = nest.loops.size();
  Facts facts = facts_at(func, loop_path);
  Rewrite result;
  auto owe = [&](const std::string& why, const std::vector<Expr>& given, const Expr& goal) {
    result.needs.push_back(need("decompose-reduction", why, func, stmt, given, facts.resolve(goal)));
  };

  // In front: the nest with each r at its start. The obligations on the way down know only what stands around.
  VarMap front;  // copied loops -> their fresh variables, r -> its start
  std::vector<For> copies(n);
  std::vector<Expr> given = facts.given();
  std::vector<Expr> around_at_start;
  if (into) {
    for (const IterVar& iter : block_of(func, loop_path).iters) {
      if (iter.kind == IterKind::Reduce) around_at_start.push_back(eq(iter.binding, iter.dom.min));
    }
  }
  for (const Expr& e : around_at_start) given.push_back(facts.resolve(e));
  auto put = [&](const Expr& e) { return facts.resolve(substitute(e, front)); };
  size_t g = 0;
  auto know_guards = [&](size_t depth) {
    for (; g < nest.guards.size() && nest.guard_depth[g] == depth; ++g) given.push_back(put(nest.guards[g]));
  };
  for (size_t k = 0; k < n; ++k) {
    const For& f = nest.loops[k];
    Expr min = substitute(f.min, front), extent = substitute(f.extent, front);
    if (reduction.copied[k]) {
      copies[k] = f;
      copies[k].var = Var::fresh(f.var.name() + "_init", f.var.dtype());
      copies[k].min = min;
      copies[k].extent = extent;
      front.emplace(f.var, copies[k].var);
      given = join(given, ranges_of(facts, {copies[k]}));
    } else {
      owe("loop '" + f.var.name() + "' runs at least once", given, gt(extent, zero(extent->dtype)));
      front.emplace(f.var, min);
    }
    know_guards(k + 1);
  }
  Block init{.name = block.name + "_init"};
  VarMap spatial;
  std::vector<Expr> at_start;
  VarMap bindings;
  for (const IterVar& iter : block.iters) {
    bindings.emplace(iter.var, iter.binding);
    if (iter.kind == IterKind::Reduce) {
      at_start.push_back(eq(iter.binding, iter.dom.min));
      continue;
    }
    IterVar copy = iter;
    copy.var = Var::fresh(iter.var.name() + "_init", iter.var.dtype(), iter.var.is_data());
    copy.binding = substitute(iter.binding, front);
    copy.dom = {substitute(iter.dom.min, front), substitute(iter.dom.extent, front)};
    spatial.emplace(iter.var, copy.var);
    init.iters.push_back(std::move(copy));
  }
  Expr predicate = block.predicate ? substitute(block.predicate, bindings) : Expr();
  if (predicate) given.push_back(put(predicate));
  for (const Expr& e : at_start) {
    owe("what is initialised in front was initialised before", given, substitute(e, front));
  }
  // The init may use a loop's variable itself, beside the block's: it has the same value there.
  VarMap in_init = front;
  in_init.merge(spatial);
  init.body = substitute(block.init, in_init);
  if (predicate) init.predicate = substitute(predicate, front);
  Stmt ahead = make_stmt(std::move(init), stmt->span);
  g = nest.guards.size();
  for (size_t k = n + 1; k-- > 0;) {
    for (; g > 0 && nest.guard_depth[g - 1] == k; --g) {
      ahead = make_stmt(If{substitute(nest.guards[g - 1], front), ahead, {}}, stmt->span);
    }
    if (k == 0 || !reduction.copied[k - 1]) continue;
    copies[k - 1].body = ahead;
    ahead = make_stmt(copies[k - 1], loop->span);
  }
  Block update = block;
  if (!into) update.name = block.name + "_update";
  update.init = {};
  if (update.reads && update.writes) {  // what it accumulates into is read now
    update.reads->insert(update.reads->end(), update.writes->begin(), update.writes->end());
  }
  PrimFunc after = replace_at(func, at, make_stmt(update, stmt->span));
  if (into) {
    Block around = record_at<Block>(after, above(loop_path), "a block");
    Block header = around;
    header.init = empty_stmt(), header.body = empty_stmt();
    const Facts there = facts_at(func, above(loop_path));
    owe_made({"decompose-reduction", func, loop, there}, make_stmt(std::move(header), loop->span), &result.needs);
    around.init = ahead;
    result.after = replace_at(after, above(loop_path), make_stmt(around, checked_at(after, above(loop_path))->span));
  } else {
    result.after = replace_at(after, loop_path, seq({ahead, checked_at(after, loop_path)}));
  }

  // An old instance p: everywhere in its ranges, under the guards and the predicate.
  std::vector<Expr> domain = ranges_of(facts, nest.loops);
  for (const Expr& guard : nest.guards) domain.push_back(facts.resolve(guard));
  if (predicate) domain.push_back(facts.resolve(predicate));
  std::vector<Expr> initialises = join(facts.given(), domain);
  for (const Expr& e : at_start) initialises.push_back(facts.resolve(e));
  for (size_t k = 0; k < n; ++k) {
    const For& f = nest.loops[k];
    if (reduction.copied[k]) continue;
    owe("an instance that initialises has '" + f.var.name() + "' at its start", initialises, eq(Expr(f.var), f.min));
  }
  for (const Expr& e : around_at_start) {
    owe("an instance that initialises has the block around at the start of its reduction", initialises, e);
  }

  const Period period(func, loop_path);
  VarMap second = fresh_copies(nest.loops);  // q
  std::vector<Access> of_init = period.accesses(below(at, 0));
  std::vector<Access> of_update = renamed(period.accesses(below(at, 1)), second);
  for (const Other& other : reduction.others) {
    std::vector<Expr> there = initialises;
    for (const Expr& e : ranges_of(facts, {nest.loops.begin(), nest.loops.begin() + static_cast<long>(other.loops)})) {
      there.push_back(substitute(e, second));
    }
    for (size_t k = 0; k < other.guards; ++k) there.push_back(substitute(facts.resolve(nest.guards[k]), second));
    owe_no_conflict("decompose-reduction",
                    "what is initialised in front is not touched by what stands beside the block", func, stmt, there,
                    of_init, renamed(period.accesses(other.at), second), Sums::Fixed, &result.needs);
  }
  for (const Expr& e : domain) initialises.push_back(substitute(e, second));
  for (size_t k = 0; k < n; ++k) {
    if (!reduction.copied[k]) continue;  // r of p is at its start: q cannot come first there
    std::vector<Expr> earlier = initialises;
    for (size_t l = 0; l < k; ++l) earlier.push_back(eq(Expr(nest.loops[l].var), second.at(nest.loops[l].var)));
    earlier.push_back(lt(second.at(nest.loops[k].var), Expr(nest.loops[k].var)));
    owe_no_conflict("decompose-reduction", "an update that ran before an initialisation touches none of its cells",
                    func, stmt, earlier, of_init, of_update, Sums::Fixed, &result.needs);
  }
  owe_no_error_before_assumes(loop, result.after, into ? loop_path : below(loop_path, 0), &result.needs);
  return result;
}

}  // namespace

extern const Rule k_decompose_reduction{
    rule<decompose_reduction>("for k: block { init; update }  ->  block_init; for k: block_update")};

}  // namespace hexproof
