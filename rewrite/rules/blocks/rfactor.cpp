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
//     a zero operand changes nothing, and a zero that has an operand +0.0 is +0.0. Where `contract` may fuse a product
//     of another format with the start of a sum, the product is rounded there, so that no start is neutral.
//  2. Every loop of the reduction runs at least once: each partial result is initialised, and one is there.
//  3. The init, if there is one, runs in the first iteration of k and r, and in no other; it uses neither.
//  4. Different iterations of s have different cells.
//  5. e, f and the bounds of the loops read nothing of C, f and the bounds no memory at all; e holds no undef; bounds
//     depend on no loop of the nest (checked here).
//  6. The partial results fit in memory; the bounds of the loops behind are no error without those between them.
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/memory/reduction.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

constexpr const char* kRfactor = "rfactor";

Expr neutral_of(Op op, DType type) {
  const bool whole = type.is_integer();
  if (!type.is_scalar()) throw NotApplicable("no neutral value is known of accumulations of vectors");
  if (op == Op::Add) return whole ? zero(type) : fimm(type, -0.0);
  if (op == Op::Mul) return whole ? imm(type, 1) : fimm(type, 1.0);
  if (op == Op::Min && whole && type.bits < 64)
    return imm(type, type.is_uint() ? (int64_t{1} << type.bits) - 1 : (int64_t{1} << (type.bits - 1)) - 1);
  if (op == Op::Max && whole && type.bits < 64) return imm(type, type.is_uint() ? 0 : -(int64_t{1} << (type.bits - 1)));
  throw NotApplicable("no neutral value of this accumulation is known");
}

void owe_laws(const PrimFunc& func, const Stmt& stmt, const Reduction& f, std::vector<Obligation>* needs) {
  const DType type = f.store.value->dtype;
  const std::string op(info(f.op).text);
  if (type.is_float()) {
    if (f.op != Op::Add && f.op != Op::Mul) throw NotApplicable("minima and maxima of floats depend on their order");
    if (!func.granted("reassoc")) {
      throw NotApplicable("partial results round in another way: floats need the flag `reassoc`");
    }
    const OpenRounding open = open_rounding_of(func);
    if (open.contract && !open.one_format)
      throw NotApplicable("more sums start, and `contract` fuses a product of another format with each start");
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

Rewrite rfactor(const PrimFunc& func, const RfactorArgs& args) {
  const Path loop = loop_arg(func, args.loop);
  Reduction f = reduction_around(func, loop);
  if (loop.size() < f.nest_path.size() || loop.size() >= f.nest_path.size() + f.nest.loops.size()) {
    throw NotApplicable("the loop is none of a perfect nest");
  }
  const size_t k = loop.size() - f.nest_path.size();  // among the loops of the nest
  const Stmt stmt = stmt_at(func, f.nest.body_path);
  const Buffer& buffer = f.store.buffer;
  const VarMap& bound = f.bound;
  if (f.is_s[k]) throw NotApplicable("the loop over '" + f.nest.loops[k].var.name() + "' is none of the reduction");

  Rewrite out{.after = func, .needs = {}};
  const Facts facts = facts_at(func, f.nest_path);
  owe_laws(func, stmt, f, &out.needs);
  owe_reduction(kRfactor, func, f, facts, &out.needs);
  const Store* init = f.block.init ? f.block.init.as<Store>() : nullptr;

  // The partial results.
  const int64_t axis = args.axis.value_or(0);
  if (axis < 0 || axis > static_cast<int64_t>(buffer->ndim()))
    throw NotApplicable("there is no such place for an axis");
  auto with_axis = [&](std::vector<Expr> list, const Expr& e) {
    list.insert(list.begin() + axis, e);
    return list;
  };
  const Buffer partial = make_buffer(buffer->name + "_rf", buffer->dtype,
                                     with_axis(buffer->shape, f.nest.loops[k].extent), {.scope = buffer->scope});

  Block sums{.name = f.block.name + "_rf"};
  VarMap own;
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    const For& l = f.nest.loops[i];
    const Var v = Var::fresh("v" + l.var.name(), l.var.dtype());
    const bool keeps = f.is_s[i] || i == k;
    sums.iters.push_back({v, {l.min, l.extent}, keeps ? IterKind::Spatial : IterKind::Reduce, Expr(l.var)});
    own.emplace(l.var, Expr(v));
  }
  auto put = [&](const Expr& e) { return substitute(substitute(e, bound), own); };
  std::vector<Expr> there;
  for (const Expr& index : f.store.indices) there.push_back(put(index));
  there = with_axis(there, own.at(f.nest.loops[k].var));
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
  stays[k] = true;
  const LoopCopies back = loop_copies(f.nest, stays);
  Block total{.name = f.block.name};
  VarMap names;
  for (const For& l : back.loops) {
    const Var v = Var::fresh("v" + l.var.name(), l.var.dtype());
    const bool reduces = back.names.at(f.nest.loops[k].var) == Expr(l.var);
    total.iters.push_back({v, {l.min, l.extent}, reduces ? IterKind::Reduce : IterKind::Spatial, Expr(l.var)});
    names.emplace(l.var, Expr(v));
  }
  auto put_back = [&](const Expr& e) { return substitute(substitute(substitute(e, bound), back.names), names); };
  std::vector<Expr> to;
  for (const Expr& index : f.store.indices) to.push_back(put_back(index));
  const Expr one = load(partial, with_axis(to, put_back(Expr(f.nest.loops[k].var))));
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
