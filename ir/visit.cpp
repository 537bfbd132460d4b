#include "ir/visit.h"

#include <unordered_map>
#include <unordered_set>

#include "ir/arith_class.h"
#include "ir/base/mutant.h"

namespace hexproof {

void visit_expr(const Expr& e, const std::function<bool(const Expr&)>& f) {
  if (!e || !f(e)) return;
  for (const Expr& arg : e->args) visit_expr(arg, f);
}

namespace {

/// Small expressions are walked without a note of what was seen.
class Nodes {
 public:
  explicit Nodes(const std::function<bool(const Expr&)>& f) : f_(f) {}
  void operator()(const Expr& e) {
    if (!e || (!e->args.empty() && ++visited_ > kSmall && !seen_.insert(e.get()).second) || !f_(e)) return;
    for (const Expr& arg : e->args) (*this)(arg);
  }

 private:
  static constexpr size_t kSmall = 256;
  const std::function<bool(const Expr&)>& f_;
  size_t visited_ = 0;
  std::unordered_set<const ExprNode*> seen_;
};

}  // namespace

void visit_nodes(const Expr& e, const std::function<bool(const Expr&)>& f) { Nodes{f}(e); }

namespace {

using OnExpr = std::function<Expr(const Expr&)>;

void map_exprs(std::vector<Expr>& list, const OnExpr& f) {
  for (Expr& e : list) e = f(e);
}
void map_expr(Expr& e, const OnExpr& f) {
  if (e) e = f(e);
}
void map_annotations(Annotations& annotations, const OnExpr& f) {
  for (auto& [key, value] : annotations) {
    if (Expr* e = std::get_if<Expr>(&value)) map_expr(*e, f);
  }
}
void map_regions(std::optional<std::vector<BufferRegion>>& regions, const OnExpr& f) {
  if (!regions) return;
  for (BufferRegion& r : *regions) {
    for (Range& range : r.region) map_expr(range.min, f), map_expr(range.extent, f);
  }
}

/// Applies `f` to every expression of the record, in the order in which they stand.
void map_record(StmtNode& node, const OnExpr& f) {
  std::visit(
      match{[&](Store& s) { map_exprs(s.indices, f), map_expr(s.value, f); },
            [&](For& s) { map_expr(s.min, f), map_expr(s.extent, f), map_annotations(s.annotations, f); },
            [&](If& s) { map_expr(s.condition, f); }, [&](LetStmt& s) { map_expr(s.value, f); }, [](Seq&) {},
            [&](Evaluate& s) { map_expr(s.value, f); }, [&](Assume& s) { map_expr(s.condition, f); },
            [](AllocBuffer&) {},
            [&](Allocate& s) { map_exprs(s.extents, f), map_exprs(s.constant, f), map_annotations(s.annotations, f); },
            [](DeclBuffer&) {},
            [&](Block& s) {
              for (IterVar& iter : s.iters) {
                map_expr(iter.dom.min, f), map_expr(iter.dom.extent, f), map_expr(iter.binding, f);
              }
              map_expr(s.predicate, f);
              map_regions(s.reads, f), map_regions(s.writes, f);
              map_annotations(s.annotations, f);
            },
            [&](AttrStmt& s) {
              if (Expr* e = std::get_if<Expr>(&s.node)) map_expr(*e, f);
              if (Expr* e = std::get_if<Expr>(&s.value)) map_expr(*e, f);
            },
            [](AsyncCommit&) {}, [&](AsyncWait& s) { map_expr(s.inflight, f); }},
      node.record);
}

}  // namespace

std::vector<Expr> expressions(const Stmt& stmt) {
  std::vector<Expr> out;
  StmtNode copy = *stmt;
  map_record(copy, [&](const Expr& e) {
    out.push_back(e);
    return e;
  });
  return out;
}

Stmt with_expressions(const Stmt& stmt, const std::vector<Expr>& list) {
  size_t next = 0;
  StmtNode copy = *stmt;
  map_record(copy, [&](const Expr&) {
    HEXPROOF_CHECK(next < list.size(), "with_expressions: too few");
    return list[next++];
  });
  HEXPROOF_CHECK(next == list.size(), "with_expressions: too many");
  return Stmt(std::make_shared<const StmtNode>(std::move(copy)));
}

void visit_stmt(const Stmt& stmt, const std::function<bool(const Stmt&)>& f) {
  if (!stmt || !f(stmt)) return;
  for (const Stmt& part : children(stmt)) visit_stmt(part, f);
}

void visit_all_exprs(const Stmt& stmt, const std::function<void(const Expr&)>& f) {
  visit_stmt(stmt, [&](const Stmt& s) {
    for (const Expr& top : expressions(s)) {
      visit_expr(top, [&](const Expr& e) {
        f(e);
        return true;
      });
    }
    return true;
  });
}

namespace {
Expr rewrite_memo(const Expr& e, const OnExpr& f, std::unordered_map<const ExprNode*, Expr>& done) {
  if (auto it = done.find(e.get()); it != done.end()) return it->second;
  std::vector<Expr> args;
  args.reserve(e->args.size());
  bool changed = false;
  for (const Expr& arg : e->args) {
    args.push_back(rewrite_memo(arg, f, done));
    changed |= args.back().get() != arg.get();
  }
  Expr result = f(changed ? with_args(e, std::move(args)) : e);
  done.emplace(e.get(), result);
  return result;
}
}  // namespace

Expr rewrite_expr(const Expr& e, const OnExpr& f) {
  std::unordered_map<const ExprNode*, Expr> done;
  return e ? rewrite_memo(e, f, done) : e;
}

Stmt rewrite_stmt(const Stmt& stmt, const OnExpr& on_expr, const std::function<Stmt(const Stmt&)>& on_stmt) {
  if (!stmt) return stmt;
  std::vector<Stmt> parts = children(stmt);
  bool changed = false;
  for (Stmt& part : parts) {
    Stmt after = rewrite_stmt(part, on_expr, on_stmt);
    changed |= after.get() != part.get();
    part = std::move(after);
  }
  Stmt result = changed ? with_children(stmt, parts) : stmt;
  if (on_expr) {
    StmtNode copy = *result;
    bool differs = false;
    map_record(copy, [&](const Expr& e) {
      Expr after = on_expr(e);
      differs |= after.get() != e.get();
      return after;
    });
    if (differs) result = Stmt(std::make_shared<const StmtNode>(std::move(copy)));
  }
  return on_stmt ? on_stmt(result) : result;
}

Expr substitute(const Expr& e, const VarMap& map) {
  if (map.empty()) return e;
  return rewrite_expr(e, [&](const Expr& node) {
    if (node->op == Op::Load) {
      const Buffer there = HEXPROOF_MUTANT("access/view-stays", moved(node->buffer(), map), node->buffer());
      return there == node->buffer() ? node : load(there, node->args);
    }
    if (node->op != Op::Var) return node;
    auto it = map.find(node->var());
    return it == map.end() ? node : it->second;
  });
}

namespace {
/// The variables alone: the buffers of a statement are its own affair.
Expr put_in(const Expr& e, const VarMap& map) {
  return rewrite_expr(e, [&](const Expr& node) {
    if (node->op != Op::Var) return node;
    auto it = map.find(node->var());
    return it == map.end() ? node : it->second;
  });
}

/// Buffers that are declared inside have shapes, strides and offsets over variables: those change too.
Buffer substitute_in_buffer(const Buffer& buffer, const VarMap& map) {
  BufferNode copy = *buffer;
  bool changed = false;
  auto apply = [&](Expr& e) {
    if (!e) return;
    Expr after = put_in(e, map);
    changed |= after.get() != e.get();
    e = after;
  };
  for (Expr& e : copy.shape) apply(e);
  for (Expr& e : copy.strides) apply(e);
  apply(copy.elem_offset);
  if (auto it = map.find(copy.data); it != map.end()) copy.data = it->second->var(), changed = true;
  if (!changed) return buffer;
  return make_buffer(copy.name, copy.dtype, copy.shape,
                     {copy.strides, copy.elem_offset, copy.axis_separators, copy.scope, copy.data});
}

Expr replace_buffers(const Expr& e, const BufferMap& map) {
  return rewrite_expr(e, [&](const Expr& node) {
    if (node->op != Op::Load) return node;
    auto it = map.find(node->buffer());
    return it == map.end() ? node : load(it->second, node->args);
  });
}

void replace_buffers(std::optional<std::vector<BufferRegion>>& regions, const BufferMap& map) {
  if (!regions) return;
  for (BufferRegion& r : *regions) {
    if (auto it = map.find(r.buffer); it != map.end()) r.buffer = it->second;
  }
}

Stmt replace_buffer_uses(const Stmt& stmt, const BufferMap& map) {
  StmtNode copy = *stmt;
  auto use = [&](Buffer& b) {
    auto it = map.find(b);
    if (it == map.end()) return false;
    b = it->second;
    return true;
  };
  bool changed =
      std::visit(match{[&](Store& s) { return use(s.buffer); }, [&](AllocBuffer& s) { return use(s.buffer); },
                       [&](DeclBuffer& s) { return use(s.buffer); },
                       [&](Block& s) {
                         replace_buffers(s.reads, map), replace_buffers(s.writes, map);
                         return s.reads.has_value() || s.writes.has_value();
                       },
                       [](auto&) { return false; }},
                 copy.record);
  return changed ? Stmt(std::make_shared<const StmtNode>(std::move(copy))) : stmt;
}

/// The buffers declared or allocated inside whose description mentions a variable of the map.
BufferMap renamed_buffers(const Stmt& stmt, const VarMap& map) {
  BufferMap out;
  visit_stmt(stmt, [&](const Stmt& s) {
    for (const Buffer* b : {s.as<AllocBuffer>() ? &s.as<AllocBuffer>()->buffer : nullptr,
                            s.as<DeclBuffer>() ? &s.as<DeclBuffer>()->buffer : nullptr}) {
      if (!b) continue;
      Buffer after = substitute_in_buffer(*b, map);
      if (!(after == *b)) out.emplace(*b, after);
    }
    return true;
  });
  return out;
}
}  // namespace

Stmt substitute(const Stmt& stmt, const VarMap& map) {
  if (map.empty() || !stmt) return stmt;
  Stmt out = rewrite_stmt(stmt, [&](const Expr& e) { return put_in(e, map); });
  return substitute(out, renamed_buffers(out, map));
}

Stmt substitute(const Stmt& stmt, const BufferMap& map) {
  if (map.empty() || !stmt) return stmt;
  return rewrite_stmt(
      stmt, [&](const Expr& e) { return replace_buffers(e, map); },
      [&](const Stmt& s) { return replace_buffer_uses(s, map); });
}

Stmt refresh(const Stmt& stmt, const std::function<std::string(const Var&)>& name) {
  VarMap vars;
  BufferMap buffers;
  auto renew = [&](const Var& v) {
    if (!vars.count(v)) vars.emplace(v, Expr(Var::fresh(name ? name(v) : v.name(), v.dtype(), v.is_data())));
  };
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const For* loop = s.as<For>()) renew(loop->var);
    if (const LetStmt* l = s.as<LetStmt>()) renew(l->var);
    if (const Allocate* a = s.as<Allocate>()) renew(a->data);
    if (const AllocBuffer* a = s.as<AllocBuffer>()) renew(a->buffer->data);
    if (const Block* b = s.as<Block>()) {
      for (const IterVar& iter : b->iters) renew(iter.var);
    }
    return true;
  });
  auto renew_lets = [&](const Expr& e) {
    if (e->op == Op::Let) renew(e->args[0]->var());
    return true;
  };
  visit_all_exprs(stmt, renew_lets);
  visit_stmt(stmt, [&](const Stmt& s) {
    Buffer b = s.as<AllocBuffer>()  ? s.as<AllocBuffer>()->buffer
               : s.as<DeclBuffer>() ? s.as<DeclBuffer>()->buffer
                                    : Buffer{};
    if (b) {
      for (const Expr& e : layout_exprs(b)) visit_expr(e, renew_lets);
      Buffer after = substitute_in_buffer(b, vars);
      if (after == b) {
        after = make_buffer(b->name, b->dtype, b->shape,
                            {b->strides, b->elem_offset, b->axis_separators, b->scope, b->data});
      }
      buffers.emplace(b, after);
    }
    return true;
  });
  Stmt out = substitute(stmt, buffers);
  out = rewrite_stmt(
      out, [&](const Expr& e) { return put_in(e, vars); },
      [&](const Stmt& s) {
        StmtNode copy = *s;
        auto fresh = [&](Var& v) {
          if (auto it = vars.find(v); it != vars.end()) v = it->second->var();
        };
        std::visit(
            match{[&](For& x) { fresh(x.var); }, [&](LetStmt& x) { fresh(x.var); }, [&](Allocate& x) { fresh(x.data); },
                  [&](Block& x) {
                    for (IterVar& iter : x.iters) fresh(iter.var);
                  },
                  [](auto&) {}},
            copy.record);
        return Stmt(std::make_shared<const StmtNode>(std::move(copy)));
      });
  return out;
}

