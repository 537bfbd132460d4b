#include "rewrite/memory/unobservable_stores.h"

#include "ir/visit.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/memory/same_value.h"
#include "rewrite/memory/undef_decides.h"
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
      add(leaves_bits(rule, func, store, rest));
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
        for (Obligation& o : leaves_bits(rule_, func_, store)) needs.push_back(std::move(o));
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
      if (undef_tells_apart(func_, theirs_here, store->value)) {
        throw NotApplicable("one of the values depends on an undef, which may decide");
      }
      if (chooses(theirs_here, open_) || chooses(store->value, open_)) {
        same_evaluation(at, facts, theirs_here, store->value);
      } else {
        Obligation bits =
            same_value(rule_, "both branches store the same bits", func_, at, facts, theirs_here, store->value);
        needs.push_back(seen_alike(std::move(bits), func_, theirs_here, store->value));
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
