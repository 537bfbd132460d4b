#include "rewrite/memory/unobservable_stores.h"

#include <cmath>
#include <limits>

#include "ir/visit.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"
#include "verify/memory/content.h"
#include "verify/memory/kept.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

std::vector<Path> lasting_stores(const PrimFunc& func, const Path& copy) {
  Stmt stmt = stmt_at(func, copy);
  std::set<Var> own;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) own.insert(a->buffer->data);
    if (const Allocate* a = s.as<Allocate>()) own.insert(a->data);
    return true;
  });
  std::vector<Path> found;
  for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<Store>() != nullptr; })) {
    if (is_within(at, copy) && !own.count(stmt_at(func, at).as<Store>()->buffer->data)) found.push_back(at);
  }
  return found;
}

namespace {

/// The memory that is allocated around `at` inside of a branch: where the branch is not taken it does not exist.
std::set<Var> memory_of_branches(const PrimFunc& func, const Path& at) {
  std::set<Var> out;
  bool branch = false;
  for (size_t depth = 0; depth < at.size(); ++depth) {
    const Stmt s = stmt_at(func, Path(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(depth)));
    if (const AllocBuffer* a = s.as<AllocBuffer>(); a && branch) out.insert(a->buffer->data);
    if (const Allocate* a = s.as<Allocate>(); a && branch) out.insert(a->data);
    branch = branch || s.as<If>() || (s.as<Block>() && s.as<Block>()->predicate);
  }
  return out;
}

/// What the function's flags promise of the data: `nnan` that no cell holds a NaN, `ninf` that none holds an infinity.
/// Not of results: an operation that is new makes no promise for itself, so infinity times zero stays a question. Nor
/// of cells that the program has only where the branch around `at` is taken.
std::vector<Expr> granted_finite(const PrimFunc& func, const Path& at, const Expr& value,
                                 std::vector<std::string>* used) {
  std::vector<Expr> out;
  bool nnan = func.granted("nnan"), ninf = func.granted("ninf");
  if (!nnan && !ninf) return out;
  const std::set<Var> own = memory_of_branches(func, at);
  visit_expr(value, [&](const Expr& e) {
    if (e->op != Op::Load || !e->dtype.is_float() || !e->dtype.is_scalar() || own.count(e->buffer()->data)) return true;
    double infinity = std::numeric_limits<double>::infinity();
    if (nnan) out.push_back(eq(e, e));
    if (ninf) out.push_back(land(ne(e, fimm(e->dtype, infinity)), ne(e, fimm(e->dtype, -infinity))));
    return true;
  });
  if (!out.empty() && nnan) used->push_back("nnan");
  if (!out.empty() && ninf) used->push_back("ninf");
  return out;
}

/// Under what is known at `at`, two values are one: to the bit, or as far as the function's flags allow.
Obligation same_value(const std::string& rule, const std::string& why, const PrimFunc& func, const Path& at,
                      const Facts& facts, const Expr& before, const Expr& after, const std::vector<Expr>& where = {}) {
  Expr a = facts.resolve(before), b = facts.resolve(after);
  Expr goal = same_bits(a, b);
  std::vector<std::string> flags;
  std::vector<Expr> given = join(join(facts.given(), where), granted_finite(func, at, b, &flags));
  if (a->dtype.is_float() && func.granted("nsz")) goal = lor(goal, eq(a, b)), flags.push_back("nsz");
  given = with_content(func, at, std::move(given), {a, b});
  std::string granted;
  for (const std::string& flag : flags) granted += " `" + flag + "`";
  Obligation out = need(rule, why + (granted.empty() ? "" : " (granted:" + granted + ")"), func, stmt_at(func, at),
                        std::move(given), goal);
  out.flags = std::move(flags);
  return out;
}

/// What nobody looks at is in a cell all the same: where `nnan` or `ninf` are granted, it is none that they promise no
/// cell to hold.
std::vector<Obligation> keeps_promise(const std::string& rule, const PrimFunc& func, const Path& at) {
  const Store& store = *stmt_at(func, at).as<Store>();
  const Expr infinity = store.value->dtype.is_float() && store.value->dtype.is_scalar()
                            ? fimm(store.value->dtype, std::numeric_limits<double>::infinity())
                            : Expr();
  if ((!func.granted("nnan") && !func.granted("ninf")) || !store.value->dtype.is_float()) return {};
  if (!infinity) throw NotApplicable("a vector store, and `nnan` or `ninf` promise what no cell holds");
  Facts facts = facts_at(func, at);
  const Expr value = inline_lets(facts.resolve(store.value), facts.loops);
  std::vector<std::string> flags;
  std::vector<Expr> given = join(facts.given(), granted_finite(func, at, value, &flags));
  Expr goal = boolean(true);
  if (func.granted("nnan")) goal = land(goal, eq(value, value));
  if (func.granted("ninf")) goal = land(goal, land(ne(value, infinity), ne(value, fimm(value->dtype, -HUGE_VAL))));
  given = with_content(func, at, std::move(given), {goal});
  Obligation out =
      need(rule, "what is stored unseen is a float that `nnan` and `ninf`, as granted, allow a cell to hold", func,
           stmt_at(func, at), std::move(given), goal);
  out.flags = std::move(flags);
  return {out};
}

/// Does nothing read the memory but sums that go back to the cell they read, and is the store one of them? Then nobody
/// sees what a cell holds before the last one: where the granted flags leave the grouping of sums open, one more zero
/// among the operands gives no value that was not possible before.
std::optional<Expr> added_to_a_sum(const PrimFunc& func, const Store& store) {
  const Var memory = store.buffer->data;
  const OpenRounding open = open_rounding_of(func);
  auto addend = [&](const Store& s) -> std::optional<Expr> {
    const bool sum = s.value->op == Op::Add || s.value->op == Op::Sub;
    if (!(s.buffer->data == memory) || !sum || !s.value->dtype.is_scalar()) return std::nullopt;
    for (const Expr& index : s.indices) {
      if (chooses(index, open)) return std::nullopt;
    }
    const Expr cell = load(s.buffer, s.indices);
    const size_t side = s.value->args[0] == cell ? 0 : 1;
    if (!(s.value->args[side] == cell) || (side == 1 && s.value->op == Op::Sub)) return std::nullopt;
    return s.value->args[1 - side];
  };
  size_t sums = 0, uses = 0;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* other = s.as<Store>()) sums += addend(*other).has_value();
    for_each_operand(s, [&](Operand, const Expr& operand) {
      visit_expr(operand, [&](const Expr& e) {
        uses += e->op == Op::Load && e->buffer()->data == memory;
        uses += e->op == Op::Var && e->var() == memory;
        return true;
      });
    });
    return true;
  });
  return uses == sums ? addend(store) : std::nullopt;
}

