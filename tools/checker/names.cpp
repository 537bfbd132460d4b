#include "tools/checker/names.h"

namespace hexproof::checker {

Stmts parts_of(const Stmt& stmt) {
  if (!stmt) return {};
  if (const Seq* list = stmt.as<Seq>()) {
    Stmts out;
    for (const Stmt& part : list->stmts) {
      for (Stmt& s : parts_of(part)) out.push_back(std::move(s));
    }
    return out;
  }
  const Evaluate* e = stmt.as<Evaluate>();
  return e && (e->value->op == Op::IntImm || e->value->op == Op::FloatImm) ? Stmts() : Stmts{stmt};
}

bool Names::pair(const PrimFunc& before, const PrimFunc& after) {
  Annotations attrs = before.attrs;
  if (after.attrs.count("hexproof.lowered")) attrs["hexproof.lowered"] = after.attrs.at("hexproof.lowered");
  if (attrs != after.attrs) return false;
  for (size_t k = 0; k < before.params.size(); ++k) pair(before.params[k].var, after.params.at(k).var);
  for (size_t k = 0; k < before.params.size(); ++k) {
    const Param &b = before.params[k], &a = after.params[k];
    if (!b.buffer) continue;
    // The shape's own variables are found where they stand.
    for (size_t axis = 0; axis < std::min(a.buffer->ndim(), b.buffer->ndim()); ++axis) {
      const Expr &x = b.buffer->shape[axis], &y = a.buffer->shape[axis];
      if (x->op == Op::Var && y->op == Op::Var) vars_.emplace(y->var(), x->var());
    }
    if (!same_layout(b.buffer, a.buffer)) return false;
    pair(b.buffer, a.buffer);
  }
  return true;
}

void Names::pair(const Buffer& before, const Buffer& after) {
  buffers_[after] = before;
  vars_[after->data] = before->data;
}

bool Names::paired(const Buffer& before, const Buffer& after) const {
  auto found = buffers_.find(after);
  return found == buffers_.end() ? before == after : found->second == before;
}

bool Names::same_name(const Var& before, const Var& after) const {
  auto found = vars_.find(after);
  return (found == vars_.end() ? after : found->second) == before;
}

bool Names::same_layout(const Buffer& before, const Buffer& after) {
  return before->dtype == after->dtype && before->axis_separators == after->axis_separators &&
         same(before->shape, after->shape) && same(before->strides, after->strides) &&
         same(before->elem_offset, after->elem_offset);
}

bool Names::same(const std::vector<Expr>& before, const std::vector<Expr>& after) {
  auto both = [&](const Expr& b, const Expr& a) { return same(b, a); };
  return std::equal(before.begin(), before.end(), after.begin(), after.end(), both);
}

bool Names::same(const Expr& b, const Expr& a) {
  if (!b || !a) return !b && !a;
  if (!(b->dtype == a->dtype)) return false;
  if (b->op == Op::Var && open.count(b->var())) {
    auto [hole, is_new] = holes.emplace(b->var(), a);
    return is_new || hole->second == a;
  }
  if (b->op != a->op || b->wraps != a->wraps || b->args.size() != a->args.size()) return false;
  if (b->op == Op::Var) return same_name(b->var(), a->var());
  if (b->op == Op::Load) return paired(b->buffer(), a->buffer()) && same(b->args, a->args);
  if (b->op == Op::Let) {
    if (!same(b->args[1], a->args[1])) return false;
    pair(b->args[0]->var(), a->args[0]->var());
    return same(b->args[2], a->args[2]);
  }
  return b->args.empty() ? b == a : b->payload == a->payload && same(b->args, a->args);
}

bool Names::head(const Stmt& before, const Stmt& after) {
  return head(before, after, [this](const Expr& b, const Expr& a) { return same(b, a); });
}

bool Names::head(const Stmt& before, const Stmt& after, const Equal& equal) {
  if (before->record.index() != after->record.index()) return false;
  auto declared = [&](const Buffer& b, const Buffer& a) {
    if (b->scope != a->scope || !same_layout(b, a)) return false;
    pair(b, a);
    return true;
  };
  auto noted = [&](const Annotation& b, const Annotation& a) {
    const Expr *x = std::get_if<Expr>(&b), *y = std::get_if<Expr>(&a);
    return x && y ? same(*x, *y) : b == a;
  };
  return std::visit(
      match{[&](const Store& b, const Store& a) {
              return paired(b.buffer, a.buffer) && same(b.indices, a.indices) && same(b.value, a.value);
            },
            [&](const For& b, const For& a) {
              if (b.kind != a.kind || b.thread_tag != a.thread_tag || !(b.var.dtype() == a.var.dtype())) return false;
              if (by_name && b.var.name() != a.var.name()) return false;
              if (!equal(b.min, a.min) || !equal(b.extent, a.extent)) return false;
              pair(b.var, a.var);
              return true;
            },
            [&](const If& b, const If& a) {
              return equal(b.condition, a.condition) && parts_of(b.else_case).empty() == parts_of(a.else_case).empty();
            },
            [&](const LetStmt& b, const LetStmt& a) {
              if (!(b.var.dtype() == a.var.dtype()) || !equal(b.value, a.value)) return false;
              pair(b.var, a.var);
              return true;
            },
            [&](const Evaluate& b, const Evaluate& a) { return equal(b.value, a.value); },
            [&](const Assume& b, const Assume& a) { return same(b.condition, a.condition); },
            [&](const AllocBuffer& b, const AllocBuffer& a) { return declared(b.buffer, a.buffer); },
            [&](const DeclBuffer& b, const DeclBuffer& a) {
              return same_name(b.buffer->data, a.buffer->data) && declared(b.buffer, a.buffer);
            },
            [&](const Allocate& b, const Allocate& a) {
              pair(b.data, a.data);
              return b.dtype == a.dtype && b.scope == a.scope && same(b.extents, a.extents) &&
                     same(b.constant, a.constant);
            },
            [&](const Block& b, const Block& a) {
              if (b.iters.size() != a.iters.size() || !b.init != !a.init) return false;
              for (size_t k = 0; k < b.iters.size(); ++k) {
                const IterVar &x = b.iters[k], &y = a.iters[k];
                if (x.kind != y.kind || !equal(x.dom.min, y.dom.min) || !equal(x.dom.extent, y.dom.extent))
                  return false;
                if (!(x.var.dtype() == y.var.dtype()) || !equal(x.binding, y.binding)) return false;
              }
              for (size_t k = 0; k < b.iters.size(); ++k) pair(b.iters[k].var, a.iters[k].var);
              return equal(b.predicate, a.predicate);
            },
            [&](const AttrStmt& b, const AttrStmt& a) {
              return b.key == a.key && noted(b.node, a.node) && noted(b.value, a.value);
            },
            [](const auto&, const auto&) { return false; }},
      before->record, after->record);
}

bool Names::one(const Stmt& before, const Stmt& after) {
  if (!head(before, after)) return false;
  const Stmts b = children(before), a = children(after);
  auto both = [&](const Stmt& x, const Stmt& y) { return same(x, y); };
  return std::equal(b.begin(), b.end(), a.begin(), a.end(), both);
}

bool Names::same(const Stmts& before, const Stmts& after) {
  auto both = [&](const Stmt& b, const Stmt& a) { return one(b, a); };
  return std::equal(before.begin(), before.end(), after.begin(), after.end(), both);
}

Expr Names::mine(const Expr& after) const {
  return rewrite_expr(after, [&](const Expr& e) -> Expr {
    if (e->op == Op::Var) {
      auto found = vars_.find(e->var());
      return found == vars_.end() ? e : Expr(found->second);
    }
    if (e->op != Op::Load) return e;
    auto found = buffers_.find(e->buffer());
    return found == buffers_.end() ? e : load(found->second, e->args);
  });
}

Stmt Names::mine(const Stmt& after) const {
  VarMap vars;
  for (const auto& [a, b] : vars_) vars.emplace(a, Expr(b));
  return substitute(substitute(after, BufferMap(buffers_.begin(), buffers_.end())), vars);
}

std::optional<Place> difference(Names& names, Stmts b, Stmts a) {
  auto same = [&](const Stmts& x, const Stmts& y) {
    return names.attempt([&](Names& tried) { return tried.same(x, y); });
  };
  while (!b.empty() && !a.empty() && same({b.front()}, {a.front()})) b.erase(b.begin()), a.erase(a.begin());
  while (!b.empty() && !a.empty() && same({b.back()}, {a.back()})) b.pop_back(), a.pop_back();
  if (b.empty() && a.empty()) return {};
  const Names outside = names;
  if (b.size() == 1 && a.size() == 1 && names.head(b[0], a[0])) {
    const Stmts inside = children(b[0]), now = children(a[0]);
    std::optional<Place> found;
    size_t differ = 0;
    for (size_t k = 0; inside.size() == now.size() && k < inside.size(); ++k) {
      if (same(parts_of(inside[k]), parts_of(now[k]))) continue;
      ++differ;
      found = difference(names, parts_of(inside[k]), parts_of(now[k]));
    }
    if (differ == 1 && found && !found->before.empty()) return found;
  }
  names = outside;
  return Place{b, a};
}

}  // namespace hexproof::checker
