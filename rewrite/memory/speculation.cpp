#include "rewrite/memory/speculation.h"

#include <unordered_map>

#include "ir/visit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"

namespace hexproof {

std::set<size_t> executed_expressions(const Stmt& stmt) {
  std::vector<Expr> all = expressions(stmt);
  std::set<size_t> out;
  if (stmt.as<Assume>() || stmt.as<AllocBuffer>() || stmt.as<Allocate>() || stmt.as<DeclBuffer>() ||
      stmt.as<AttrStmt>()) {
    return out;
  }
  const Block* block = stmt.as<Block>();
  for (size_t k = 0; k < all.size(); ++k) {
    bool executed = all[k] && !block;
    if (block && all[k]) {
      executed = block->predicate && all[k].get() == block->predicate.get();
      for (const IterVar& iter : block->iters) executed |= all[k].get() == iter.binding.get();
    }
    if (executed) out.insert(k);
  }
  return out;
}

Expr checked_expr(const PrimFunc& func, const ExprPlace& place) {
  Stmt stmt = checked_at(func, place.statement);
  std::vector<Expr> roots = expressions(stmt);
  if (place.expr.empty() || place.expr[0] < 0 || static_cast<size_t>(place.expr[0]) >= roots.size()) {
    throw NotApplicable("the path leads to no expression");
  }
  if (!executed_expressions(stmt).count(static_cast<size_t>(place.expr[0]))) {
    throw NotApplicable("the expression is not executed");
  }
  Expr e = roots[static_cast<size_t>(place.expr[0])];
  for (size_t k = 1; k < place.expr.size(); ++k) {
    if (place.expr[k] < 0 || static_cast<size_t>(place.expr[k]) >= e->args.size()) {
      throw NotApplicable("the path leads to no expression");
    }
    e = Expr(e->args[static_cast<size_t>(place.expr[k])]);
  }
  return e;
}

namespace {

/// Is the expression evaluated whenever its statement is?
bool always_evaluated(const PrimFunc& func, const ExprPlace& place) {
  Expr e = expressions(stmt_at(func, place.statement))[static_cast<size_t>(place.expr[0])];
  for (size_t k = 1; k < place.expr.size(); ++k) {
    if (e->op == Op::IfThenElse && place.expr[k] > 0) return false;
    e = Expr(e->args[static_cast<size_t>(place.expr[k])]);
  }
  return true;
}

/// NotApplicable when the expression mentions a variable or a buffer that is bound in `stmt`.
void require_free(const Stmt& stmt, const Expr& value) {
  std::set<Var> used = free_vars(value), memory = data_read(value);
  std::set<Buffer> buffers;
  visit_expr(value, [&](const Expr& e) {
    if (e->op == Op::Load) buffers.insert(as_declared(e->buffer()));
    return true;
  });
  auto bound = [&](const Var& v) {
    if (used.count(v) || memory.count(v)) {
      throw NotApplicable("the expression depends on '" + v.name() + "', which is bound inside");
    }
  };
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const For* loop = s.as<For>()) bound(loop->var);
    if (const LetStmt* let = s.as<LetStmt>()) bound(let->var);
    if (const Block* block = s.as<Block>()) {
      for (const IterVar& iter : block->iters) bound(iter.var);
    }
    if (const Allocate* a = s.as<Allocate>()) bound(a->data);
    if (const AllocBuffer* a = s.as<AllocBuffer>()) bound(a->buffer->data);
    const DeclBuffer* view = s.as<DeclBuffer>();
    if (view && buffers.count(view->buffer)) throw NotApplicable("the expression reads a view that is declared inside");
    return true;
  });
  visit_all_exprs(stmt, [&](const Expr& e) {
    // A variable of a T.Let around the place; one inside of the expression itself is not free in it.
    if (e->op == Op::Let) bound(e->args[0]->var());
  });
}

}  // namespace

