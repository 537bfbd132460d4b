// remove-store {at: store, kind: "overwritten", by: later store, witness: which inversion of its index map (default 0)}
// remove-store {at: store, kind: "already-there"}
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
//  does
//     not tell -0.0 from +0.0, so equality of floats is not enough unless they are not zero, or `nsz` is granted. Two
//     NaNs are one value.
//  4. e holds no undef (checked here).
// Side conditions of `dead`
//  5. The memory is allocated in the function, and nothing loads from it or takes its address (checked here).
#include "ir/visit.h"
#include "rewrite/data.h"
#include "rewrite/exchange.h"
#include "verify/content.h"

namespace hexproof {
namespace {

Rewrite dead(const PrimFunc& func, const Path& at, const Store& store) {
  Var memory = store.buffer->data;
  bool allocated = false, used = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    allocated |= s.as<AllocBuffer>() && s.as<AllocBuffer>()->buffer->data == memory;
    allocated |= s.as<Allocate>() && s.as<Allocate>()->data == memory;
    return true;
  });
  visit_all_exprs(func.body, [&](const Expr& e) {
    used |= e->op == Op::Load && e->buffer()->data == memory;
    used |= e->op == Op::Var && e->var() == memory;
  });
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

Rewrite already_there(const PrimFunc& func, const Path& at, const Store& store) {
  if (!store.value->dtype.is_scalar()) throw NotApplicable("a vector store");
  if (holds_undef(store.value)) throw NotApplicable("the value holds an undef");
  Facts facts = facts_at(func, at);
  std::vector<Expr> indices;
  for (const Expr& index : store.indices) indices.push_back(facts.resolve(index));
  for (Expr& index : indices) index = inline_lets(index, facts.loops);
  Expr value = inline_lets(facts.resolve(store.value), facts.loops);
  Expr goal = is_there(func, load(store.buffer, indices), value);
  std::vector<Expr> given = with_content(func, at, facts.given(), {goal});
  std::string why = "the cell holds the bits of the value already";
  if (store.value->dtype.is_float() && func.granted("nsz")) why += " (but for the sign of zero: `nsz` is granted)";
  return {.after = without(func, at), .needs = {need("remove-store", why, func, checked_at(func, at), given, goal)}};
}

std::vector<Access> stores_of(const std::vector<Access>& accesses, const Stmt& store) {
  std::vector<Access> found;
  for (const Access& access : accesses) {
    if (access.write && access.stmt.get() == store.get()) found.push_back(access);
  }
  return found;
}

Rewrite overwritten(const PrimFunc& func, const Path& at, const Args& args) {
  const Path& by = arg<Path>(args, "by");
  record_at<Store>(func, by, "a later store");
  const Stmt store = checked_at(func, at), later = checked_at(func, by);
  size_t common = 0;
  while (common < at.size() && common < by.size() && at[common] == by[common]) ++common;
  if (common == at.size() || common == by.size()) throw NotApplicable("the two stores are one");
  const Path around(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(common));
  const Seq& list = record_at<Seq>(func, around, "a sequence around both stores");
  size_t k = static_cast<size_t>(at[common]), m = static_cast<size_t>(by[common]);
  if (k > m) throw NotApplicable("the other store comes first");

  Facts facts = facts_at(func, around);
  std::vector<Stmt> involved(list.stmts.begin() + static_cast<std::ptrdiff_t>(k),
                             list.stmts.begin() + static_cast<std::ptrdiff_t>(m) + 1);
  std::set<Var> unstable = unstable_memory(involved);
  auto effects_of = [&](size_t part) {
    Path path = below(around, static_cast<int>(part));
    return effects(func, list.stmts[part], facts_at(func, path), unstable);
  };
  std::vector<Access> removed = stores_of(effects_of(k), store);
  if (removed.empty()) throw NotApplicable("the store writes memory that its own statement allocates");
  Rewrite result{.after = without(func, at), .needs = {}};
  for (size_t part = k; part <= m; ++part) {
    if (part == k && common + 1 == at.size()) continue;  // operands of the store itself are read before it writes
    owe_no_conflict("remove-store", "nothing reads the cell before it is overwritten", func, store, facts.given(),
                    removed, renamed(reads_of(effects_of(part)), {}), Sums::Fixed, &result.needs);
  }
  std::vector<Access> writes = stores_of(effects_of(m), later);
  std::erase_if(writes, [](const Access& access) { return !access.exact; });
  int64_t witness = args.count("witness") ? arg<int64_t>(args, "witness") : 0;
  for (const Access& access : removed) {
    std::vector<std::vector<Obligation>> ways =
        covers("remove-store", "the cell is written again", place_of(func, store), facts.given(), writes, access);
    if (witness < 0 || static_cast<size_t>(witness) >= ways.size()) {
      throw NotApplicable("the later store is not seen to write the cell again");
    }
    for (Obligation& o : ways[static_cast<size_t>(witness)]) result.needs.push_back(std::move(o));
  }
  return result;
}

Rewrite remove_store(const PrimFunc& func, const Args& args) {
  const Path& at = arg<Path>(args, "at");
  const Store& store = record_at<Store>(func, at, "a store");
  const std::string& kind = arg<std::string>(args, "kind");
  if (kind == "dead") return dead(func, at, store);
  if (kind == "already-there") return already_there(func, at, store);
  if (kind == "overwritten") return overwritten(func, at, args);
  throw NotApplicable("kind is none of overwritten, already-there, dead");
}

}  // namespace

extern const Rule k_remove_store{
    "remove-store", "A[i] = e  ->  nothing, where it is overwritten, there already, or dead", &remove_store};

}  // namespace hexproof