std::vector<Obligation> same(const std::string& rule, const PrimFunc& func, const Path& at,
                             const std::vector<Expr>& where = {}) {
  const Store& store = *stmt_at(func, at).as<Store>();
  if (!store.value->dtype.is_scalar()) throw NotApplicable("a vector store");
  if (holds_undef(store.value)) throw NotApplicable("the value of a store holds an undef");
  Facts facts = facts_at(func, at);
  if (func.granted("nsz") && is_left_open(store.value, open_rounding_of(func))) {
    if (const std::optional<Expr> more = added_to_a_sum(func, store)) {
      return {same_value(rule, "what the store adds to a sum is a zero", func, at, facts, fimm((*more)->dtype, 0.0),
                         *more, where)};
    }
  }
  return {same_value(rule, "the store leaves the bits that the cell holds", func, at, facts,
                     load(store.buffer, store.indices), store.value, where)};
}

/// An earlier store of an undef left the cell to whoever wants it. What the copy itself does with such cells is its own
/// business: in the program without it the undef may have been the value that the copy leaves.
std::vector<Obligation> permitted(const std::string& rule, const PrimFunc& func, const Path& copy, const Path& at,
                                  const std::vector<Expr>& where) {
  const Store& store = *stmt_at(func, at).as<Store>();
  if (!store.value->dtype.is_scalar()) throw NotApplicable("a vector store");
  Facts facts = facts_at(func, at);
  std::vector<Expr> indices;
  for (const Expr& index : store.indices) indices.push_back(inline_lets(facts.resolve(index), facts.loops));
  Expr goal = may_hold_anything(load(store.buffer, indices));
  std::vector<Expr> given = with_content(content_of(func, copy, std::set<Var>{store.buffer->data})->at(at),
                                         join(facts.given(), where), {goal});
  return {
      need(rule, "the cell was given free by a store of an undef", func, stmt_at(func, at), std::move(given), goal)};
}

