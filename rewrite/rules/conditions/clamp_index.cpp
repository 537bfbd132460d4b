// clamp-index {at: statement, expr: path to an integer expression in it (position among its expressions, then
//              operands), extent (optional: where the expression is an index, the extent of its axis)}
// clamp-index {at, expr, back: 1}
//
//   A[e]                          ->      A[floormod(e, n)]       and back
//
// This is how a branch is prepared to go whose accesses would leave the buffer without it: under the branch the index
// is what it was, and without it, it stays inside.
//
// Side conditions
//  1. Under Γ (and the conditions of T.if_then_else around the expression): 0 <= e and e < n. So n is not zero.
//  2. n depends on no buffer's content (checked here) and is no error, where it is new.
#include "ir/visit.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

struct Found {
  Expr e;
  Expr extent;                   // of the axis, when `e` is an index
  std::vector<Expr> conditions;  // of T.if_then_else on the way
};

Found find(const PrimFunc& func, const ExprPlace& place) {
  Found found{checked_expr(func, place), {}, {}};
  Stmt stmt = stmt_at(func, place.statement);
  Expr e = expressions(stmt)[static_cast<size_t>(place.expr[0])];
  if (const Store* store = stmt.as<Store>(); store && place.expr.size() == 1) {
    for (size_t d = 0; d < store->indices.size(); ++d) {
      if (e.get() == store->indices[d].get()) found.extent = store->buffer->shape[d];
    }
  }
  for (size_t k = 1; k < place.expr.size(); ++k) {
    size_t step = static_cast<size_t>(place.expr[k]);
    if (e->op == Op::Let) throw NotApplicable("a T.Let stands around the expression");
    if (e->op == Op::IfThenElse && step > 0) {
      for (Expr& c : conjuncts(e->args[0], step == 2)) found.conditions.push_back(std::move(c));
    }
    found.extent = e->op == Op::Load ? e->buffer()->shape[step] : Expr();
    e = Expr(e->args[step]);
  }
  return found;
}

Expr put(const Expr& e, const Path& path, size_t k, const Expr& value) {
  if (k == path.size()) return value;
  std::vector<Expr> args = e->args;
  size_t step = static_cast<size_t>(path[k]);
  args[step] = put(args[step], path, k + 1, value);
  return with_args(e, std::move(args));
}

Expr extent_arg(const std::optional<NumberArg>& given, DType type, const Expr& axis) {
  Expr extent = axis;
  if (given) {
    const int64_t* value = std::get_if<int64_t>(&*given);
    extent = value ? (fits_type(type, *value) ? imm(type, *value) : Expr()) : std::get<Expr>(*given);
  }
  if (!extent) throw NotApplicable("the expression is no index, and no extent of its type is given");
  if (as_int(extent) && fits_type(type, int_value(extent))) extent = imm(type, int_value(extent));
  if (extent->dtype != type) throw NotApplicable("the extent is of another type");
  return extent;
}

Rewrite clamp_index(const PrimFunc& func, const ClampIndexArgs& args) {
  ExprPlace place{args.at, args.expr};
  const Stmt stmt = checked_at(func, place.statement);
  const Found found = find(func, place);
  bool back = args.back.value_or(false);
  if (!found.e->dtype.is_scalar() || !found.e->dtype.is_integer()) throw NotApplicable("not an integer");
  if (holds_undef(found.e)) throw NotApplicable("the expression holds an undef");
  Expr e = found.e, extent;
  if (back) {
    if (e->op != Op::FloorMod) throw NotApplicable("the expression is no floor remainder");
    extent = Expr(found.e->args[1]), e = Expr(found.e->args[0]);
  } else {
    extent = extent_arg(args.extent, e->dtype, found.extent);
  }
  require_index(func, extent, "the extent");

  Facts facts = facts_at(func, place.statement);
  std::vector<Expr> given = facts.given();
  for (const Expr& c : found.conditions) given.push_back(facts.resolve(c));
  std::vector<Expr> roots = expressions(stmt);
  Expr& root = roots[static_cast<size_t>(place.expr[0])];
  root = put(root, place.expr, 1, back ? e : floormod(e, extent));
  Rewrite result{.after = replace_at(func, place.statement, with_expressions(stmt, roots)), .needs = {}};
  auto owe = [&](const std::string& why, const Expr& goal) {
    result.needs.push_back(need("clamp-index", why, func, stmt, given, facts.resolve(goal)));
  };
  owe("the index is not negative", le(zero(e->dtype), e));
  owe("the index is less than the extent", lt(e, extent));
  if (!back) owe("the extent is no error", fits(extent));
  return result;
}

}  // namespace

extern const Rule k_clamp_index{rule<clamp_index>("A[e]  ->  A[e % n], where 0 <= e < n; and back")};

}  // namespace hexproof
