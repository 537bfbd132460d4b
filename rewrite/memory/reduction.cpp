#include "rewrite/memory/reduction.h"

#include "ir/visit.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/data_vars.h"

namespace hexproof {
namespace {

/// The expression with the variables of the block put in: over the loops of the nest.
VarMap bindings_of(const PrimFunc& func, const Block& block) {
  VarMap out;
  for (const IterVar& iter : block.iters) {
    require_index(func, iter.binding, "a binding of the block");
    out.emplace(iter.var, iter.binding);
  }
  return out;
}

/// The loops of s, outermost first.
std::vector<For> loops_of_s(const Reduction& f) {
  std::vector<For> out;
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    if (f.is_s[i]) out.push_back(f.nest.loops[i]);
  }
  return out;
}

}  // namespace

Reduction reduction_around(const PrimFunc& func, const Path& at) {
  const Stage stage = stage_around(func, at);
  Reduction f{.nest_path = stage.at, .nest = {}, .block = {}, .store = {}, .op = Op::Add, .term = {}};
  size_t count = 0;
  for (Path p = stage.at; stmt_at(func, p).as<For>(); p = below(p, 0)) ++count;
  f.nest = nest_at(func, stage.at, count);
  if (!f.nest.guards.empty()) throw NotApplicable("branches stand between the loops");
  require_independent_bounds(func, f.nest);
  const Block* block = f.nest.body.as<Block>();
  if (!block || block->predicate) throw NotApplicable("in the nest stands no block without a predicate");
  f.block = *block;
  const Store* store = block->body.as<Store>();
  if (!store || !store->value->dtype.is_scalar()) throw NotApplicable("the block is not one store");
  f.store = *store;
  for (const For& l : f.nest.loops) {
    if (l.kind != ForKind::Serial && l.kind != ForKind::Unrolled) {
      throw NotApplicable("the loop over '" + l.var.name() + "' is not serial");
    }
  }
  const Expr& value = store->value;
  const Expr cell = load(store->buffer, store->indices);
  const bool known = value->op == Op::Add || value->op == Op::Mul || value->op == Op::Min || value->op == Op::Max;
  if (!known || (!(value->args[0] == cell) && !(value->args[1] == cell))) {
    throw NotApplicable("the block does not accumulate into its cell by +, *, min or max");
  }
  if (may_wrap(value->op, value->dtype) && !value->wraps) throw NotApplicable("the accumulation is index arithmetic");
  f.op = value->op;
  f.term = value->args[0] == cell ? value->args[1] : value->args[0];
  if (data_read(f.term).count(store->buffer->data) || holds_undef(f.term)) {
    throw NotApplicable("what is accumulated reads '" + store->buffer->name + "', or holds an undef");
  }
  const Buffer& buffer = f.store.buffer;
  demand_own_memory(func, buffer);
  demand_scalar_indices(f.nest.body, buffer);
  f.bound = bindings_of(func, f.block);
  for (const Expr& index : f.store.indices) {
    f.cell.push_back(substitute(index, f.bound));
    require_index(func, f.cell.back(), "an index of the store");
  }
  for (const For& l : f.nest.loops) {
    bool used = false;
    for (const Expr& index : f.cell) used |= uses_var(index, l.var);
    f.is_s.push_back(used);
    if (!as_int(l.min) || !is_int(l.min, 0))
      throw NotApplicable("the loop over '" + l.var.name() + "' starts elsewhere than at 0");
  }
  return f;
}

std::vector<Expr> given_in_s(const Facts& facts, const Reduction& f) {
  return join(facts.given(), ranges_of(facts, loops_of_s(f)));
}

void owe_reduction(const std::string& rule, const PrimFunc& func, const Reduction& f, const Facts& facts,
                   std::vector<Obligation>* needs) {
  const Stmt stmt = stmt_at(func, f.nest.body_path);
  const Buffer& buffer = f.store.buffer;
  const std::vector<For> all_s = loops_of_s(f);
  auto owe = [&](const std::string& why, const std::vector<Expr>& known, const Expr& goal) {
    needs->push_back(need(rule, why, func, stmt, known, facts.resolve(goal)));
  };
  const std::vector<Expr> given = facts.given(), spatial = given_in_s(facts, f);
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    const For& l = f.nest.loops[i];
    if (!f.is_s[i]) owe("loop '" + l.var.name() + "' runs at least once", spatial, gt(l.extent, zero(l.extent->dtype)));
  }
  const Store* init = f.block.init ? f.block.init.as<Store>() : nullptr;
  if (f.block.init) {
    if (!init || !(init->buffer == buffer) || init->indices != f.store.indices) {
      throw NotApplicable("the init does not set the cell that the block accumulates into");
    }
    const Expr value = substitute(init->value, f.bound);
    if (data_read(value).count(buffer->data) || holds_undef(value)) throw NotApplicable("the init reads its cell");
    VarMap start;
    for (size_t i = 0; i < f.nest.loops.size(); ++i) {
      if (f.is_s[i]) continue;
      start.emplace(f.nest.loops[i].var, f.nest.loops[i].min);
      if (uses_var(value, f.nest.loops[i].var)) throw NotApplicable("the init uses a loop of the reduction");
    }
    std::vector<Expr> initialises = join(given, ranges_of(facts, f.nest.loops));
    for (const IterVar& iter : f.block.iters) {
      if (iter.kind != IterKind::Reduce) continue;
      require_index(func, iter.dom.min, "a domain of the block");
      const Expr first = eq(iter.binding, iter.dom.min);
      initialises.push_back(facts.resolve(first));
      owe("the init runs in the first iteration of the reduction", spatial, substitute(first, start));
    }
    for (size_t i = 0; i < f.nest.loops.size(); ++i) {
      const For& l = f.nest.loops[i];
      if (!f.is_s[i])
        owe("the init runs where '" + l.var.name() + "' is at its start alone", initialises, eq(Expr(l.var), l.min));
    }
  }
  const VarMap second = fresh_copies(all_s);
  std::vector<Expr> same = spatial;
  for (const Expr& e : ranges_of(facts, all_s)) same.push_back(substitute(e, second));
  for (const Expr& index : f.cell) same.push_back(eq(facts.resolve(index), substitute(facts.resolve(index), second)));
  for (const For& l : all_s) owe("different iterations have different cells", same, eq(Expr(l.var), second.at(l.var)));
}

LoopCopies loop_copies(const Nest& nest, const std::vector<bool>& wanted) {
  LoopCopies out;
  for (size_t i = 0; i < nest.loops.size(); ++i) {
    if (!wanted[i]) continue;
    For copy = nest.loops[i];
    copy.var = Var::fresh(copy.var.name(), copy.var.dtype());
    copy.annotations = {};
    copy.kind = ForKind::Serial;
    out.names.emplace(nest.loops[i].var, Expr(copy.var));
    out.loops.push_back(std::move(copy));
  }
  return out;
}

Stmt loops_over(const std::vector<For>& loops, Stmt body) {
  for (size_t i = loops.size(); i-- > 0;) {
    For loop = loops[i];
    loop.body = body;
    body = make_stmt(std::move(loop));
  }
  return body;
}

}  // namespace hexproof
