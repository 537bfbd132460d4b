// skip-overlap {block: name or Path, loop: Path, Var or name, axis: number, overlap: number}
//
//   for x:                                  for x:
//     for ax: with T.block("P"):              for ax: with T.block("P"): T.where(x < 1 or overlap <= ax)
//       v = s*x + ax; T[v] = ...        ->      v = s*x + ax; T[v] = ...
//     D(T)                                    D(T)
//
// What an iteration of `loop` computes and the one in front of it has computed as well is not computed again. `ax` is
// the loop that runs over the block's variable of dimension `axis` of T; its first `overlap` values are left out, in
// every iteration of `loop` but the first. A predicate that the block has stays.
//
// The producer is canonical (canonical_block.h) in its own nest, a part of a sequence in the body of `loop`; its
// spatial variables may be bound to the loops around besides, and its predicate may speak of all of them.
//
// Side conditions
//  1. Between `loop` and the block there are serial loops and sequences alone, and no bound of a loop there depends on
//     `loop` or on memory (checked here).
//  2. T lives outside of `loop`, and in its body nobody but the block writes it, and no assume speaks of it (checked
//     here).
//  3. A cell has the same value whenever it is computed: the block depends on its variables alone, and in the body of
//     the loop nobody writes what it reads; its sums are the same ones, since neither their loops nor what the
//     predicate says of them depends on an iteration around the nest (checked here). The block reads T at its own cell
//     only, which its init sets.
//  4. What is left out ran, one iteration of `loop` before and all loops between at the same values: with the same
//     values of the block's variables, inside of the loops of its nest, and its predicate says the same.
#include "ir/visit.h"
#include "rewrite/memory/canonical_block.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kSkipOverlap = "skip-overlap";

/// The loop of the nest that a binding is linear in, once, and with the coefficient 1; -1: none.
int own_loop(const Expr& binding, const std::vector<For>& nest) {
  const Linear form = linear(binding);
  int out = -1;
  for (size_t k = 0; k < nest.size(); ++k) {
    if (!uses_var(binding, nest[k].var)) continue;
    const auto term =
        std::find_if(form.terms.begin(), form.terms.end(), [&](const auto& t) { return t.first == Expr(nest[k].var); });
    if (out >= 0 || term == form.terms.end() || term->second != 1)
      throw NotApplicable("a binding is not a loop plus what is fixed around the nest");
    out = static_cast<int>(k);
  }
  return out;
}

/// The block in its nest as if nothing were around it: it has no predicate, and each of its spatial variables is bound
/// to a loop of the nest alone. Something stands behind, which canonical_block wants.
CanonicalBlock in_its_nest(const PrimFunc& func, const Block& given, const std::vector<For>& nest) {
  Block block = given;
  block.predicate = Expr();
  for (IterVar& iter : block.iters) {
    if (iter.kind != IterKind::Spatial) continue;
    const int loop = own_loop(iter.binding, nest);
    iter.binding = loop >= 0 ? Expr(nest[static_cast<size_t>(loop)].var) : zero(iter.binding->dtype);
  }
  Stmt stmt = make_stmt(std::move(block));
  for (size_t k = nest.size(); k-- > 0;) {
    For loop = nest[k];
    loop.body = stmt;
    stmt = make_stmt(std::move(loop));
  }
  PrimFunc alone = func;
  alone.body = seq({stmt, make_stmt(Evaluate{i32(0)})});
  return canonical_block(alone, Path(nest.size() + 1, 0), "block");
}

/// Conditions 1 and 2, on the way from the loop to the nest of the block: nothing but loops and sequences, of which the
/// other parts leave T alone.
void demand_plain_way(const PrimFunc& func, const Path& loop, const Path& at, const Buffer& buffer) {
  const For& outer = record_at<For>(func, loop, "a loop");
  for (Path here = loop; here.size() < at.size(); here.push_back(at[here.size()])) {
    const Stmt stmt = stmt_at(func, here);
    if (const Seq* parts = stmt.as<Seq>()) {
      for (size_t k = 0; k < parts->stmts.size(); ++k) {
        if (static_cast<int>(k) != at[here.size()] && data_written(parts->stmts[k]).count(buffer->data)) {
          throw NotApplicable("'" + buffer->name + "' is written elsewhere in the loop, too");
        }
      }
      continue;
    }
    const For* inner = stmt.as<For>();
    if (!inner) throw NotApplicable("on the way from the loop to the block there is more than loops");
    if (inner->kind != ForKind::Serial && inner->kind != ForKind::Unrolled) {
      throw NotApplicable("the loop over '" + inner->var.name() + "' is not serial");
    }
    if (here == loop) continue;
    for (const Expr& bound : {inner->min, inner->extent}) {
      if (!is_repeatable(bound) || uses_var(bound, outer.var)) {
        throw NotApplicable("the bounds of the loop over '" + inner->var.name() + "' are not fixed");
      }
    }
  }
}

