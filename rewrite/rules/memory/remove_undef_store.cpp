// remove-undef-store {at: store of an undef}
// remove-undef-store {at: store, kind: "choose"}: every undef of the function, in one step; `at` is not needed
//
//   A[i] = T.undef()              ->      (nothing)
//   T.undef()                     ->      0                       ("choose")
//
// A stored undef is some value, so what the cell holds already will do, if it holds one. "choose" picks a value where
// nothing is known of the cell, and where an undef is part of a larger expression: `undef * 2` is even, so the store
// may not be dropped.
//
// Side conditions
//  1. Nothing that may run after the store reads a cell that it writes: the cell may hold no value at all. Reads in
//     other iterations of the loops around count, whenever they run; where the memory is allocated inside of
//     these loops, those of the same allocation.
// Padding of an argument that nobody promised to fill (verify/memory/argument_padding.h) holds nothing that would do:
// the attribute that names it goes with the store, as with a permission (remove-assume).
// Like `remove-assume` this is lowering: no other rule may follow.
#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/site/data_vars.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {
namespace {

Rewrite choose(const PrimFunc& func) {
  bool any = false;
  Rewrite result{.after = lowered(func), .needs = {}};
  auto pick = [&](const Expr& whole) {
    return rewrite_expr(whole, [&](const Expr& e) {
      if (e->op != Op::Undef) return e;
      any = true;
      if (e->dtype.is_scalar()) return zero(e->dtype);
      DType one = e->dtype;
      one.lanes = 1;
      return broadcast(zero(one), e->dtype.lanes);
    });
  };
  std::function<Stmt(const Stmt&)> walk = [&](const Stmt& s) {
    if (!s || s.as<Assume>()) return s;  // `A[i] == T.undef()` is no choice
    std::vector<Stmt> parts = children(s);
    for (Stmt& part : parts) part = walk(part);
    Stmt out = parts.empty() ? s : with_children(s, parts);
    std::vector<Expr> list = expressions(out);
    bool here = std::any_of(list.begin(), list.end(), [](const Expr& e) { return e && holds_undef(e); });
    if (!here) return out;
    for (Expr& e : list) e = e ? pick(e) : e;
    return with_expressions(out, list);
  };
  result.after.body = walk(func.body);
  if (!any) throw NotApplicable("the function has no undef");
  return result;
}

/// The body of the allocation of that memory, or of the function.
Path scope_of_data(const PrimFunc& func, const Path& at, const Var& memory) {
  for (Path around = at; !around.empty();) {
    around = above(around);
    Stmt s = stmt_at(func, around);
    const AllocBuffer* buffer = s.as<AllocBuffer>();
    const Allocate* raw = s.as<Allocate>();
    if ((buffer && buffer->buffer->data == memory) || (raw && raw->data == memory)) return below(around, 0);
  }
  return {};
}

Rewrite remove_undef_store(const PrimFunc& func, const RemoveUndefStoreArgs& args) {
  if (args.kind) {
    if (args.kind != "choose") throw NotApplicable("the kind is not choose");
    return choose(func);
  }
  const Path& at = needed(args.at, "at");
  const Store& store = record_at<Store>(func, at, "a store");
  const Stmt stmt = checked_at(func, at);
  if (store.value->op != Op::Undef) throw NotApplicable("the value of the store is no undef");
  Rewrite result{.after = lowered(without(func, at)), .needs = {}};
  result.after.body = without_empty(result.after.body);
  for (size_t k = 0; k < func.params.size(); ++k) {
    if (func.params[k].buffer &&
        HEXPROOF_MUTANT("undef-store/padding-stays-named", func.params[k].buffer->data == store.buffer->data, false))
      result.after = *with_argument_padding(std::move(result.after), k, {}, {});
  }
  Path scope = scope_of_data(func, at, store.buffer->data);
  const Period period(func, scope);
  std::vector<Access> all = period.accesses(scope), mine;
  for (const Access& access : all) {
    if (access.write && access.stmt.get() == stmt.get()) mine.push_back(access);
  }
  if (mine.empty()) throw NotApplicable("the store writes memory that is allocated elsewhere");
  // Whatever runs before the store in every iteration may read: only what shares a loop with it, or comes later.
  std::vector<Access> later;
  for (const Access& read : reads_of(all)) {
    bool shares = !read.loops.empty() && !mine[0].loops.empty() && read.loops[0].var == mine[0].loops[0].var;
    if (shares || read.order > mine[0].order) later.push_back(read);
  }
  owe_no_conflict("remove-undef-store", "no cell of the store is read afterwards", func, stmt, period.given(), mine,
                  renamed(later, {}), Sums::Fixed, &result.needs);
  return result;
}

}  // namespace

extern const Rule k_remove_undef_store{rule<remove_undef_store>("A[i] = T.undef()  ->  nothing (lowering)", true)};

}  // namespace hexproof
