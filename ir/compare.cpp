// same_program: equality of programs up to the names of what is bound inside.
#include <set>

#include "ir/visit.h"

namespace hexproof {
namespace {

/// Pairs the variables and buffers of two programs as it meets them.
class Comparison {
 public:
  bool functions(const PrimFunc& a, const PrimFunc& b) {
    if (a.params.size() != b.params.size()) return false;
    for (size_t i = 0; i < a.params.size(); ++i) {
      const Param &p = a.params[i], &q = b.params[i];
      if (static_cast<bool>(p.buffer) != static_cast<bool>(q.buffer) || !bound(p.var, q.var)) return false;
    }
    for (size_t i = 0; i < a.params.size(); ++i) {
      if (a.params[i].buffer && !declared(a.params[i].buffer, b.params[i].buffer)) return false;
    }
    return annotations(a.attrs, b.attrs) && stmts(a.body, b.body);
  }

 private:
  template <class T>
  bool pair(std::map<T, T>& there, std::map<T, T>& back, const T& a, const T& b) {
    auto [x, is_new] = there.emplace(a, b);
    auto [y, is_new_back] = back.emplace(b, a);
    return x->second == b && y->second == a;
  }

  bool used(const Var& a, const Var& b) {
    if (!a || !b) return !a && !b;
    return a.dtype() == b.dtype() && pair(vars_, vars_back_, a, b);
  }
  bool bound(const Var& a, const Var& b) { return used(a, b); }

  bool declared(const Buffer& a, const Buffer& b) {
    if (!a || !b) return !a && !b;
    if (!pair(buffers_, buffers_back_, a, b)) return false;
    if (a->dtype != b->dtype || a->scope != b->scope || a->axis_separators != b->axis_separators ||
        !lists(a->shape, b->shape) || !lists(a->strides, b->strides) || !used(a->data, b->data)) {
      return false;
    }
    return exprs(a->elem_offset, b->elem_offset);
  }

  bool lists(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!exprs(a[i], b[i])) return false;
    }
    return true;
  }

  bool exprs(const Expr& a, const Expr& b) {
    if (!a || !b) return !a && !b;
    if (a->op != b->op || a->dtype != b->dtype || a->args.size() != b->args.size() || a->wraps != b->wraps)
      return false;
    if (equal_.count({a.get(), b.get()})) return true;
    bool same;
    if (a->op == Op::Var) {
      same = used(a->var(), b->var());
    } else if (a->op == Op::Load) {
      same = declared(a->buffer(), b->buffer()) && lists(a->args, b->args);
    } else if (a->args.empty()) {
      same = a == b;
    } else {
      if (is_application(a->op) && a->text() != b->text()) return false;
      same = lists(a->args, b->args);
    }
    if (same && !a->args.empty()) equal_.insert({a.get(), b.get()});
    return same;
  }

  bool annotation(const Annotation& a, const Annotation& b) {
    if (a.index() != b.index()) return false;
    if (const std::string* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
    return exprs(std::get<Expr>(a), std::get<Expr>(b));
  }
  bool annotations(const Annotations& a, const Annotations& b) {
    if (a.size() != b.size()) return false;
    for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y) {
      if (x->first != y->first || !annotation(x->second, y->second)) return false;
    }
    return true;
  }

  bool ranges(const Range& a, const Range& b) { return exprs(a.min, b.min) && exprs(a.extent, b.extent); }

  bool regions(const std::optional<std::vector<BufferRegion>>& a, const std::optional<std::vector<BufferRegion>>& b) {
    if (a.has_value() != b.has_value()) return false;
    if (!a) return true;
    if (a->size() != b->size()) return false;
    for (size_t i = 0; i < a->size(); ++i) {
      const BufferRegion &r = (*a)[i], &q = (*b)[i];
      if (!declared(r.buffer, q.buffer) || r.region.size() != q.region.size()) return false;
      for (size_t k = 0; k < r.region.size(); ++k) {
        if (!ranges(r.region[k], q.region[k])) return false;
      }
    }
    return true;
  }