/// The accesses of the store at `store` in the footprint of the statement at `whole`, and all reads outside of `copy`.
struct Split {
  std::vector<Access> mine, reads;
};
Split split_accesses(const std::vector<Access>& all, const Path& whole, const Path& copy, const Path& store) {
  Split out;
  for (const Access& access : all) {
    Path at = joined(whole, place_in(access));
    if (access.write && at == store) out.mine.push_back(access);
    if (!access.write && !is_within(at, copy)) out.reads.push_back(access);
  }
  return out;
}

std::vector<Obligation> unread(const std::string& rule, const PrimFunc& func, const Path& copy, const Path& store,
                               const std::vector<Expr>& where) {
  Var memory = stmt_at(func, store).as<Store>()->buffer->data;
  std::optional<Path> scope;
  for (Path around = copy; !around.empty() && !scope;) {
    around = above(around);
    Stmt s = stmt_at(func, around);
    const AllocBuffer* buffer = s.as<AllocBuffer>();
    const Allocate* raw = s.as<Allocate>();
    if ((buffer && buffer->buffer->data == memory) || (raw && raw->data == memory)) scope = below(around, 0);
  }
  if (!scope) throw NotApplicable("the memory is not allocated in the function");
  bool escapes = false;
  visit_all_exprs(func.body, [&](const Expr& e) { escapes |= e->op == Op::Var && e->var() == memory; });
  if (escapes) throw NotApplicable("the address of the memory is taken");
  const Stmt stmt = stmt_at(func, store);
  const Period period(func, *scope);
  Split split = split_accesses(period.accesses(*scope), *scope, copy, store);
  if (split.mine.empty()) throw NotApplicable("the store is not found in the scope of its memory");
  std::vector<Obligation> needs;
  owe_no_conflict(rule, "nothing else ever reads the cell", func, stmt, join(period.given(), where), split.mine,
                  renamed(split.reads, {}), Sums::Fixed, &needs);
  return needs;
}

}  // namespace

std::vector<Obligation> leaves_no_trace(const std::string& rule, const PrimFunc& func, const Path& copy,
                                        const Path& store, const Trace& trace) {
  DeadStore what{rule, store, copy};
  auto outside = [&](const Again& again) {
    if (is_within(again.by, above(copy))) throw NotApplicable("the later store stands inside of the branch");
  };
  std::vector<Obligation> needs;
  std::vector<Expr> lost, rest;
  for (const Again& again : trace.first) {
    outside(again);
    lost_in_part(func, what, again, &lost, &needs);
  }
  for (const Expr& e : lost) rest.push_back(lnot(e));
  auto add = [&](std::vector<Obligation> more) {
    for (Obligation& o : more) needs.push_back(std::move(o));
  };
  if (trace.kind != Trace::Kind::Same || !trace.first.empty()) add(keeps_promise(rule, func, store));
  switch (trace.kind) {
    case Trace::Kind::Same:
      add(same(rule, func, store, rest));
      break;
    case Trace::Kind::Permitted:
      add(permitted(rule, func, copy, store, rest));
      break;
    case Trace::Kind::Unread:
      add(unread(rule, func, copy, store, rest));
      break;
    case Trace::Kind::Overwritten: {
      Again again{trace.by, trace.witness};
      outside(again);
      lost_altogether(func, what, again, lost, &needs);
      break;
    }
  }
  return needs;
}

