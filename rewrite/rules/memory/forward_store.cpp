// forward-store {at: statement, expr: where in it the load stands, store: which store wrote the cell,
//                witness: which inversion of its index map (default 0)}
//
//   for i: B[f(i)] = e(i)         ->      for i: B[f(i)] = e(i)
//   ... B[f(w)] ...                       ... e(w) ...
//
// The load reads what the store left: the value takes its place, with w for the loops around the store that are not
// around the load. Both stand in one sequence, the store in an earlier part. `expr` is the position among the
// expressions of the statement, then operands on the way down. What block variables and lets around the store stand for
// is put in.
//
// Side conditions
//  1. The store ran, in the iteration w, and wrote the cell that is loaded: ranges and guards hold at w, which is free
//     of errors.
//  2. The cell still holds the bits of the value: no other store hit it.
//  3. Nothing has been stored since then to what the value reads; nor does it read B. So it is no error here, as it was
//     none there.
//  4. The value holds no undef, and no operation on floats whose rounding the granted flags leave open (checked here):
//     a second evaluation would be a second value.
//  5. All that the value speaks of is in scope at the load (checked here).
//  6. The load is no part of an assume, of a claim of a block, or of a note; and it binds no variable that would turn
//     from data into an index (checked here).
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/expr_rules/site.h"
#include "rewrite/memory/dead_store.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/memory/same_value.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint_witness.h"
#include "verify/memory/content.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

constexpr const char* kForwardStore = "forward-store";

/// The sequence that both stand in: the store in its part `first`, the load in its part `last`.
struct Meeting {
  Path first, last;
};

Meeting meeting_of(const PrimFunc& func, const Path& store, const Path& at) {
  size_t common = 0;
  while (common < store.size() && common < at.size() && store[common] == at[common]) ++common;
  if (common == store.size() || common == at.size()) throw NotApplicable("the store is not in front of the load");
  const Path around(store.begin(), store.begin() + static_cast<std::ptrdiff_t>(common));
  record_at<Seq>(func, around, "a sequence around the store and the load");
  if (store[common] > at[common]) throw NotApplicable("the store comes after the load");
  return {below(around, store[common]), below(around, at[common])};
}

bool leads_to_a_load(const ExprSite& site, const Path& where) {
  if (where.empty() || where[0] < 0 || static_cast<size_t>(where[0]) >= site.roots().size()) return false;
  const Expr* e = &site.roots()[static_cast<size_t>(where[0])];
  for (size_t k = 1; k < where.size(); ++k) {
    if (where[k] < 0 || static_cast<size_t>(where[k]) >= (*e)->args.size()) return false;
    e = &(*e)->args[static_cast<size_t>(where[k])];
  }
  return (*e)->op == Op::Load && (*e)->dtype.is_scalar();
}

/// Does the statement, or a let of an expression on the way to the load, bind a variable to what holds it?
bool binds(const PrimFunc& func, const ExprSite& site, const Path& at, const Path& where) {
  const Stmt stmt = stmt_at(func, at);
  if (stmt.as<LetStmt>() || stmt.as<Block>()) return true;
  for (size_t k = 1; k < where.size(); ++k) {
    if (site.expr(Path(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(k)))->op == Op::Let) return true;
  }
  return false;
}

/// Condition 5: what `stmt` binds or allocates stands nowhere in the value.
void demand_in_scope(const Expr& value, const Stmt& stmt) {
  std::set<Var> bound;
  std::set<Buffer> views;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const For* loop = s.as<For>()) bound.insert(loop->var);
    if (const LetStmt* let = s.as<LetStmt>()) bound.insert(let->var);
    if (const Allocate* memory = s.as<Allocate>()) bound.insert(memory->data);
    if (const AllocBuffer* memory = s.as<AllocBuffer>()) bound.insert(memory->buffer->data);
    if (const DeclBuffer* view = s.as<DeclBuffer>()) views.insert(view->buffer);
    if (const Block* block = s.as<Block>()) {
      for (const IterVar& iter : block->iters) bound.insert(iter.var);
    }
    return true;
  });
  visit_expr(value, [&](const Expr& e) {
    bool known = e->op != Op::Opaque;
    if (e->op == Op::Var) known &= bound.count(e->var()) == 0;
    if (e->op == Op::Load) known &= bound.count(e->buffer()->data) == 0 && views.count(e->buffer()) == 0;
    if (!known) throw NotApplicable("the value speaks of what is not in scope at the load: " + print(e));
    return true;
  });
}

