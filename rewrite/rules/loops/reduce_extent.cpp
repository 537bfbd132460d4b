// reduce-extent {at: loop, min, extent: the new range (optional; else solved from the conditions)}
//
//   for i in [m, m + n):                  for i in [m', m' + n'):
//     if p(i): S(i)               ->        if p(i): S(i)
//
// The body may be any chain of statements that do nothing themselves: ifs without an else, lets, loops, allocations,
// blocks. p(i) stands for all that must hold for S to run. The guard stays; where the new range implies it, it is
// `eliminate-branch` or an expression rule that takes it away.
//
// Side conditions
//  1. Every i of the old range with p(i) lies in the new range: the iterations that are left out did nothing.
//  2. The new range lies in the old one, so that no iteration is new.
//  3. The new bounds depend on no buffer's content (checked here) and are no error.
//  4. There is no else anywhere in the chain (checked here): it would run exactly where p does not hold.
//  5. The loop is neither vectorized nor bound to a thread (checked here): its extent is part of what it means.
#include "ir/visit.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/loop_range.h"
#include "rewrite/site/nest.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// The statement in which everything happens that the loop body does.
Path innermost(const PrimFunc& func, const Path& body) {
  Path at = body;
  for (;;) {
    Stmt here = stmt_at(func, at);
    if (const If* branch = here.as<If>(); branch && branch->else_case) return at;
    // The predicate guards init and body alike; what stands in the body guards the body alone.
    if (const Block* block = here.as<Block>(); block && block->init) return below(at, 1);
    if (here.as<Seq>() || children(here).size() != 1) return at;
    at = below(at, 0);
  }
}

Expr bound_arg(const NumberArg& given, const std::string& name, DType type) {
  if (const int64_t* value = std::get_if<int64_t>(&given)) {
    if (!fits_type(type, *value)) throw NotApplicable("the argument '" + name + "' does not fit the loop's type");
    return imm(type, *value);
  }
  return std::get<Expr>(given);
}

Rewrite reduce_extent(const PrimFunc& func, const ReduceExtentArgs& args) {
  const Path& at = args.at;
  const For& loop = record_at<For>(func, at, "a loop");
  const Stmt stmt = checked_at(func, at);
  if (loop.kind == ForKind::Vectorized || loop.kind == ForKind::ThreadBinding) {
    throw NotApplicable("the range of a vectorized or thread-bound loop is not changed");
  }
  require_index(func, loop.min, "the start of the loop");
  require_index(func, loop.extent, "the extent of the loop");
  DType type = loop.var.dtype();
  if (loop.min->dtype != type || loop.extent->dtype != type) throw NotApplicable("bounds of another type");

  const Facts outside = facts_at(func, at), inside = facts_at(func, innermost(func, below(at, 0)));
  For smaller = loop;
  if (args.min || args.extent) {
    smaller.min = bound_arg(needed(args.min, "min"), "min", type);
    smaller.extent = bound_arg(needed(args.extent, "extent"), "extent", type);
    require_index(func, smaller.min, "the new start of the loop");
    require_index(func, smaller.extent, "the new extent of the loop");
    if (smaller.min->dtype != type || smaller.extent->dtype != type) throw NotApplicable("bounds of another type");
  } else {
    std::optional<Range> range = range_where(loop, inside, outside);
    if (!range) throw NotApplicable("no smaller range is seen");
    smaller.min = range->min, smaller.extent = range->extent;
  }
  Expr i(loop.var), min = outside.resolve(smaller.min), extent = outside.resolve(smaller.extent);
  LoopRange old_range{loop.var, outside.resolve(loop.min), outside.resolve(loop.extent)};
  LoopRange new_range{loop.var, min, extent};
  Rewrite result{.after = replace_at(func, at, make_stmt(smaller, stmt->span)), .needs = {}};
  auto owe = [&](const std::string& why, std::vector<Expr> given, const Expr& goal) {
    result.needs.push_back(need("reduce-extent", why, func, stmt, std::move(given), goal));
  };
  std::vector<Expr> given = outside.given();
  owe("the new start of the loop is no error", given, bound_is_no_error(min));
  owe("the new extent of the loop is no error", given, bound_is_no_error(extent));
  for (const Expr& goal : range_of(new_range)) {
    owe("every iteration that does something lies in the new range", inside.given(), goal);
  }
  for (const Expr& goal : range_of(old_range)) {
    owe("the new range lies in the old one", join(given, range_of(new_range)), goal);
  }
  return result;
}

}  // namespace

extern const Rule k_reduce_extent{
    rule<reduce_extent>("for i in [m, m + n): if p(i): S(i)  ->  for i in [m', m' + n'): if p(i): S(i)")};

}  // namespace hexproof