std::vector<Obligation> leaves_no_trace(const std::string& rule, const PrimFunc& func, const Path& copy,
                                        const std::vector<Trace>& traces) {
  std::vector<Obligation> needs;
  const std::vector<Path> lasting = lasting_stores(func, copy);
  for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<Store>() != nullptr; })) {
    if (!is_within(at, copy) || std::find(lasting.begin(), lasting.end(), at) != lasting.end()) continue;
    for (Obligation& o : keeps_promise(rule, func, at)) needs.push_back(std::move(o));  // in memory of its own
  }
  std::vector<Path> stores = lasting_stores(func, copy);
  if (traces.size() > stores.size()) throw NotApplicable("there are fewer stores than traces");
  for (size_t k = 0; k < stores.size(); ++k) {
    Trace trace = k < traces.size() ? traces[k] : Trace{};
    for (Obligation& o : leaves_no_trace(rule, func, copy, stores[k], trace)) needs.push_back(std::move(o));
  }
  return needs;
}

namespace {

class Comparison {
 public:
  Comparison(const std::string& rule, const PrimFunc& func) : rule_(rule), func_(func) {}

  void stmts(const Path& at, const Stmt& other) {
    Stmt mine = stmt_at(func_, at);
    if (mine.as<Seq>() || other.as<Seq>()) return sequences(at, mine, other);
    if (!one(at, mine, other)) throw NotApplicable("the branches are of different shapes");
  }

  std::vector<Obligation> needs;

 private:
  void sequences(const Path& at, const Stmt& mine, const Stmt& other) {
    std::vector<Stmt> theirs = other.as<Seq>() ? other.as<Seq>()->stmts : std::vector<Stmt>{other};
    const Seq* list = mine.as<Seq>();
    size_t count = list ? list->stmts.size() : 1, next = 0;
    for (size_t k = 0; k < count; ++k) {
      Path here = list ? below(at, static_cast<int>(k)) : at;
      Stmt part = stmt_at(func_, here);
      // As many parts of this one's kind as are still needed may not be left out.
      if (next < theirs.size() && like(part, theirs[next]) && one(here, part, theirs[next])) {
        ++next;
        continue;
      }
      for (const Path& store : lasting_stores(func_, at)) {
        if (!is_within(store, here)) continue;
        for (Obligation& o : same(rule_, func_, store)) needs.push_back(std::move(o));
      }
    }
    if (next < theirs.size()) throw NotApplicable("the branches are of different shapes");
  }

  static bool like(const Stmt& a, const Stmt& b) {
    if (a->record.index() != b->record.index()) return false;
    const Store *x = a.as<Store>(), *y = b.as<Store>();
    return !x || x->buffer == y->buffer;
  }

  bool one(const Path& at, const Stmt& mine, const Stmt& other) {
    if (!like(mine, other)) return false;
    Facts facts = facts_at(func_, at);
    if (const Store* store = mine.as<Store>()) {
      const Store& theirs = *other.as<Store>();
      if (!store->value->dtype.is_scalar()) return false;
      if (holds_undef(store->value) || holds_undef(theirs.value)) {
        throw NotApplicable("the value of a store holds an undef");
      }
      for (size_t d = 0; d < store->indices.size(); ++d) {
        // The index types may differ; within a buffer either fits int64.
        Expr there = substitute(theirs.indices[d], names_), here = store->indices[d];
        if (there->dtype != here->dtype) there = cast(kInt64, there), here = cast(kInt64, here);
        needs.push_back(same_value(rule_, "both branches store to one cell", func_, at, facts, there, here));
      }
      const Expr theirs_here = substitute(theirs.value, names_);
      if (chooses(theirs_here, open_) || chooses(store->value, open_)) {
        same_evaluation(at, facts, theirs_here, store->value);
      } else {
        needs.push_back(
            same_value(rule_, "both branches store the same bits", func_, at, facts, theirs_here, store->value));
      }
      return true;
    }
    if (const For* loop = mine.as<For>()) {
      const For& theirs = *other.as<For>();
      if (loop->kind != theirs.kind || loop->var.dtype() != theirs.var.dtype()) return false;
      if (!(substitute(theirs.min, names_) == loop->min) || !(substitute(theirs.extent, names_) == loop->extent)) {
        return false;
      }
      names_[theirs.var] = Expr(loop->var);
      stmts(below(at, 0), theirs.body);
      return true;
    }
    if (const If* branch = mine.as<If>()) {
      const If& theirs = *other.as<If>();
      if (!(substitute(theirs.condition, names_) == branch->condition) || theirs.else_case || branch->else_case) {
        return false;
      }
      stmts(below(at, 0), theirs.then_case);
      return true;
    }
    return false;
  }