/// Views are the program's own where they lie as they do at the load.
Expr through_own_views(const Expr& value, const Facts& facts) {
  return rewrite_expr(value, [&](const Expr& e) {
    if (e->op != Op::Load || !e->buffer()->declared) return e;
    const Buffer& own = e->buffer()->declared;
    if (!(moved(own, facts.inlined) == e->buffer())) throw NotApplicable("the value reads a view that has moved since");
    return load(own, e->args);
  });
}

/// The value in terms of block variables and lets around the load, where these are bound to a part of it.
Expr in_their_variables(Expr value, const Facts& facts) {
  std::vector<std::pair<Var, Expr>> bound;
  for (const auto& [var, what] : facts.inlined) {
    bool plain = !is_data(what) && !as_int(what) && !var.is_data() && what->dtype == var.dtype();
    visit_expr(what, [&](const Expr& e) { return plain &= e->op != Op::Opaque && e->op != Op::Load; });
    if (plain) bound.emplace_back(var, what);
  }
  auto size = [](const Expr& e) {
    size_t nodes = 0;
    visit_expr(e, [&](const Expr&) { return ++nodes > 0; });
    return nodes;
  };
  std::stable_sort(bound.begin(), bound.end(),
                   [&](const auto& a, const auto& b) { return size(a.second) > size(b.second); });
  for (const auto& [var, what] : bound) {
    const Expr name(var), same = what;
    value = rewrite_expr(value, [&](const Expr& e) { return e == same ? name : e; });
  }
  return value;
}