bool uses_var(const Expr& e, const Var& var) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found |= node->op == Op::Var && node->var() == var;
    return !found;
  });
  return found;
}

bool uses_var(const Stmt& stmt, const Var& var) {
  bool found = false;
  visit_all_exprs(stmt, [&](const Expr& e) { found |= e->op == Op::Var && e->var() == var; });
  visit_stmt(stmt, [&](const Stmt& s) {  // (What it declares lies where its layout says.)
    const AllocBuffer* made = s.as<AllocBuffer>();
    const DeclBuffer* view = s.as<DeclBuffer>();
    if (!made && !view) return !found;
    for (const Expr& e : layout_exprs(made ? made->buffer : view->buffer)) found = found || uses_var(e, var);
    return !found;
  });
  return found;
}

bool is_data(const Expr& e) {
  bool found = e->data;
  visit_nodes(e, [&](const Expr& node) {  // `data` leaves out the value of a let that does not count for its body
    found |= node->data;
    return !found;
  });
  return found;
}

bool reads_memory(const Expr& e) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found |= is_application(node->op) || node->op == Op::Undef;
    return !found;
  });
  return found;
}

std::set<Var> free_vars(const Expr& e) {
  std::set<Var> used, bound;
  visit_nodes(e, [&](const Expr& node) {
    if (node->op == Op::Var) used.insert(node->var());
    if (node->op == Op::Let) bound.insert(node->args[0]->var());
    return true;
  });
  for (const Var& v : bound) used.erase(v);
  return used;
}

}  // namespace hexproof
