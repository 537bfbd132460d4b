// split-sum {block: Path or name}
//
//                                               C_sum0 = alloc_buffer(...); C_sum1 = alloc_buffer(...); ...
//   for s: for r: with T.block("C"):            for s: for r: with T.block("C_sum0"):
//     init: C[f(s)] = c                           init: C_sum0[s] = 0;   C_sum0[s] = C_sum0[s] + e0(s, r)
//     C[f(s)] = C[f(s)] + e(s, r)        ->     for s1: for r: with T.block("C_sum1"):
//                                                 init: C_sum1[s1] = 0;  C_sum1[s1] = C_sum1[s1] + e1(s1, r)
//                                               for s1: with T.block("C_term1"):
//                                                 C_term1[s1] = a1(s1) * C_sum1[s1]
//                                               for s: with T.block("C"):
//                                                 C[f(s)] = c + C_sum0[s] + C_term1[s1] + ...
//
// e is multiplied out into terms. Of each term, a are the factors in which no loop r of the reduction occurs, and what
// is left is summed by itself, over the loops s1 of s that it speaks of and over r; terms of which nothing is left are
// multiplied by the number of iterations of r. A factor that speaks of s1 alone has a stage of its own, as a1 has; none
// is made for the factor 1, and one that is kept for as many cells as C has stands in the last stage. The loops around
// the block are one perfect nest, which is a stage, and start at 0; the block has one store, and no predicate; s are
// the loops that the indices f speak of, r the others. Without an init C[f(s)] stands for c. Each block of sums has a
// variable for each of its loops.
//
// Side conditions
//  1. The accumulation is + on integers, as data, which wraps: sums are associative and commutative, and a factor
//     may be multiplied to each term or to their sum.
//  2. The terms add up to e, at each iteration.
//  3. Every loop of the nest runs at least once: what is summed without some loops is evaluated in the program before.
//  4. The init, if there is one, runs in the first iteration of r, and in no other; it uses none.
//  5. Different iterations of s have different cells.
//  6. e, f and the bounds of the loops read nothing of C, f and the bounds no memory at all; e holds no undef; bounds
//     depend on no loop of the nest (checked here).
//  7. The sums fit in memory; the bounds of the loops are no error where they now stand.
#include <algorithm>
#include <functional>

#include "ir/visit.h"
#include "rewrite/memory/made.h"
#include "rewrite/memory/reduction.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kSplitSum = "split-sum";
constexpr size_t kMostTerms = 64;

/// A product, with its sign.
struct Term {
  bool minus = false;
  std::vector<Expr> factors = {};
};

/// The sum that `e` is, multiplied out as far as its operations wrap.
std::vector<Term> multiplied_out(const Expr& e) {
  const bool sum = e->op == Op::Add || e->op == Op::Sub;
  if (!e->wraps || (!sum && e->op != Op::Mul)) return {{.factors = {e}}};
  const std::vector<Term> left = multiplied_out(e->args[0]), right = multiplied_out(e->args[1]);
  std::vector<Term> out;
  if (sum) {
    out = left;
    for (Term t : right) {
      t.minus ^= e->op == Op::Sub;
      out.push_back(std::move(t));
    }
  } else {
    for (const Term& a : left) {
      for (const Term& b : right) {
        Term t{.minus = a.minus != b.minus, .factors = a.factors};
        t.factors.insert(t.factors.end(), b.factors.begin(), b.factors.end());
        out.push_back(std::move(t));
      }
    }
  }
  if (out.size() > kMostTerms) throw NotApplicable("multiplied out, the sum has too many terms");
  return out;
}

Expr product(const std::vector<Expr>& factors, DType type) {
  Expr out;
  for (const Expr& e : factors) out = out ? fold(binary(Op::Mul, out, e, true)) : e;
  return out ? out : imm(type, 1);
}

/// coefficient * sum over r of `factors`, whose product is `summed`.
struct Part {
  std::vector<Expr> factors;
  Expr summed, coefficient;
};

/// The terms by what is summed of them: equal ones together.
std::vector<Part> parts_of(const Reduction& f) {
  const DType type = f.store.value->dtype;
  VarMap bound = f.bound;
  std::vector<Part> out;
  for (const Term& t : multiplied_out(f.term)) {
    std::vector<Expr> inner, outer;
    for (const Expr& e : t.factors) {
      const Expr there = substitute(e, bound);
      bool varies = false;
      for (size_t i = 0; i < f.nest.loops.size(); ++i) varies |= !f.is_s[i] && uses_var(there, f.nest.loops[i].var);
      (varies ? inner : outer).push_back(there);
    }
    Expr coefficient = product(outer, type);
    auto same = std::find_if(out.begin(), out.end(), [&](const Part& p) { return p.factors == inner; });
    if (same == out.end()) {
      if (t.minus) coefficient = fold(binary(Op::Sub, zero(type), coefficient, true));
      out.push_back({inner, product(inner, type), coefficient});
    } else {
      same->coefficient = fold(binary(t.minus ? Op::Sub : Op::Add, same->coefficient, coefficient, true));
    }
  }
  return out;
}