/// Condition 3: what the block computes is decided by its variables, and by memory that the loop leaves alone.
void demand_same_value(const PrimFunc& func, const Path& loop, const Path& at, const Block& block,
                       const Buffer& buffer) {
  for (Path here = loop; here.size() < at.size(); here.push_back(at[here.size()])) {
    const For* around = stmt_at(func, here).as<For>();
    if (!around) continue;
    bool used = uses_var(block.body, around->var) || (block.init && uses_var(block.init, around->var));
    for (const IterVar& iter : block.iters) {
      used |= uses_var(iter.dom.min, around->var) || uses_var(iter.dom.extent, around->var);
    }
    if (used) throw NotApplicable("the block uses '" + around->var.name() + "' beside its own variables");
  }
  const std::set<Var> written = data_written(stmt_at(func, loop));
  std::vector<Expr> decides = block.predicate ? std::vector<Expr>{block.predicate} : std::vector<Expr>{};
  for (const IterVar& iter : block.iters) decides.insert(decides.end(), {iter.binding, iter.dom.min, iter.dom.extent});
  for (const Expr& e : decides) {
    if (!is_repeatable(e))
      throw NotApplicable("bindings, domains and predicate of the block must not depend on memory");
  }
  for (const Buffer& read : buffers_read(stmt_at(func, at))) {
    if (read->data == buffer->data || !written.count(read->data)) continue;
    throw NotApplicable("'" + read->name + "', which the block reads, is written in the loop");
  }
}

/// Condition 3, as far as it is about sums: whenever a cell is computed, the same iterations of the loops of reductions
/// run.
void demand_same_sums(const Block& block, const std::vector<For>& nest) {
  auto own = [&](const Var& v) {
    return std::any_of(nest.begin(), nest.end(), [&](const For& loop) { return loop.var == v; });
  };
  std::set<Var> reduced;
  VarMap bound;
  for (const IterVar& iter : block.iters) {
    bound.emplace(iter.var, iter.binding);
    if (iter.kind == IterKind::Spatial) continue;
    for (const Var& v : free_vars(iter.binding)) {
      if (!own(v)) throw NotApplicable("what the block sums over moves with a loop around its nest");
      reduced.insert(v);
    }
  }
  for (const For& loop : nest) {
    for (const Expr& e : {loop.min, loop.extent}) {
      if (!as_int(e)) throw NotApplicable("the bounds of the loop over '" + loop.var.name() + "' are no constants");
    }
  }
  if (!block.predicate) return;
  for (const Var& v : free_vars(substitute(block.predicate, bound))) {
    if (reduced.count(v)) throw NotApplicable("the predicate decides of single terms of a sum");
  }
}

