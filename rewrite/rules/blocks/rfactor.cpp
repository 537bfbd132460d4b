// rfactor {loop: Path, Var or name; axis: position of the new axis among those of the partial results (default 0)}
//
//                                         C_rf = alloc_buffer((n, shape of C...))
//   for s: for k: for r:                  for s: for k: for r: with T.block("C_rf"):
//     with T.block("C"):         ->         init: C_rf[k, f(s)] = neutral;  C_rf[k, f(s)] = C_rf[k, f(s)] op e(s, k, r)
//       init: C[f(s)] = c                 for s: for k: with T.block("C"):
//       C[f(s)] = C[f(s)] op e              init: C[f(s)] = c;              C[f(s)] = C[f(s)] op C_rf[k, f(s)]
//
// `loop` is k, one of the loops of a reduction. The loops around the block are one perfect nest, which is a stage; the
// block has one store, and no predicate. s are the loops that the indices f speak of, r the others. The init may be
// missing. The block of the partial results has a variable for each loop.
//
// Side conditions
//  1. op is associative and commutative, and `neutral` is neutral: proved on integers (+, *, min, max), whose sums must
//     be data, which wraps. Floats need `reassoc`, and + or *; -0.0 and 1.0 are neutral to the bit. A sum that starts
//     at +0.0 has partial results that start there, too, unless `contract` is granted: of what is not zero the sign of
//     a zero operand changes nothing, and a zero that has an operand +0.0 is +0.0.
//  2. Every loop of the reduction runs at least once: each partial result is initialised, and one is there.
//  3. The init, if there is one, runs in the first iteration of k and r, and in no other; it uses neither.
//  4. Different iterations of s have different cells.
//  5. e, f and the bounds of the loops read nothing of C, f and the bounds no memory at all; e holds no undef; bounds
//     depend on no loop of the nest (checked here).
//  6. The partial results fit in memory; the bounds of the loops behind are no error without those between them.
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/memory/cache_stage.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/nest.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kRfactor = "rfactor";

struct Factored {
  Path nest_path;
  Nest nest;
  Block block;
  Store store;
  Op op;
  Expr term;               // e
  size_t k = 0;            // the loop among those of the nest
  std::vector<bool> is_s;  // per loop
};

Expr neutral_of(Op op, DType type) {
  const bool whole = type.is_integer();
  if (op == Op::Add) return whole ? zero(type) : fimm(type, -0.0);
  if (op == Op::Mul) return whole ? imm(type, 1) : fimm(type, 1.0);
  if (op == Op::Min && whole && type.bits < 64)
    return imm(type, type.is_uint() ? (int64_t{1} << type.bits) - 1 : (int64_t{1} << (type.bits - 1)) - 1);
  if (op == Op::Max && whole && type.bits < 64) return imm(type, type.is_uint() ? 0 : -(int64_t{1} << (type.bits - 1)));
  throw NotApplicable("no neutral value of this accumulation is known");
}

Factored read_reduction(const PrimFunc& func, const RfactorArgs& args) {
  const Path loop = loop_arg(func, args.loop);
  const Stage stage = stage_around(func, loop);
  Factored f{.nest_path = stage.at, .nest = {}, .block = {}, .store = {}, .op = Op::Add, .term = {}, .is_s = {}};
  size_t count = 0;
  for (Path at = stage.at; stmt_at(func, at).as<For>(); at = below(at, 0)) ++count;
  f.nest = nest_at(func, stage.at, count);
  if (!f.nest.guards.empty()) throw NotApplicable("branches stand between the loops");
  require_independent_bounds(func, f.nest);
  if (loop.size() < stage.at.size() || loop.size() >= stage.at.size() + count) {
    throw NotApplicable("the loop is none of a perfect nest");
  }
  f.k = loop.size() - stage.at.size();
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
  // 1 and 5: T[c] = T[c] op e
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
  return f;
}

/// The expression with the variables of the block put in: over the loops of the nest.
VarMap bindings_of(const PrimFunc& func, const Block& block) {
  VarMap out;
  for (const IterVar& iter : block.iters) {
    require_index(func, iter.binding, "a binding of the block");
    out.emplace(iter.var, iter.binding);
  }
  return out;
}

