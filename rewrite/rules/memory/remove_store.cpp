// remove-store {at: store, kind: "overwritten", by: later store, witness: which inversion of its index map (default 0)}
// remove-store {at: store, kind: "already-there"}
// remove-store {at: store, kind: "by-cases", trace: "by 1.0#0 else same"}   (traces.h: no unread, no permitted)
// remove-store {at: store, kind: "dead"}
//
//   A[i] = e                      ->      (nothing)
//
// Side conditions of `overwritten`. The statements K and M of one sequence hold the two stores, K before M.
//  1. Each cell that the store writes is written by the later store, in an execution of M that its guards allow; these
//     guards depend on no buffer's content (checked here).
//  2. Nothing in M, or in a statement between K and M, reads a cell that the store wrote; and neither does K, except
//     for the operands of the store when K is the store itself.
// Side conditions of `already-there`
//  3. Under Γ, which knows what stores and assumes left in the cells, the cell holds the *bits* of e: `A[i] == 0.0`
//     does not tell -0.0 from +0.0, so equality of floats is not enough unless they are not zero, or `nsz` is granted.
//     Two NaNs are one value.
//  4. e holds no undef (checked here).
// Side conditions of `by-cases`
//  5. Some cells are overwritten (1 and 2, where the first later stores write them), and all others are so by the last
//     later store, or hold the bits already (3 and 4).
// Side conditions of `dead`
//  6. The memory is allocated in the function, and nothing but the store itself loads from it or takes its address
//     (checked here).
#include "ir/visit.h"
#include "rewrite/memory/same_value.h"
#include "rewrite/memory/unobservable_stores.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"
#include "verify/memory/content.h"

namespace hexproof {
namespace {

Rewrite dead(const PrimFunc& func, const Path& at, const Store& store) {
  Var memory = store.buffer->data;
  bool allocated = false, used = false;
  auto look = [&](const Expr& e) {
    used |= e->op == Op::Load && e->buffer()->data == memory;
    used |= e->op == Op::Var && e->var() == memory;
  };
  visit_stmt(func.body, [&](const Stmt& s) {
    allocated |= s.as<AllocBuffer>() && s.as<AllocBuffer>()->buffer->data == memory;
    allocated |= s.as<Allocate>() && s.as<Allocate>()->data == memory;
    return true;
  });
  // What the store itself reads goes with it.
  visit_all_exprs(without(func, at).body, look);
  if (!allocated) throw NotApplicable("the memory is not allocated in the function");
  if (used) throw NotApplicable("the memory is read");
  return {.after = without(func, at), .needs = {}};
}

/// The bits are equal; or, with `nsz` granted, they are but for the sign of a zero.
Expr is_there(const PrimFunc& func, const Expr& cell, const Expr& value) {
  if (cell == value) return boolean(true);  // the cell's own content; calls are deterministic
  if (!value->dtype.is_float()) return eq(cell, value);
  Expr same = same_bits(cell, value);
  return func.granted("nsz") ? lor(eq(cell, value), same) : same;
}

Rewrite already_there(const PrimFunc& func, const Path& at, const Store& store, const std::vector<Expr>& where = {}) {
  if (!store.value->dtype.is_scalar()) throw NotApplicable("a vector store");
  if (holds_undef(store.value)) throw NotApplicable("the value holds an undef");
  Facts facts = facts_at(func, at);
  std::vector<Expr> indices;
  for (const Expr& index : store.indices) indices.push_back(facts.resolve(index));
  for (Expr& index : indices) index = inline_lets(index, facts.loops);
  Expr value = inline_lets(facts.resolve(store.value), facts.loops);
  Expr goal = is_there(func, load(store.buffer, indices), value);
  std::vector<Expr> given = with_content(func, at, join(facts.given(), where), {goal});
  std::string why = "the cell holds the bits of the value already";
  bool signless = store.value->dtype.is_float() && func.granted("nsz");
  if (signless) why += " (but for the sign of zero: `nsz` is granted)";
  Rewrite out{.after = without(func, at),
              .needs = {seen_alike(need("remove-store", why, func, checked_at(func, at), given, goal), func,
                                   load(store.buffer, indices), value)}};
  if (signless) out.needs.back().flags = {"nsz"};
  return out;
}

Rewrite overwritten(const PrimFunc& func, const Path& at, const RemoveStoreArgs& args) {
  Again again{needed(args.by, "by"), args.witness.value_or(0)};
  Rewrite result{.after = without(func, at), .needs = {}};
  lost_altogether(func, {"remove-store", at}, again, {}, &result.needs);
  return result;
}

Rewrite by_cases(const PrimFunc& func, const Path& at, const Store& store, const RemoveStoreArgs& args) {
  const std::vector<Trace>& traces = needed(args.trace, "trace");
  if (traces.size() != 1) throw NotApplicable("there is one store, and not one trace");
  const Trace& trace = traces[0];
  Rewrite result{.after = without(func, at), .needs = {}};
  DeadStore what{"remove-store", at};
  std::vector<Expr> lost, rest;
  for (const Again& again : trace.first) lost_in_part(func, what, again, &lost, &result.needs);
  for (const Expr& e : lost) rest.push_back(lnot(e));
  if (trace.kind == Trace::Kind::Overwritten) {
    lost_altogether(func, what, {trace.by, trace.witness}, lost, &result.needs);
  } else if (trace.kind == Trace::Kind::Same) {
    for (Obligation& o : already_there(func, at, store, rest).needs) result.needs.push_back(std::move(o));
  } else {
    throw NotApplicable("the trace is neither same nor by a later store");
  }
  return result;
}

Rewrite remove_store(const PrimFunc& func, const RemoveStoreArgs& args) {
  const Path& at = args.at;
  const Store& store = record_at<Store>(func, at, "a store");
  const std::string& kind = args.kind;
  if (kind == "dead") return dead(func, at, store);
  if (kind == "already-there") return already_there(func, at, store);
  if (kind == "overwritten") return overwritten(func, at, args);
  if (kind == "by-cases") return by_cases(func, at, store, args);
  throw NotApplicable("kind is none of overwritten, already-there, by-cases, dead");
}

}  // namespace

extern const Rule k_remove_store{
    rule<remove_store>("A[i] = e  ->  nothing, where it is overwritten, there already, or dead")};

}  // namespace hexproof