  /// One evaluation in the place of the other, where the granted flags leave open what it gives: the same operations on
  /// the same cells, so that each choice of the one is a choice of the other.
  void same_evaluation(const Path& at, const Facts& facts, const Expr& theirs, const Expr& mine) {
    if (!mine->dtype.is_float() && theirs->dtype == mine->dtype) {
      needs.push_back(same_value(rule_, "both branches compute with the same numbers", func_, at, facts, theirs, mine));
      return;
    }
    bool alike = theirs->op == mine->op && theirs->dtype == mine->dtype && theirs->args.size() == mine->args.size() &&
                 mine->op != Op::Let && mine->op != Op::Undef;
    if (alike && (mine->args.empty() || mine->op == Op::Load || mine->op == Op::Call)) {
      alike = theirs->payload == mine->payload;
    }
    if (!alike) throw NotApplicable("the branches compute in two ways what the granted flags leave open");
    for (size_t k = 0; k < mine->args.size(); ++k) same_evaluation(at, facts, theirs->args[k], mine->args[k]);
  }

  const std::string& rule_;
  const PrimFunc& func_;
  const OpenRounding open_ = open_rounding_of(func_);
  VarMap names_;
};

}  // namespace

std::vector<Obligation> does_the_same(const std::string& rule, const PrimFunc& func, const Path& copy,
                                      const Stmt& other) {
  Comparison comparison(rule, func);
  comparison.stmts(copy, other);
  return std::move(comparison.needs);
}

BothSides both_sides(const PrimFunc& func, const Path& at, bool takes) {
  const Stmt stmt = checked_at(func, at);
  if (const Block* block = stmt.as<Block>(); block && block->predicate) {
    if (!takes) throw NotApplicable("a block has no else");
    VarMap bindings;
    for (const IterVar& iter : block->iters) {
      require_index(func, iter.binding, "a binding of the block");
      bindings.emplace(iter.var, iter.binding);
    }
    Expr condition = substitute(block->predicate, bindings);
    Block open = *block;
    open.predicate = {};
    Stmt kept = make_stmt(std::move(open), stmt->span);
    if (holds_undef(condition)) throw NotApplicable("the condition holds an undef");
    return {replace_at(func, at, make_stmt(If{condition, kept, refresh(kept)}, stmt->span)), below(at, 1), kept, {}};
  }
  const If& branch = record_at<If>(func, at, "an if, or a block with a predicate");
  if (holds_undef(branch.condition)) throw NotApplicable("the condition holds an undef");
  if (takes) {
    If both{branch.condition, branch.then_case, refresh(branch.then_case)};
    return {replace_at(func, at, make_stmt(both, stmt->span)), below(at, 1), branch.then_case, branch.else_case};
  }
  if (!branch.else_case) throw NotApplicable("the if has no else");
  If both{branch.condition, refresh(branch.else_case), branch.else_case};
  return {replace_at(func, at, make_stmt(both, stmt->span)), below(at, 0), branch.else_case, branch.then_case};
}

}  // namespace hexproof