Rewrite skip_overlap(const PrimFunc& func, const SkipOverlapArgs& args) {
  const Path at = block_arg(func, args.block), loop_at = loop_arg(func, args.loop);
  const Block& block = record_at<Block>(func, at, "a block");
  const For& loop = record_at<For>(func, loop_at, "a loop");
  Path top = at;  // of the nest: the loops right around the block, up to a sequence
  while (top.size() > loop_at.size() + 1 && stmt_at(func, above(top)).as<For>()) top = above(top);
  if (!is_within(at, below(loop_at, 0)) || !stmt_at(func, above(top)).as<Seq>()) {
    throw NotApplicable("the nest of the block is not a part of a sequence in the loop");
  }
  std::vector<For> nest;
  for (Path here = top; here.size() < at.size(); here.push_back(at[here.size()])) {
    nest.push_back(record_at<For>(func, here, "a loop"));
  }
  const CanonicalBlock p = in_its_nest(func, block, nest);
  const Buffer& buffer = p.store.buffer;
  const BufferSource source = buffer_arg(func, buffer);
  if (source.alloc && is_within(*source.alloc, loop_at)) {
    throw NotApplicable("'" + buffer->name + "' is another memory in each iteration of the loop");
  }
  demand_own_memory(func, buffer);
  demand_plain_way(func, loop_at, at, buffer);
  demand_same_value(func, loop_at, at, block, buffer);
  demand_same_sums(block, nest);
  visit_stmt(stmt_at(func, loop_at), [&](const Stmt& s) {
    if (s.as<Assume>() && reads_buffer(s, buffer)) throw NotApplicable("an assume speaks of '" + buffer->name + "'");
    return true;
  });

  int over = -1;  // the loop over the dimension
  for (size_t k = 0; k < p.runs.size(); ++k) {
    if (p.dim[k] >= 0 && p.dim[k] == args.axis) over = p.runs[k].loop;
  }
  if (over < 0) throw NotApplicable("no loop of the nest runs over axis " + std::to_string(args.axis));
  const For& tile = nest[static_cast<size_t>(over)];
  const int64_t *first = as_int(loop.min), *start = as_int(tile.min);
  const bool sane = first && start && args.overlap > 0 && fits_type(loop.var.dtype(), Wide{*first} + 1) &&
                    fits_type(tile.var.dtype(), Wide{*start} + args.overlap);
  if (!sane) throw NotApplicable("the loops start at no constant, or there is no such overlap");
  const Expr x = loop.var, later = lt(x, imm(x->dtype, *first + 1)),
             kept = le(imm(tile.var.dtype(), *start + args.overlap), Expr(tile.var));

  // 4
  const Stmt stmt = stmt_at(func, at);
  const Facts facts = facts_at(func, at);
  VarMap bound, earlier{{loop.var, x - imm(x->dtype, 1)}};
  std::vector<Expr> made{earlier.at(loop.var)};
  for (const IterVar& iter : block.iters) bound.emplace(iter.var, iter.binding);
  const VarMap back = earlier;
  for (const IterVar& iter : block.iters) {
    const int k = iter.kind == IterKind::Spatial ? own_loop(iter.binding, nest) : -1;
    if (k < 0) continue;
    Linear shift = linear(iter.binding);
    shift.add(linear(substitute(iter.binding, back)), -1);
    const Var& var = nest[static_cast<size_t>(k)].var;
    const Expr by = shift.expr(var.dtype());
    if (!by) throw NotApplicable("how far the block moves with the loop does not fit its type");
    earlier.emplace(var, fold(Expr(var) + by));
    made.push_back(earlier.at(var));
  }
  const auto resolved = [&](const Expr& e) { return facts.resolve(e); };
  std::vector<Expr> given = join(facts.given(), {lnot(resolved(later)), lnot(resolved(kept))});
  Rewrite out{.after = func, .needs = {}};
  const auto owe = [&](const std::string& why, const Expr& goal) {
    out.needs.push_back(need(kSkipOverlap, why, func, stmt, given, goal));
  };
  for (const Expr& e : made) owe("where the cell was computed before fits its type", fits(resolved(e)));
  for (const For& inner : nest) {
    const auto moved = earlier.find(inner.var);
    if (moved == earlier.end()) continue;
    for (const Expr& e : range_of(resolved(moved->second), resolved(inner.min), resolved(inner.extent))) {
      owe("what is left out lay in the loops of the nest, one iteration before", e);
    }
  }
  for (const IterVar& iter : block.iters) {
    owe("what is left out had the same variables, one iteration before",
        eq(resolved(substitute(iter.binding, earlier)), resolved(iter.binding)));
  }
  Expr predicate = land(lor(later, kept), boolean(true));
  if (block.predicate) {
    const Expr now = resolved(substitute(block.predicate, bound)),
               then = resolved(substitute(substitute(block.predicate, bound), earlier));
    owe("the predicate said the same, one iteration before", land(lor(lnot(now), then), lor(now, lnot(then))));
    predicate = land(block.predicate, lor(later, kept));
  } else {
    predicate = lor(later, kept);
  }
  Block after = block;
  after.predicate = predicate;
  out.after = replace_at(func, at, make_stmt(std::move(after), stmt->span));
  return out;
}

}  // namespace

extern const Rule k_skip_overlap{
    rule<skip_overlap>("a producer in a loop  ->  what the iteration before has computed is left out")};

}  // namespace hexproof
