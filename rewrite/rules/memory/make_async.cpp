// make-async {copies: paths of statements, waits: paths of statements, inflight: an expression for each wait,
//             queue: a number}
//
//   fill C                             ->    with T.attr(0, "async_commit_queue_scope", queue): fill C
//   use C                              ->    with T.attr(0, "async_wait_queue_scope", queue):
//                                              with T.attr(0, "async_wait_inflight_count", inflight): use C
//
// Each copy becomes a group, and each wait stands in front of its statement. That computes the same values, where:
//
// Side conditions
//  1. No cell of a group in flight is touched otherwise, and its memory stays until it is through (what the kernel owes
//     of each result with groups, copies_are_waited_for).
//  2. Groups and waits stand where these may: not in one another, nor in loops whose iterations run at once
//     (async_defect: checked by the kernel, after every step). None of the statements lies in another (checked here).
//  3. The number of groups that a wait leaves in flight reads no memory, and is no error (owed with condition 1).
#include "ir/visit.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// Condition 3, but for what is owed: sums, products, minima and maxima of what is in scope have no error but overflow.
void require_count(const PrimFunc& func, const Expr& count, const Facts& facts) {
  require_index(func, count, "the number of groups in flight");
  if (!count->dtype.is_integer() || !count->dtype.is_scalar()) {
    throw NotApplicable("the number of groups in flight is no integer");
  }
  std::set<Var> known;
  for (const LoopRange& loop : facts.loops) known.insert(loop.var);
  for (const Var& v : func.scalars()) known.insert(v);
  visit_expr(count, [&](const Expr& e) {
    const bool plain = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul || e->op == Op::Min ||
                       e->op == Op::Max || e->op == Op::IntImm || (e->op == Op::Var && known.count(e->var()));
    if (!plain || e->wraps) throw NotApplicable("the number of groups in flight is no sum of what is known there");
    return true;
  });
}

Rewrite make_async(const PrimFunc& func, const MakeAsyncArgs& args) {
  if (args.queue < 0 || !fits_type(kInt32, args.queue)) throw NotApplicable("a queue is a number of int32, 0 or more");
  if (args.copies.empty()) throw NotApplicable("no copy is named");
  if (args.waits.size() != args.inflight.size()) throw NotApplicable("each wait has a number of groups");
  std::vector<Path> all = args.copies;
  all.insert(all.end(), args.waits.begin(), args.waits.end());
  for (size_t a = 0; a < all.size(); ++a) {
    for (size_t b = 0; b < all.size(); ++b) {
      if (a != b && is_within(all[a], all[b])) throw NotApplicable("one of the statements lies in another");
    }
  }
  Rewrite out{.after = func, .needs = {}};
  for (const Path& at : args.copies) {
    const Stmt copy = checked_at(func, at);
    out.after = replace_at(out.after, at, make_stmt(AsyncCommit{args.queue, copy}, copy->span));
  }
  for (size_t k = 0; k < args.waits.size(); ++k) {
    const Stmt use = checked_at(func, args.waits[k]);
    const Facts facts = facts_at(func, args.waits[k]);
    const Expr& count = args.inflight[k];
    require_count(func, count, facts);
    out.after = replace_at(out.after, args.waits[k], make_stmt(AsyncWait{args.queue, count, use}, use->span));
  }
  return out;
}

}  // namespace

extern const Rule k_make_async{
    rule<make_async>("fill C; use C  ->  the copy in flight, and a wait in front of its use")};

}  // namespace hexproof