void owe_laws(const PrimFunc& func, const Stmt& stmt, const Factored& f, std::vector<Obligation>* needs) {
  const DType type = f.store.value->dtype;
  const std::string op(info(f.op).text);
  if (type.is_float()) {
    if (f.op != Op::Add && f.op != Op::Mul) throw NotApplicable("minima and maxima of floats depend on their order");
    if (!func.granted("reassoc")) {
      throw NotApplicable("partial results round in another way: floats need the flag `reassoc`");
    }
    Obligation granted =
        need(kRfactor, "the accumulation may be regrouped: `reassoc` is granted", func, stmt, {}, boolean(true));
    granted.flags = {"reassoc"};
    needs->push_back(std::move(granted));
    return;
  }
  auto opaque = [&](const char* name) { return uninterpreted(Op::Opaque, type, name, {}); };
  auto apply = [&](const Expr& a, const Expr& b) { return binary(f.op, a, b); };
  const Expr a = opaque("a"), b = opaque("b"), c = opaque("c"), none = neutral_of(f.op, type);
  needs->push_back(need(kRfactor, "accumulations are associative", func, stmt, {},
                        eq(apply(apply(a, b), c), apply(a, apply(b, c)))));
  needs->push_back(need(kRfactor, "accumulations are commutative", func, stmt, {}, eq(apply(a, b), apply(b, a))));
  needs->push_back(need(kRfactor, "the partial results start neutral", func, stmt, {}, eq(apply(none, a), a)));
}