Expr times(const Expr& coefficient, const Expr& e) {
  return is_int(coefficient, 1) ? e : fold(binary(Op::Mul, coefficient, e, true));
}

void owe_laws(const PrimFunc& func, const Stmt& stmt, DType type, std::vector<Obligation>* needs) {
  auto opaque = [&](const char* name) { return uninterpreted(Op::Opaque, type, name, {}); };
  auto plus = [](const Expr& a, const Expr& b) { return binary(Op::Add, a, b, true); };
  auto mul = [](const Expr& a, const Expr& b) { return binary(Op::Mul, a, b, true); };
  const Expr a = opaque("a"), b = opaque("b"), c = opaque("c");
  auto owe = [&](const char* why, const Expr& goal) { needs->push_back(need(kSplitSum, why, func, stmt, {}, goal)); };
  owe("sums are associative", eq(plus(plus(a, b), c), plus(a, plus(b, c))));
  owe("sums are commutative", eq(plus(a, b), plus(b, a)));
  owe("sums start neutral", eq(plus(zero(type), a), a));
  auto sum = [](const Expr& x, const Expr& y) { return binary(Op::Add, x, y, false); };
  auto product = [](const Expr& x, const Expr& y) { return binary(Op::Mul, x, y, false); };
  // Of all integers: what is left of a product or a sum by the type's width depends on no more of the operands.
  owe("a factor of all terms is one of their sum", eq(product(a, sum(b, c)), sum(product(a, b), product(a, c))));
  owe("a factor of no term leaves none", eq(mul(a, zero(type)), zero(type)));
}

/// A stage of the sums, and the memory that it fills, which has an axis for each loop that it keeps of s.
struct Made {
  Buffer buffer;
  std::vector<bool> keeps;  // per loop of the nest
  Stmt stage;
};

/// for loops: with T.block(C + suffix): buffer[kept] = value, over copies of the loops for which `runs` holds. `value`
/// is given the cell, and is over the loops of the nest.
Made stage_of(const Reduction& f, const std::string& suffix, const std::vector<bool>& keeps,
              const std::vector<bool>& runs, bool sums, const std::function<Expr(const Expr&)>& value,
              const Span& span) {
  Made out{.buffer = {}, .keeps = keeps, .stage = {}};
  const LoopCopies loops = loop_copies(f.nest, runs);
  Block block{.name = f.block.name + suffix};
  VarMap own;
  std::vector<Expr> shape, cell;
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    if (!runs[i]) continue;
    const For& l = f.nest.loops[i];
    const Var v = Var::fresh("v" + l.var.name(), l.var.dtype());
    const IterKind kind = keeps[i] ? IterKind::Spatial : IterKind::Reduce;
    block.iters.push_back({v, {l.min, l.extent}, kind, loops.names.at(l.var)});
    own.emplace(l.var, Expr(v));
    if (keeps[i]) shape.push_back(l.extent), cell.push_back(Expr(v));
  }
  if (cell.empty()) shape.push_back(i32(1)), cell.push_back(i32(0));
  out.buffer = make_buffer(f.store.buffer->name + suffix, f.store.buffer->dtype, shape, {.scope = "global"});
  if (sums) block.init = make_stmt(Store{out.buffer, cell, zero(out.buffer->dtype)});
  block.body = make_stmt(Store{out.buffer, cell, substitute(value(load(out.buffer, cell)), own)}, span);
  out.stage = loops_over(loops.loops, make_stmt(std::move(block), span));
  return out;
}

/// The cell of what was made, over the loops of the nest.
Expr cell_of(const Reduction& f, const Made& made) {
  std::vector<Expr> where;
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    if (made.keeps[i]) where.push_back(Expr(f.nest.loops[i].var));
  }
  if (where.empty()) where.push_back(i32(0));
  return load(made.buffer, where);
}

/// The number of iterations of r, as it is modulo the type's width.
Expr iterations(const Reduction& f, DType type) {
  Expr out;
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    if (f.is_s[i]) continue;
    const Expr& extent = f.nest.loops[i].extent;
    const Expr count =
        as_int(extent) && fits_type(type, int_value(extent)) ? imm(type, int_value(extent)) : cast(type, extent);
    out = out ? fold(binary(Op::Mul, out, count, true)) : count;
  }
  return out ? out : imm(type, 1);
}

