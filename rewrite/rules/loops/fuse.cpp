// fuse {at: outer loop, name: name of the new loop}
//
//   for i in [a, a + n):                  for f in [0, n * m):
//     for j in [b, b + m):        ->        S(a + f // m, b + f % m)
//       S(i, j)
//
// An `if` between the loops that depends on no buffer's content moves inside, around S.
//
// Side conditions
//  1. The bounds of the inner loop do not depend on i, nor on a buffer's content (checked here).
//  2. n * m fits the type of the loops, which must be one type (checked here).
//  3. n >= 0 or m >= 0: the product of two negative extents would run.
//  4. a + f // m and b + f % m fit, for every f in the new range (so m is not zero there).
//  5. Both loops are of one kind: serial, unrolled or parallel (checked here). Two iterations of the fused parallel
//     loop differ in i or in j, so they were iterations of the outer or of the inner parallel loop.
#include "ir/visit.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/nest.h"

namespace hexproof {
namespace {

Expr plus(const Expr& start, const Expr& offset) { return is_int(start, 0) ? offset : start + offset; }

Rewrite fuse(const PrimFunc& func, const FuseArgs& args) {
  const Path& at = args.at;
  Nest nest = nest_at(func, at, 2);
  require_independent_bounds(func, nest);
  const Stmt stmt = checked_at(func, at);
  const For &outer = nest.loops[0], &inner = nest.loops[1];
  DType type = outer.var.dtype();
  if (!(type == inner.var.dtype())) throw NotApplicable("the loop variables are of different types");
  if (outer.kind != inner.kind || outer.kind == ForKind::Vectorized || outer.kind == ForKind::ThreadBinding) {
    throw EngineLimit("only two serial, two unrolled or two parallel loops are fused");
  }

  Var fused = Var::fresh(args.name, type);
  Expr i = plus(outer.min, floordiv(fused, inner.extent)), j = plus(inner.min, floormod(fused, inner.extent));
  Expr product = outer.extent * inner.extent;
  const int64_t *n = as_int(outer.extent), *m = as_int(inner.extent);
  Expr count = n && m && fits_type(type, Wide(*n) * *m) ? imm(type, Wide(*n) * *m) : product;
  Stmt body = substitute(guarded(nest.guards, nest.body, stmt->span), VarMap{{outer.var, i}, {inner.var, j}});
  Stmt after = make_stmt(For{.var = fused,
                             .min = zero(type),
                             .extent = count,
                             .kind = outer.kind,
                             .body = body,
                             .annotations = outer.annotations},
                         stmt->span);

  Rewrite result{.after = replace_at(func, at, after), .needs = {}};
  Facts facts = facts_at(func, at);
  std::vector<Expr> given = facts.given();
  auto owe = [&](const std::string& why, const std::vector<Expr>& under, const Expr& goal) {
    result.needs.push_back(need("fuse", why, func, stmt, under, facts.resolve(goal)));
  };
  owe("the product of the extents fits its type", given, bound_is_no_error(product));
  owe("the extents are not both negative", given, lor(ge(outer.extent, zero(type)), ge(inner.extent, zero(type))));
  std::vector<Expr> inside = join(given, range_of(fused, zero(type), facts.resolve(count)));
  owe("the outer index fits its type", inside, fits(i));
  owe("the inner index fits its type", inside, fits(j));
  return result;
}

}  // namespace

extern const Rule k_fuse{rule<fuse>("for i: for j: S(i, j)  ->  for f: S(f // m, f % m)")};

}  // namespace hexproof