std::vector<Obligation> evaluated_in_front(const std::string& rule, const PrimFunc& func, const Path& at,
                                           const ExprPlace& place, const Expr& value) {
  Stmt stmt = checked_at(func, at);
  if (holds_undef(value)) throw NotApplicable("the expression holds an undef");
  require_free(stmt, value);
  std::vector<Obligation> needs;
  const Period period(func, at);
  const Facts& facts = period.start();
  std::vector<Expr> given = facts.given();
  std::vector<Access> read = period.accesses(make_stmt(Evaluate{value}), at);
  std::vector<Access> written = writes_of(period.accesses(at));
  owe_no_conflict(rule, "the statement changes nothing that the expression reads", func, stmt, given, read, written,
                  Sums::Fixed, &needs);
  if (!is_data(value)) {
    needs.push_back(need(rule, "evaluating it in front is no error, even where it was never evaluated", func, stmt,
                         given, fits(facts.resolve(value))));
    return needs;
  }
  if (!always_evaluated(func, place)) {
    throw NotApplicable("the expression reads memory, and is not always evaluated");
  }
  owe_no_error_before_assumes(stmt, replace_at(func, at, seq({make_stmt(Evaluate{value}, stmt->span), stmt})),
                              below(at, 0), &needs);
  for (Path here = at; here != place.statement; here = below(here, place.statement[here.size()])) {
    Stmt s = stmt_at(func, here);
    if (const For* loop = s.as<For>()) {
      Facts there = facts_at(func, here);
      Expr runs = ge(there.resolve(loop->extent), imm(loop->extent->dtype, 1));
      needs.push_back(
          need(rule, "the loop runs, so that the expression was evaluated in any case", func, s, there.given(), runs));
      continue;
    }
    const Block* block = s.as<Block>();
    bool conditional =
        s.as<If>() || (block && (block->predicate || (block->init && place.statement[here.size()] == 0)));
    if (conditional) throw NotApplicable("the expression reads memory, and is not always evaluated");
  }
  return needs;
}

Stmt map_executed(const Stmt& stmt, const std::function<Expr(const Expr&)>& f) {
  if (!stmt) return stmt;
  std::vector<Stmt> parts = children(stmt);
  for (Stmt& part : parts) part = map_executed(part, f);
  Stmt out = parts.empty() ? stmt : with_children(stmt, parts);
  std::vector<Expr> list = expressions(out);
  std::set<size_t> executed = executed_expressions(out);
  bool changed = false;
  for (size_t k : executed) {
    Expr after = f(list[k]);
    changed |= !(after == list[k]);
    list[k] = after;
  }
  return changed ? with_expressions(out, list) : out;
}

namespace {

Expr folded(const Expr& e) {
  auto is = [&](size_t k, int64_t value) { return is_int(e->args[k], value); };
  if (!e->dtype.is_scalar()) return e;
  if (e->op == Op::Not && as_int(e->args[0])) return boolean(is(0, 0));
  if (e->op == Op::Likely && as_int(e->args[0])) return e->args[0];
  if (e->op == Op::And || e->op == Op::Or) {
    int64_t neutral = e->op == Op::And;
    for (size_t k : {size_t{0}, size_t{1}}) {
      if (is(k, neutral)) return e->args[1 - k];
      if (is(k, 1 - neutral)) return e->args[k];
    }
  }
  bool choice = e->op == Op::IfThenElse || e->op == Op::Select;
  if (choice && e->args[0]->dtype.is_scalar() && as_int(e->args[0])) return e->args[is(0, 0) ? 2 : 1];
  return e;
}

Expr put(const Expr& e, const Expr& what, const Expr& value, std::unordered_map<const ExprNode*, Expr>& done) {
  if (e == what) return value;
  if (e->args.empty()) return e;
  if (auto it = done.find(e.get()); it != done.end()) return it->second;
  std::vector<Expr> args;
  bool changed = false;
  for (const Expr& arg : e->args) {
    args.push_back(put(arg, what, value, done));
    changed |= args.back().get() != arg.get();
  }
  Expr out = changed ? folded(with_args(e, std::move(args))) : e;
  done.emplace(e.get(), out);
  return out;
}

bool nothing(const Stmt& s) { return !s || (s.as<Seq>() && s.as<Seq>()->stmts.empty()); }

Stmt prune(const Stmt& stmt) {
  if (!stmt) return stmt;
  if (const If* branch = stmt.as<If>()) {
    Stmt yes = prune(branch->then_case), no = prune(branch->else_case);
    if (is_int(branch->condition, 1)) return yes;
    if (is_int(branch->condition, 0)) return no ? no : empty_stmt();
    if (nothing(yes) && nothing(no)) return empty_stmt();
    if (nothing(yes)) return make_stmt(If{lnot(branch->condition), no, {}}, stmt->span);
    return make_stmt(If{branch->condition, yes, nothing(no) ? Stmt() : no}, stmt->span);
  }
  std::vector<Stmt> parts = children(stmt);
  if (parts.empty()) return stmt;
  bool any = false;
  for (Stmt& part : parts) part = prune(part), any |= !nothing(part);
  if (stmt.as<Seq>()) return seq(std::move(parts));
  return any ? with_children(stmt, parts) : empty_stmt();
}

}  // namespace

Expr with_condition(const Expr& e, const Expr& what, bool holds) {
  std::unordered_map<const ExprNode*, Expr> done;
  return put(e, what, boolean(holds), done);
}

Stmt with_condition(const Stmt& stmt, const Expr& what, bool holds) {
  return prune(map_executed(stmt, [&](const Expr& e) { return with_condition(e, what, holds); }));
}

}  // namespace hexproof
