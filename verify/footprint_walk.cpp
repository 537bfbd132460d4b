// The walk that collects the accesses of a statement.
#include <atomic>
#include <utility>

#include "verify/footprint.h"

namespace hexproof {

Expr lane_of(const Expr& e, const Var& lane, const std::vector<LoopRange>& loops) {
  if (e->dtype.is_scalar()) return e;
  if (e->op == Op::Broadcast) return e->args[0];
  DType type = e->dtype.element();
  if (e->op == Op::Ramp) {
    Expr at = type == lane.dtype() ? Expr(lane) : cast(type, Expr(lane));
    return binary(Op::Add, e->args[0], fold(binary(Op::Mul, at, e->args[1], e->wraps)), e->wraps);
  }
  if (e->op == Op::Cast) return cast(type, lane_of(e->args[0], lane, loops));
  if (e->op == Op::Load && e->buffer()->dtype.is_scalar()) {
    std::vector<Expr> indices;
    for (const Expr& index : e->args) indices.push_back(lane_of(index, lane, loops));
    return load(e->buffer(), std::move(indices));
  }
  if (e->args.size() == 2 && e->op != Op::Load && e->op != Op::Call) {
    return binary(e->op, lane_of(e->args[0], lane, loops), lane_of(e->args[1], lane, loops), e->wraps);
  }
  static std::atomic<uint64_t> next{1};
  return opaque_value("lane#" + std::to_string(next++), type, loops);
}

namespace {

class Collector {
 public:
  Collector(const Stmt& root, const Facts& facts, bool with_local)
      : inlined_(facts.inlined), outer_(facts.loops), written_(data_written(root)), with_local_(with_local) {}

  void walk(const Stmt& stmt) {
    if (!stmt) return;
    Stmt saved_stmt = std::exchange(stmt_, stmt);
    size_t guards = guards_.size();
    bool exact = exact_;
    operand_ = 0;
    std::visit(match{[&](const Store& s) { store(s); }, [&](const For& s) { loop(s); }, [&](const If& s) { branch(s); },
                     [&](const LetStmt& s) { let_stmt(s); },
                     [&](const Seq& s) {
                       for (size_t i = 0; i < s.stmts.size(); ++i) part(static_cast<int>(i), s.stmts[i]);
                     },
                     [&](const Evaluate& s) { reads(s.value); }, [&](const Assume& s) { reads(s.condition); },
                     [&](const AllocBuffer& s) {
                       local_.insert(s.buffer->data);
                       part(0, s.body);
                     },
                     [&](const Allocate& s) {
                       for (const Expr& e : s.extents) reads(e);
                       local_.insert(s.data);
                       part(0, s.body);
                     },
                     [&](const DeclBuffer& s) {
                       declare(s.buffer);
                       part(0, s.body);
                     },
                     [&](const Block& s) { block(s); }, [&](const AttrStmt& s) { part(0, s.body); }},
               stmt->record);
    guards_.resize(guards);
    exact_ = exact;
    stmt_ = saved_stmt;
  }

  std::vector<Access> out;

 private:
  void part(int index, const Stmt& stmt) {
    // Operands of the statement itself come before its parts: they are numbered from 0, parts follow them.
    order_.push_back(kOrderParts + index);
    walk(stmt);
    order_.pop_back();
  }

  std::vector<LoopRange> all_loops() const {
    std::vector<LoopRange> loops = outer_;
    loops.insert(loops.end(), loops_.begin(), loops_.end());
    return loops;
  }

  Expr resolved(const Expr& e) const { return inline_lets(substitute(e, inlined_), all_loops()); }

  /// `e` as it may stand in a guard or an index: what it reads from memory that changes becomes opaque.
  Expr settled(const Expr& e) {
    if (!is_data(e)) return e;
    std::vector<LoopRange> loops = all_loops();
    return rewrite_expr(e, [&](const Expr& node) {
      bool changes = node->op == Op::Undef || (node->op == Op::Load && written_.count(node->buffer()->data));
      if (!changes) return node;
      static std::atomic<uint64_t> next{1};
      return opaque_value("read#" + std::to_string(next++), node->dtype, loops);
    });
  }

  /// `condition` is settled already, so that both branches speak of the same value.
  void add_guard(const Expr& condition, bool negated = false) {
    exact_ &= !is_data(condition);
    for (Expr& c : conjuncts(condition, negated)) guards_.push_back(std::move(c));
  }