Rewrite forward_store(const PrimFunc& func, const ForwardStoreArgs& args) {
  const Path &at = args.at, &where = args.expr, &from = args.store;
  const Stmt stmt = checked_at(func, at);
  const Store& store = record_at<Store>(func, from, "a store");
  if (stmt.as<Assume>()) throw NotApplicable("an assume is not executed");
  ExprSite site(func, at);
  if (!leads_to_a_load(site, where)) throw NotApplicable("the path leads to no load of a scalar");
  const Expr cell = site.expr(where);
  if (!(cell->buffer() == store.buffer)) throw NotApplicable("the store is to another buffer");
  if (!store.value->dtype.is_scalar()) throw NotApplicable("a vector store");
  const Meeting both = meeting_of(func, from, at);
  const std::optional<Facts> facts = site.known_at(where);
  const Block* block = stmt.as<Block>();
  const size_t bindings = block ? 3 * block->iters.size() + (block->predicate ? 1 : 0) : 0;
  const bool claim = block && (static_cast<size_t>(where[0]) >= bindings ||
                               (where[0] % 3 != 2 && static_cast<size_t>(where[0]) < 3 * block->iters.size()));
  if (!facts || claim || stmt.as<AttrStmt>()) throw NotApplicable("nothing is put in there");

  // 1
  const Period period(func, both.first, both.last);
  std::vector<Access> mine;
  for (const Access& access : period.accesses(both.first)) {
    if (access.write && joined(both.first, place_in(access)) == from) mine.push_back(access);
  }
  if (mine.size() != 1 || !mine[0].exact) throw NotApplicable("whether the store runs, or where to, depends on memory");
  const std::vector<Expr> given = facts->given();
  auto resolved = [&](const Expr& e) { return inline_lets(facts->resolve(e), facts->loops); };
  const BufferLayout layout = facts->layout(cell->buffer());
  std::vector<Witness> found = witnesses(mine[0], access_of(cell->buffer(), cell->args, layout), given);
  std::vector<Expr> indices;
  for (const Expr& index : cell->args) indices.push_back(resolved(index));
  for (Witness& w : witnesses(mine[0], access_of(cell->buffer(), indices, layout), given))
    found.push_back(std::move(w));
  const int64_t which = args.witness.value_or(0);
  if (which < 0 || static_cast<size_t>(which) >= found.size()) {
    throw NotApplicable("the store is not seen to write the cell " + print(cell));
  }
  const Witness& witness = found[static_cast<size_t>(which)];
  Rewrite out{.after = func, .needs = {}};
  for (const Expr& condition : witness.conditions) {
    out.needs.push_back(
        need(kForwardStore, "the store ran and wrote the cell that is loaded", func, stmt, given, resolved(condition)));
  }
  for (const auto& [var, value] : witness.values) {
    out.needs.push_back(need(kForwardStore, "the value of '" + var.name() + "' at which the store wrote the cell fits",
                             func, stmt, given, fits(resolved(value))));
  }
  out.needs = as_one_way(std::move(out.needs));  // the iteration that a search proposed

  // The loops inside of the store's part were renamed when its accesses were collected: by their order.
  const Facts there = facts_at(func, from);
  const size_t around = facts_at(func, both.first).loops.size();
  if (there.loops.size() != around + mine[0].loops.size()) throw NotApplicable("a vector store");
  VarMap values;
  for (size_t k = 0; k < mine[0].loops.size(); ++k) {
    auto it = witness.values.find(mine[0].loops[k].var);
    const Var& loop = there.loops[around + k].var;
    values.emplace(loop, it != witness.values.end() ? it->second : mine[0].loops[k].min);
  }
  const Expr value =
      in_their_variables(through_own_views(substitute(there.resolve(store.value), values), *facts), *facts);
  const OpenRounding open = open_rounding_of(func);
  if (chooses(value, open)) {
    throw NotApplicable("the value holds " + what_chooses(value, open) + ": a second evaluation may have another one");
  }
  demand_in_scope(value, stmt_at(func, both.first));
  if (!is_data(value) && binds(func, site, at, where)) {
    throw NotApplicable("a variable that is bound to data would be an index");
  }

  // 3
  if (is_data(value)) {
    if (data_read(value).count(store.buffer->data)) throw NotApplicable("the value reads the buffer itself");
    const std::vector<Access> read = period.accesses(make_stmt(Evaluate{value}), at);
    std::vector<Access> written;
    for (int part = both.first.back(); part <= both.last.back(); ++part) {
      for (const Access& a : writes_of(period.accesses(below(above(both.first), part)))) written.push_back(a);
    }
    std::vector<Expr> meanwhile = period.given();  // and of the load's place, what speaks of no memory
    for (const Expr& e : given) {
      if (!is_data(e)) meanwhile.push_back(e);
    }
    owe_no_conflict(kForwardStore, "nothing is stored to what the value reads", func, stmt, meanwhile, read,
                    renamed(written, {}), Sums::Fixed, &out.needs);
  }
  // 2
  const Expr goal = same_bits(resolved(cell), resolved(value));
  Obligation still = need(kForwardStore, "the cell holds the bits of the value still", func, stmt,
                          with_content(func, at, given, {goal}), goal);
  // Bits of another store may be those of another value.
  size_t stores = 0;
  visit_stmt(func.body, [&](const Stmt& s) {
    stores += s.as<Store>() && s.as<Store>()->buffer->data == cell->buffer()->data;
    return true;
  });
  if (stores > 1) still = seen_alike(std::move(still), func, resolved(cell), resolved(value));
  out.needs.push_back(std::move(still));
  if (value->dtype.is_float() && (open.contract || open.reassoc)) {
    const Access again = renamed({mine[0]}, {}).at(0);
    Expr other;
    for (size_t k = 0; k < again.loops.size(); ++k) {
      const Expr differs = ne(Expr(again.loops[k].var), Expr(mine[0].loops[k].var));
      other = other ? lor(other, differs) : differs;
    }
    if (other) {
      for (Obligation& o :
           disjoint(kForwardStore, "no other iteration leaves another value of these bits there",
                    place_of(func, checked_at(func, from)), join(period.given(), {other}), mine[0], again))
        out.needs.push_back(std::move(o));
    }
  }
  site.replace(where, value);
  out.after = replace_at(func, at, site.statement());
  return out;
}

}  // namespace

extern const Rule k_forward_store{rule<forward_store>("a load of a cell  ->  the value that was stored to it")};

}  // namespace hexproof
