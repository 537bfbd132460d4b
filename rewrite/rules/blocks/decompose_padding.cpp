// decompose-padding {at: block, loop: a loop around it}
//
//   for i:                                            for i: with T.block("P_pad_const"): B[f(i)] = z
//     with T.block("P"):                       ->     for i:
//       B[f(i)] = T.if_then_else(c, e, z)               if c: with T.block("P"): B[f(i)] = e
//
// The loops from `loop` down to the block are one perfect nest. Loops around stay around both.
//
// Side conditions
//  1. z is a constant, c and f and the bounds of the loops depend on no buffer's content, bounds on no loop of the
//     nest; the block has no init and no predicate, the loops are serial, and z is finite where `nnan` or `ninf` is
//     granted (checked here).
//  2. Different iterations of the nest have different cells: no z comes to stand where another iteration left an e.
//  3. e reads nothing of B (checked here): it would see what is filled in now.
#include <cmath>

#include "ir/visit.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/nest.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kDecomposePadding = "decompose-padding";

bool is_number(const Expr& e) { return e->op == Op::IntImm || e->op == Op::FloatImm; }

/// The nest with loops and block variables of its own around `body`.
Stmt filled_nest(const Nest& nest, const Block& block, const Store& store, const Expr& value) {
  VarMap loops, iters;
  std::vector<For> copies;
  for (const For& l : nest.loops) {
    For copy = l;
    copy.var = Var::fresh(l.var.name(), l.var.dtype());
    copy.annotations = {};
    loops.emplace(l.var, Expr(copy.var));
    copies.push_back(std::move(copy));
  }
  Block fill{.name = block.name + "_pad_const"};
  for (const IterVar& iter : block.iters) {
    IterVar own = iter;
    own.var = Var::fresh(iter.var.name(), iter.var.dtype());
    own.binding = substitute(iter.binding, loops);
    own.dom = {substitute(iter.dom.min, loops), substitute(iter.dom.extent, loops)};
    iters.emplace(iter.var, Expr(own.var));
    fill.iters.push_back(std::move(own));
  }
  std::vector<Expr> cell;
  for (const Expr& index : store.indices) cell.push_back(substitute(substitute(index, iters), loops));
  fill.body = make_stmt(Store{store.buffer, cell, value});
  Stmt out = make_stmt(std::move(fill));
  for (size_t k = copies.size(); k-- > 0;) {
    copies[k].body = out;
    out = make_stmt(copies[k]);
  }
  return out;
}

Rewrite decompose_padding(const PrimFunc& func, const DecomposePaddingArgs& args) {
  const Path &at = args.at, &loop = args.loop;
  if (!is_within(at, loop) || at == loop) throw NotApplicable("the loop does not stand around the block");
  const Stmt stmt = checked_at(func, at);
  const Block block = record_at<Block>(func, at, "a block");
  record_at<For>(func, loop, "a loop");
  const Nest nest = nest_at(func, loop, at.size() - loop.size());
  if (nest.body_path != at || !nest.guards.empty()) throw NotApplicable("more than loops stands around the block");
  require_independent_bounds(func, nest);
  for (const For& l : nest.loops) {
    if (l.kind != ForKind::Serial && l.kind != ForKind::Unrolled) {
      throw NotApplicable("the loop over '" + l.var.name() + "' is not serial");
    }
  }
  if (block.init || block.predicate) throw NotApplicable("the block accumulates, or has a predicate");
  const Store* store = block.body.as<Store>();
  const Expr value = store ? store->value : Expr();
  if (!value || value->op != Op::IfThenElse || !is_number(value->args[2])) {
    throw NotApplicable("the block does not store T.if_then_else(condition, value, constant)");
  }
  const Expr &condition = value->args[0], &inside = value->args[1], &constant = value->args[2];
  if (constant->op == Op::FloatImm && !std::isfinite(constant->float_value()) &&
      (func.granted("nnan") || func.granted("ninf"))) {
    throw NotApplicable("the granted flags promise that no cell holds such a constant, and it would fill all of them");
  }
  demand_own_memory(func, store->buffer);
  demand_scalar_indices(stmt, store->buffer);
  if (data_read(inside).count(store->buffer->data)) throw NotApplicable("the value reads the buffer that is filled");
  VarMap bound;
  for (const IterVar& iter : block.iters) {
    require_index(func, iter.binding, "a binding of the block");
    bound.emplace(iter.var, iter.binding);
  }
  const Expr guard = substitute(condition, bound);
  require_index(func, guard, "the condition");
  const Facts facts = facts_at(func, loop);
  const VarMap second = fresh_copies(nest.loops);
  std::vector<Expr> same = join(facts.given(), ranges_of(facts, nest.loops));
  for (const Expr& e : ranges_of(facts, nest.loops)) same.push_back(substitute(e, second));
  for (const Expr& index : store->indices) {
    const Expr here = substitute(index, bound);
    require_index(func, here, "an index of the store");
    const Expr cell = facts.resolve(here);
    same.push_back(eq(cell, substitute(cell, second)));
  }
  Rewrite out{.after = func, .needs = {}};
  for (const For& l : nest.loops) {
    out.needs.push_back(need(kDecomposePadding, "different iterations have different cells", func, stmt, same,
                             eq(Expr(l.var), second.at(l.var))));
  }
  Block rest = block;
  rest.body = make_stmt(Store{store->buffer, store->indices, inside}, block.body->span);
  const Stmt guarded_block = make_stmt(If{guard, make_stmt(std::move(rest), stmt->span), {}}, stmt->span);
  const PrimFunc with_guard = replace_at(func, at, guarded_block);
  out.after = replace_at(func, loop, seq({filled_nest(nest, block, *store, constant), stmt_at(with_guard, loop)}));
  return out;
}

}  // namespace

extern const Rule k_decompose_padding{
    rule<decompose_padding>("B[i] = if_then_else(c, e, z)  ->  B[i] = z everywhere, then if c: B[i] = e")};

}  // namespace hexproof