struct Loops {
  std::vector<For> loops;
  VarMap names;  // old variable -> new one
};
/// Copies of those loops of the nest for which `wanted` holds.
Loops loop_copies(const Nest& nest, const std::vector<bool>& wanted) {
  Loops out;
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

Rewrite rfactor(const PrimFunc& func, const RfactorArgs& args) {
  Factored f = read_reduction(func, args);
  const Stmt stmt = stmt_at(func, f.nest.body_path);
  const Buffer& buffer = f.store.buffer;
  demand_own_memory(func, buffer);
  demand_scalar_indices(stmt, buffer);
  const VarMap bound = bindings_of(func, f.block);
  std::vector<Expr> cell;
  for (const Expr& index : f.store.indices) {
    cell.push_back(substitute(index, bound));
    require_index(func, cell.back(), "an index of the store");
  }
  for (const For& l : f.nest.loops) {
    bool used = false;
    for (const Expr& index : cell) used |= uses_var(index, l.var);
    f.is_s.push_back(used);
    if (!as_int(l.min) || !is_int(l.min, 0))
      throw NotApplicable("the loop over '" + l.var.name() + "' starts elsewhere than at 0");
  }
  if (f.is_s[f.k]) throw NotApplicable("the loop over '" + f.nest.loops[f.k].var.name() + "' is none of the reduction");

  Rewrite out{.after = func, .needs = {}};
  const Facts facts = facts_at(func, f.nest_path);
  const std::vector<Expr> given = facts.given();
  auto owe = [&](const std::string& why, const std::vector<Expr>& known, const Expr& goal) {
    out.needs.push_back(need(kRfactor, why, func, stmt, known, facts.resolve(goal)));
  };
  owe_laws(func, stmt, f, &out.needs);
  // 2
  std::vector<Expr> spatial = given;
  std::vector<For> all_s;
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    if (f.is_s[i]) all_s.push_back(f.nest.loops[i]);
  }
  spatial = join(spatial, ranges_of(facts, all_s));
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    const For& l = f.nest.loops[i];
    if (!f.is_s[i]) owe("loop '" + l.var.name() + "' runs at least once", spatial, gt(l.extent, zero(l.extent->dtype)));
  }
  // 3
  const Store* init = f.block.init ? f.block.init.as<Store>() : nullptr;
  if (f.block.init) {
    if (!init || !(init->buffer == buffer) || init->indices != f.store.indices) {
      throw NotApplicable("the init does not set the cell that the block accumulates into");
    }
    const Expr value = substitute(init->value, bound);
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
  // 4
  const VarMap second = fresh_copies(all_s);
  std::vector<Expr> same = spatial;
  for (const Expr& e : ranges_of(facts, all_s)) same.push_back(substitute(e, second));
  for (const Expr& index : cell) same.push_back(eq(facts.resolve(index), substitute(facts.resolve(index), second)));
  for (const For& l : all_s) owe("different iterations have different cells", same, eq(Expr(l.var), second.at(l.var)));

  // The partial results.
  const int64_t axis = args.axis.value_or(0);
  if (axis < 0 || axis > static_cast<int64_t>(buffer->ndim()))
    throw NotApplicable("there is no such place for an axis");
  auto with_axis = [&](std::vector<Expr> list, const Expr& e) {
    list.insert(list.begin() + axis, e);
    return list;
  };
  const Buffer partial = make_buffer(buffer->name + "_rf", buffer->dtype,
                                     with_axis(buffer->shape, f.nest.loops[f.k].extent), {.scope = buffer->scope});

  Block sums{.name = f.block.name + "_rf"};
  VarMap own;
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    const For& l = f.nest.loops[i];
    const Var v = Var::fresh("v" + l.var.name(), l.var.dtype());
    const bool keeps = f.is_s[i] || i == f.k;
    sums.iters.push_back({v, {l.min, l.extent}, keeps ? IterKind::Spatial : IterKind::Reduce, Expr(l.var)});
    own.emplace(l.var, Expr(v));
  }
  auto put = [&](const Expr& e) { return substitute(substitute(e, bound), own); };
  std::vector<Expr> there;
  for (const Expr& index : f.store.indices) there.push_back(put(index));
  there = with_axis(there, own.at(f.nest.loops[f.k].var));
  const DType type = f.store.value->dtype;
  auto accumulated = [&](const Buffer& b, const std::vector<Expr>& at, const Expr& e) {
    const Expr left = load(b, at);
    return f.store.value->args[0] == load(buffer, f.store.indices) ? binary(f.op, left, e, f.store.value->wraps)
                                                                   : binary(f.op, e, left, f.store.value->wraps);
  };
  const bool sum_of_floats = type.is_float() && f.op == Op::Add && !func.granted("contract");
  const bool from_zero = sum_of_floats && init && init->value == fimm(type, 0.0);
  const Expr start = from_zero ? init->value : neutral_of(f.op, type);
  sums.init = make_stmt(Store{partial, there, start});
  sums.body = make_stmt(Store{partial, there, accumulated(partial, there, put(f.term))}, stmt->span);
  const PrimFunc inner = replace_at(func, f.nest.body_path, make_stmt(std::move(sums), stmt->span));

  // The sum of the partial results.
  std::vector<bool> stays = f.is_s;
  stays[f.k] = true;
  const Loops back = loop_copies(f.nest, stays);
  Block total{.name = f.block.name};
  VarMap names;
  for (const For& l : back.loops) {
    const Var v = Var::fresh("v" + l.var.name(), l.var.dtype());
    const bool reduces = back.names.at(f.nest.loops[f.k].var) == Expr(l.var);
    total.iters.push_back({v, {l.min, l.extent}, reduces ? IterKind::Reduce : IterKind::Spatial, Expr(l.var)});
    names.emplace(l.var, Expr(v));
  }
  auto put_back = [&](const Expr& e) { return substitute(substitute(substitute(e, bound), back.names), names); };
  std::vector<Expr> to;
  for (const Expr& index : f.store.indices) to.push_back(put_back(index));
  const Expr one = load(partial, with_axis(to, put_back(Expr(f.nest.loops[f.k].var))));
  total.body = make_stmt(Store{buffer, to, accumulated(buffer, to, one)}, stmt->span);
  if (init) total.init = make_stmt(Store{buffer, to, put_back(init->value)}, stmt->span);
  out.after = with_copies(kRfactor, func, stage_around(func, f.nest_path),
                          {.cache = partial,
                           .like = buffer,
                           .before = {},
                           .changed = stmt_at(inner, f.nest_path),
                           .after = loops_over(back.loops, make_stmt(std::move(total), stmt->span))},
                          &out.needs);
  return out;
}

}  // namespace

extern const Rule k_rfactor{rule<rfactor>("a reduction  ->  partial results, and the reduction of these")};

}  // namespace hexproof