/// The stages of a part; what it adds to the result, over the loops of the nest.
Expr make_part(const Reduction& f, const Part& part, size_t number, const Span& span, std::vector<Made>* made) {
  if (part.factors.empty()) return times(part.coefficient, iterations(f, f.store.value->dtype));
  std::vector<bool> keeps, runs;
  bool own_factor = !is_int(part.coefficient, 1);
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    const Var& var = f.nest.loops[i].var;
    keeps.push_back(f.is_s[i] && uses_var(part.summed, var));
    runs.push_back(keeps[i] || !f.is_s[i]);
    own_factor &= keeps[i] || !uses_var(part.coefficient, var);
  }
  const std::string suffix = std::to_string(number);
  made->push_back(stage_of(
      f, "_sum" + suffix, keeps, runs, true, [&](const Expr& cell) { return binary(Op::Add, cell, part.summed, true); },
      span));
  const Expr sum = cell_of(f, made->back());
  // As many cells as the result has: a stage for the factor would save nothing.
  if (!own_factor || keeps == f.is_s) return times(part.coefficient, sum);
  made->push_back(stage_of(
      f, "_term" + suffix, keeps, keeps, false, [&](const Expr&) { return times(part.coefficient, sum); }, span));
  return cell_of(f, made->back());
}

Rewrite split_sum(const PrimFunc& func, const SplitSumArgs& args) {
  const Path at = block_arg(func, args.block);
  const Reduction f = reduction_around(func, at);
  if (f.nest.body_path != at) throw NotApplicable("the block does not stand right inside of a nest of loops");
  const DType type = f.store.value->dtype;
  if (f.op != Op::Add || !type.is_integer()) throw NotApplicable("the block does not add integers to its cell");
  const std::vector<Part> parts = parts_of(f);
  const Stmt stmt = stmt_at(func, at);

  Rewrite out{.after = func, .needs = {}};
  const Facts facts = facts_at(func, f.nest_path);
  owe_laws(func, stmt, type, &out.needs);
  // 2
  Expr all;
  for (const Part& p : parts) {
    const Expr term = p.factors.empty() ? p.coefficient : times(p.coefficient, p.summed);
    all = all ? binary(Op::Add, all, term, true) : term;
  }
  out.needs.push_back(need(kSplitSum, "the terms add up to what was added", func, stmt,
                           join(facts.given(), ranges_of(facts, f.nest.loops)),
                           facts.resolve(eq(substitute(f.term, f.bound), all))));
  // 3: the others are owed below.
  for (size_t i = 0; i < f.nest.loops.size(); ++i) {
    const For& l = f.nest.loops[i];
    if (f.is_s[i]) {
      out.needs.push_back(need(kSplitSum, "loop '" + l.var.name() + "' runs at least once", func, stmt, facts.given(),
                               facts.resolve(gt(l.extent, zero(l.extent->dtype)))));
    }
  }
  owe_reduction(kSplitSum, func, f, facts, &out.needs);

  // The sums, and what they make together.
  const LoopCopies loops = loop_copies(f.nest, f.is_s);
  Block total{.name = f.block.name};
  VarMap own;
  for (const For& l : loops.loops) {
    const Var v = Var::fresh("v" + l.var.name(), l.var.dtype());
    total.iters.push_back({v, {l.min, l.extent}, IterKind::Spatial, Expr(l.var)});
    own.emplace(l.var, Expr(v));
  }
  auto put = [&](const Expr& e) { return substitute(substitute(substitute(e, f.bound), loops.names), own); };
  std::vector<Expr> cell;
  for (const Expr& index : f.store.indices) cell.push_back(put(index));
  const Store* init = f.block.init ? f.block.init.as<Store>() : nullptr;
  Expr value = init ? put(init->value) : load(f.store.buffer, cell);
  std::vector<Made> made;
  size_t number = 0;
  for (const Part& p : parts) {
    const Expr term = put(make_part(f, p, number, stmt->span, &made));
    number += p.factors.empty() ? 0 : 1;
    value = is_int(value, 0) ? term : binary(Op::Add, value, term, true);
  }
  if (made.empty()) throw NotApplicable("nothing of the sum varies in the loops of the reduction");
  total.body = make_stmt(Store{f.store.buffer, cell, value}, stmt->span);
  const Stmt nest = stmt_at(func, f.nest_path);
  std::vector<Stmt> stages;
  std::vector<Buffer> more;
  for (const Made& m : made) {
    owe_made({kSplitSum, func, nest, facts, f.store.buffer, nest}, m.stage, &out.needs);
    stages.push_back(m.stage);
    if (stages.size() > 1) more.push_back(m.buffer);
  }
  out.after = with_copies(kSplitSum, func, stage_around(func, f.nest_path),
                          {.cache = made[0].buffer,
                           .like = f.store.buffer,
                           .before = {},
                           .changed = seq(stages),
                           .after = loops_over(loops.loops, make_stmt(std::move(total), stmt->span)),
                           .more = more},
                          &out.needs);
  return out;
}

}  // namespace

extern const Rule k_split_sum{rule<split_sum>("a sum of sums  ->  sums by themselves, and what they make together")};

}  // namespace hexproof