  void access(const Buffer& buffer, const std::vector<Expr>& indices, bool write) {
    if (!with_local_ && local_.count(buffer->data)) return;
    Access a;
    a.buffer = buffer;
    a.write = write;
    a.loops = loops_;
    a.exact = exact_;
    a.stmt = stmt_;
    a.order = order_;
    a.order.push_back(operand_++);
    a.layout_varies = varying_.count(buffer) > 0;
    int lanes = 1;
    for (const Expr& index : indices) lanes = std::max<int>(lanes, index->dtype.lanes);
    if (lanes == 1) {
      for (const Expr& index : indices) {
        a.exact &= !is_data(index);
        a.indices.push_back(settled(index));
      }
    } else {
      Var lane = Var::fresh("lane", kInt32);
      a.loops.push_back({lane, i32(0), i32(lanes), ForKind::Vectorized});
      std::vector<LoopRange> loops = all_loops();
      loops.push_back(a.loops.back());
      for (const Expr& index : indices) {
        a.exact &= !is_data(index);
        a.indices.push_back(settled(lane_of(index, lane, loops)));
      }
    }
    a.guards = guards_;
    out.push_back(std::move(a));
  }

  /// The loads in `e`, operands first. The branches of a T.if_then_else are guarded.
  void reads(const Expr& e) {
    if (e) reads_in(resolved(e));
  }

  void reads_in(const Expr& e) {
    if (!is_data(e)) return;
    if (e->op == Op::IfThenElse) {
      reads_in(e->args[0]);
      size_t guards = guards_.size();
      bool exact = exact_;
      Expr condition = settled(e->args[0]);
      for (int side : {1, 2}) {
        add_guard(condition, side == 2);
        reads_in(e->args[side]);
        guards_.resize(guards);
        exact_ = exact;
      }
      return;
    }
    for (const Expr& arg : e->args) reads_in(arg);
    if (e->op == Op::Load) access(e->buffer(), e->args, false);
  }

  void store(const Store& s) {
    for (const Expr& index : s.indices) reads(index);
    reads(s.value);
    std::vector<Expr> indices;
    for (const Expr& index : s.indices) indices.push_back(resolved(index));
    access(s.buffer, indices, true);
  }

  Expr bound(const For& s, const Expr& e, const char* which) {
    Expr value = resolved(e);
    if (may_inline(value, s.body)) return settled(value);
    return opaque_value(std::string(which) + "#" + std::to_string(s.var.id()), e->dtype, all_loops());
  }

  void loop(const For& s) {
    reads(s.min);
    reads(s.extent);
    exact_ &= !is_data(s.min) && !is_data(s.extent);
    loops_.push_back({s.var, bound(s, s.min, "min"), bound(s, s.extent, "extent"), s.kind});
    bound_.insert(s.var);
    part(0, s.body);
    loops_.pop_back();
  }

  void branch(const If& s) {
    reads(s.condition);
    Expr condition = settled(resolved(s.condition));
    size_t guards = guards_.size();
    bool exact = exact_;
    add_guard(condition);
    part(0, s.then_case);
    guards_.resize(guards);
    exact_ = exact;
    if (!s.else_case) return;
    add_guard(condition, true);
    part(s.then_case ? 1 : 0, s.else_case);
  }

  void bind(const Var& var, const Expr& value, const Stmt& scope, const Stmt& also = {}) {
    Expr e = resolved(value);
    bound_.insert(var);
    inlined_.insert_or_assign(var, bound_value(var, e, all_loops(), scope, also));
  }

  void let_stmt(const LetStmt& s) {
    reads(s.value);
    bind(s.var, s.value, s.body);
    part(0, s.body);
  }

  void block(const Block& s) {
    for (const IterVar& iter : s.iters) {
      reads(iter.binding);
      bind(iter.var, iter.binding, s.body, s.init);
    }
    if (s.predicate) {
      reads(s.predicate);
      add_guard(settled(resolved(s.predicate)));
    }
    if (s.init) {
      size_t guards = guards_.size();
      bool exact = exact_;
      for (const IterVar& iter : s.iters) {
        if (iter.kind == IterKind::Reduce) add_guard(settled(resolved(eq(Expr(iter.var), iter.dom.min))));
      }
      part(0, s.init);
      guards_.resize(guards);
      exact_ = exact;
    }
    part(s.init ? 1 : 0, s.body);
  }

  void declare(const Buffer& buffer) {
    bool varies = false;
    auto look = [&](const Expr& e) {
      if (!e) return;
      for (const Var& v : free_vars(e)) varies |= bound_.count(v) > 0;
    };
    for (const Expr& e : buffer->shape) look(e);
    for (const Expr& e : buffer->strides) look(e);
    look(buffer->elem_offset);
    if (varies) varying_.insert(buffer);
  }

  VarMap inlined_;
  std::vector<LoopRange> outer_, loops_;
  std::vector<Expr> guards_;
  std::vector<int> order_;
  std::set<Var> written_, local_, bound_;
  std::set<Buffer> varying_;
  Stmt stmt_;
  int operand_ = 0;
  bool exact_ = true;
  bool with_local_;
};

}  // namespace

std::vector<Access> footprint(const Stmt& stmt, const Facts& facts, bool with_local) {
  Collector collector(stmt, facts, with_local);
  collector.walk(stmt);
  return std::move(collector.out);
}

}  // namespace hexproof