  /// The statements in order, nested sequences flattened and those that do nothing left out.
  static void flatten(const Stmt& s, std::vector<Stmt>& out) {
    if (!s) return;
    if (const Seq* list = s.as<Seq>()) {
      for (const Stmt& part : list->stmts) flatten(part, out);
      return;
    }
    const Evaluate* e = s.as<Evaluate>();
    if (e && (e->value->op == Op::IntImm || e->value->op == Op::FloatImm)) return;
    out.push_back(s);
  }

  bool stmts(const Stmt& a, const Stmt& b) {
    if (!a || !b) return !a && !b;
    std::vector<Stmt> x, y;
    flatten(a, x), flatten(b, y);
    if (x.size() != y.size()) return false;
    for (size_t i = 0; i < x.size(); ++i) {
      if (!one(x[i], y[i])) return false;
    }
    return true;
  }

  bool same(const Store& a, const Store& b) {
    return declared(a.buffer, b.buffer) && lists(a.indices, b.indices) && exprs(a.value, b.value);
  }
  bool same(const For& a, const For& b) {
    return a.kind == b.kind && a.thread_tag == b.thread_tag && exprs(a.min, b.min) && exprs(a.extent, b.extent) &&
           bound(a.var, b.var) && annotations(a.annotations, b.annotations) && stmts(a.body, b.body);
  }
  bool same(const If& a, const If& b) {
    return exprs(a.condition, b.condition) && stmts(a.then_case, b.then_case) && stmts(a.else_case, b.else_case);
  }
  bool same(const LetStmt& a, const LetStmt& b) {
    return exprs(a.value, b.value) && bound(a.var, b.var) && stmts(a.body, b.body);
  }
  bool same(const Seq&, const Seq&) { return true; }  // flattened before
  bool same(const Evaluate& a, const Evaluate& b) { return exprs(a.value, b.value); }
  bool same(const Assume& a, const Assume& b) { return exprs(a.condition, b.condition); }
  bool same(const AllocBuffer& a, const AllocBuffer& b) {
    return declared(a.buffer, b.buffer) && stmts(a.body, b.body);
  }
  bool same(const Allocate& a, const Allocate& b) {
    return a.dtype == b.dtype && a.scope == b.scope && lists(a.extents, b.extents) && lists(a.constant, b.constant) &&
           annotations(a.annotations, b.annotations) && bound(a.data, b.data) && stmts(a.body, b.body);
  }
  bool same(const DeclBuffer& a, const DeclBuffer& b) { return declared(a.buffer, b.buffer) && stmts(a.body, b.body); }
  bool same(const Block& a, const Block& b) {
    if (a.name != b.name || a.iters.size() != b.iters.size()) return false;
    for (size_t i = 0; i < a.iters.size(); ++i) {
      const IterVar &x = a.iters[i], &y = b.iters[i];
      if (x.kind != y.kind || !ranges(x.dom, y.dom) || !exprs(x.binding, y.binding)) return false;
    }
    for (size_t i = 0; i < a.iters.size(); ++i) {
      if (!bound(a.iters[i].var, b.iters[i].var)) return false;
    }
    return exprs(a.predicate, b.predicate) && regions(a.reads, b.reads) && regions(a.writes, b.writes) &&
           stmts(a.init, b.init) && annotations(a.annotations, b.annotations) && stmts(a.body, b.body);
  }
  bool same(const AttrStmt& a, const AttrStmt& b) {
    return a.key == b.key && annotation(a.node, b.node) && annotation(a.value, b.value) && stmts(a.body, b.body);
  }
  bool same(const AsyncCommit& a, const AsyncCommit& b) { return a.queue == b.queue && stmts(a.body, b.body); }
  bool same(const AsyncWait& a, const AsyncWait& b) {
    return a.queue == b.queue && exprs(a.inflight, b.inflight) && stmts(a.body, b.body);
  }

  bool one(const Stmt& a, const Stmt& b) {
    if (a->record.index() != b->record.index()) return false;
    return std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b->record)); },
                      a->record);
  }

  std::map<Var, Var> vars_, vars_back_;
  std::map<Buffer, Buffer> buffers_, buffers_back_;
  std::set<std::pair<const ExprNode*, const ExprNode*>> equal_;
};

}  // namespace

bool same_program(const PrimFunc& a, const PrimFunc& b) { return Comparison().functions(a, b); }

}  // namespace hexproof
