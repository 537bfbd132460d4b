// split {at: loop, factor: k, outer: name, inner: name}
//
//   for i in [m, m + n):                  for io in [0, (n + k - 1) // k):
//     S(i)                        ->        for ii in [0, k):
//                                             if io * k + ii < n:
//                                               S(m + io * k + ii)
//
// The guard is left out only when n is a constant and k divides it. It stands as an `if` around S, blocks
// included, so a block's bindings, predicate and init are reached for exactly the old instances.
//
// Side conditions
//  1. k > 0 (a constant: checked here) and k fits the type of i.
//  2. The number of outer iterations fits its type: n + k - 1 does not overflow.
//  3. io * k + ii fits the type of i, for every io and ii, also those that the guard cuts off.
//  4. Nothing is owed for m + io * k + ii where the guard holds: it is the value which i had in that iteration.
//  5. m and n depend on no buffer's content (checked here): they are evaluated more often than before.
//  6. Kinds: serial -> serial, serial; unrolled -> both; parallel -> parallel, serial (two outer iterations
//     that touch one cell were two iterations of the old loop that did). Vectorized and thread-bound loops are not
//     split.
#include "ir/visit.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite split(const PrimFunc& func, const SplitArgs& args) {
  const Path& at = args.at;
  const For& loop = record_at<For>(func, at, "a loop");
  const Stmt stmt = checked_at(func, at);
  int64_t factor = args.factor;
  DType type = loop.var.dtype();
  if (factor <= 0) throw NotApplicable("the factor must be positive");
  if (!fits_type(type, factor)) throw NotApplicable("the factor does not fit the type of the loop variable");
  if (loop.kind == ForKind::Vectorized || loop.kind == ForKind::ThreadBinding) {
    throw NotApplicable("a vectorized or thread-bound loop is not split");
  }
  Facts facts = facts_at(func, at);
  require_index(func, loop.min, "the start of the loop");
  require_index(func, loop.extent, "the extent of the loop");

  Var outer = Var::fresh(args.outer, type);
  Var inner = Var::fresh(args.inner, type);
  Expr k = imm(type, factor);
  Expr flat = Expr(outer) * k + Expr(inner);
  Expr value = is_int(loop.min, 0) ? flat : loop.min + flat;
  const int64_t* n = as_int(loop.extent);
  bool divides = n && *n >= 0 && *n % factor == 0;
  Expr count =
      n && *n >= 0 ? imm(type, (Wide(*n) + factor - 1) / factor) : floordiv(loop.extent + imm(type, factor - 1), k);
  if (n && *n < 0) count = zero(type);

  Stmt body = substitute(loop.body, VarMap{{loop.var, value}});
  Expr guard = lt(flat, loop.extent);
  if (!divides) body = make_stmt(If{guard, body, {}}, stmt->span);
  bool unrolled = loop.kind == ForKind::Unrolled;
  Stmt rest = make_stmt(For{.var = inner,
                            .min = zero(type),
                            .extent = k,
                            .kind = unrolled ? ForKind::Unrolled : ForKind::Serial,
                            .body = body},
                        stmt->span);
  Stmt after = make_stmt(For{.var = outer,
                             .min = zero(type),
                             .extent = count,
                             .kind = loop.kind,
                             .body = rest,
                             .annotations = loop.annotations},
                         stmt->span);

  std::vector<Expr> given = facts.given();
  std::vector<Expr> inside =
      join(join(given, range_of(outer, zero(type), facts.resolve(count))), range_of(inner, zero(type), k));
  Rewrite result{.after = replace_at(func, at, after), .needs = {}};
  auto owe = [&](const std::string& why, std::vector<Expr> under, const Expr& goal) {
    result.needs.push_back(need("split", why, func, stmt, std::move(under), facts.resolve(goal)));
  };
  owe("the number of outer iterations fits its type", given, fits(count));
  owe("the flat index fits its type", inside, fits(flat));
  if (divides) {
    owe("no guard is needed: the flat index stays below the extent", inside, guard);
  }
  return result;
}

}  // namespace

extern const Rule k_split{rule<split>("for i: S(i)  ->  for io: for ii: if io*k + ii < n: S(io*k + ii)")};

}  // namespace hexproof
