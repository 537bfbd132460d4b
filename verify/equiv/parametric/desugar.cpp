#include "verify/equiv/parametric/desugar.h"

#include <set>

#include "ir/interpreter/fault.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/facts/facts.h"
#include "verify/memory/quick.h"

namespace hexproof::parametric {

Stmt plain(const Stmt& stmt) {
  auto same = [](const Expr& e) { return e; };
  return rewrite_stmt(stmt, same, [](const Stmt& s) -> Stmt {
    const Block* block = s.as<Block>();
    if (!block) return s;
    std::vector<Stmt> parts;
    if (block->init) {
      std::vector<Expr> first;
      for (const IterVar& iter : block->iters) {
        if (iter.kind == IterKind::Reduce) first.push_back(eq(Expr(iter.var), iter.dom.min));
      }
      parts.push_back(first.empty() ? block->init : make_stmt(If{all(first), block->init, {}}, s->span));
    }
    parts.push_back(block->body);
    Stmt out = seq(std::move(parts));
    if (block->predicate) out = make_stmt(If{block->predicate, out, {}}, s->span);
    for (size_t i = block->iters.size(); i-- > 0;) {
      out = make_stmt(LetStmt{block->iters[i].var, block->iters[i].binding, out}, s->span);
    }
    return out;
  });
}

PrimFunc without_idle_remainders(PrimFunc func) {
  std::vector<std::pair<Path, std::vector<Expr>>> changed;
  walk_with_facts(func, [&](const Stmt& s, const Path& at, const Facts& facts) {
    if (s.as<Assume>()) return true;
    std::vector<Expr> before = expressions(s), after;
    for (const Expr& whole : before) {
      after.push_back(rewrite_expr(whole, [&](const Expr& e) {
        if (e->op != Op::FloorMod || !e->dtype.is_scalar() || is_data(facts.resolve(e))) return e;
        const Expr index = facts.resolve(e->args[0]), size = facts.resolve(e->args[1]);
        std::vector<Expr> known = facts.given();
        std::erase_if(known, [](const Expr& e) { return is_data(e); });
        const Quick quick(known);
        if (!quick.implies(le(zero(index->dtype), index)) || !quick.implies(lt(index, size))) return e;
        return Expr(e->args[0]);
      }));
    }
    if (after != before) changed.emplace_back(at, std::move(after));
    return true;
  });
  for (const auto& [at, list] : changed) func = replace_at(func, at, with_expressions(stmt_at(func, at), list));
  return func;
}

namespace {

/// Is a cell of the memory known by its indices, whatever the extents are? It has a compact layout, and no view.
bool has_only_indices(const AllocBuffer& alloc) {
  if (!alloc.buffer->strides.empty() || alloc.buffer->elem_offset) return false;
  bool seen = false;
  visit_stmt(alloc.body, [&](const Stmt& s) {
    const DeclBuffer* view = s.as<DeclBuffer>();
    seen |= view && view->buffer->data == alloc.buffer->data;
    return !seen;
  });
  return !seen;
}

}  // namespace

/// The layout of a buffer stands in terms as it is declared: it is the same at every moment.
std::string not_modelled(const Stmt& stmt) {
  std::string found;
  std::set<Var> bound;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const For* loop = s.as<For>()) bound.insert(loop->var);
    if (const LetStmt* let = s.as<LetStmt>()) bound.insert(let->var);
    if (const Block* block = s.as<Block>()) {
      for (const IterVar& iter : block->iters) bound.insert(iter.var);
    }
    const DeclBuffer* view = s.as<DeclBuffer>();
    const AllocBuffer* alloc = s.as<AllocBuffer>();
    if ((!view && !alloc) || !found.empty()) return true;
    if (alloc && has_only_indices(*alloc)) return true;
    const std::string what = view ? "a view" : "an allocation";
    for (const Expr& e : layout_exprs(view ? view->buffer : alloc->buffer)) {
      for (const Var& v : free_vars(e)) {
        if (bound.count(v)) found = what + " whose layout depends on " + v.name() + ": " + one_line(s);
      }
      if (is_data(e)) found = what + " whose layout is data: " + one_line(s);
    }
    return true;
  });
  visit_all_exprs(stmt, [&](const Expr& e) {
    if (e->op != Op::Call || !found.empty()) return;
    for (const Expr& arg : e->args) {
      if (arg->dtype.is_handle() && arg->op != Op::StringImm) found = "a call that is given memory: " + print(e);
    }
    if (e->dtype.is_handle()) found = "a call that gives memory: " + print(e);
  });
  return found;
}

}  // namespace hexproof::parametric
