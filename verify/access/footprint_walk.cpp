// The walk that collects the accesses of a statement.
#include <atomic>
#include <map>
#include <utility>

#include "ir/base/mutant.h"
#include "verify/access/footprint.h"
#include "verify/prove/opaque_name.h"

namespace hexproof {

Expr lane_of(const Expr& e, const Var& lane, const std::vector<LoopRange>& loops) {
  if (e->dtype.is_scalar()) return e;
  if (e->op == Op::Broadcast) return e->args[0];
  DType type = e->dtype.element();
  if (e->op == Op::Ramp && fits_type(type, e->dtype.lanes - 1)) {  // else the number of a lane is no value of the type
    Expr at = type == lane.dtype() ? Expr(lane) : cast(type, Expr(lane));
    return binary(Op::Add, e->args[0],
                  HEXPROOF_MUTANT("footprint/ramp-stride", fold(binary(Op::Mul, at, e->args[1], e->wraps)), at),
                  e->wraps);
  }
  if (e->op == Op::Cast) return cast(type, lane_of(e->args[0], lane, loops));
  if (e->op == Op::Load && e->buffer()->dtype.is_scalar()) {
    std::vector<Expr> indices;
    for (const Expr& index : e->args) indices.push_back(lane_of(index, lane, loops));
    return load(e->buffer(), std::move(indices));
  }
  if (info(e->op).arity == 2 && e->op != Op::Ramp) {
    return binary(e->op, lane_of(e->args[0], lane, loops), lane_of(e->args[1], lane, loops), e->wraps);
  }
  static std::atomic<uint64_t> next{1};
  return opaque_value(opaque_name(OpaqueKind::Lane, next++), type, loops);
}

namespace {

/// Does `lane * stride` of each ramp fit its type? What has to fit is a lane, `base + lane * stride`: 100 is the last
/// one of `T.Ramp(-100, 100, 3)` in int8, and 2 * 100 is no int8.
bool products_fit(const Expr& index) {
  bool fit = true;
  visit_nodes(index, [&](const Expr& e) {
    if (e->op != Op::Ramp || e->wraps) return true;
    const Expr& stride = e->args[1];
    fit = fit && as_int(stride) && fits_type(e->dtype.element(), int_value(stride) * (e->dtype.lanes - 1));
    return true;
  });
  return fit;
}

bool has_load(const Expr& e) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found |= node->op == Op::Load;
    return !found;
  });
  return found;
}

/// `A[i] == T.undef()` in an assume: the loads of the cells, each a node of its own.
Expr with_own_permissions(const Expr& condition, std::set<const ExprNode*>* cells) {
  return rewrite_expr(condition, [&](const Expr& e) {
    const Expr cell = permitted_cell(e);
    if (!cell) return e;
    Expr own = load(cell->buffer(), cell->args);
    cells->insert(own.get());
    return eq(own, undef(own->dtype));
  });
}

class Collector {
 public:
  Collector(const Stmt& root, const Facts& facts, bool with_local)
      : around_(facts), inlined_(facts.inlined), written_(data_written(root)), with_local_(with_local) {}

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
                     [&](const Evaluate&) { operands(); }, [&](const Assume& s) { assume(s.condition); },
                     [&](const AllocBuffer& s) {
                       operands();
                       local_.insert(s.buffer->data);
                       declare(s.buffer, s.body);
                       part(0, s.body);
                     },
                     [&](const Allocate& s) {
                       operands();
                       local_.insert(s.data);
                       part(0, s.body);
                     },
                     [&](const DeclBuffer& s) {
                       operands();
                       declare(s.buffer, s.body);
                       part(0, s.body);
                     },
                     [&](const Block& s) { block(s); }, [&](const AttrStmt& s) { part(0, s.body); },
                     [&](const AsyncCommit& s) { part(0, s.body); },
                     [&](const AsyncWait& s) {
                       operands();
                       part(0, s.body);
                     }},
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
    std::vector<LoopRange> loops = around_.loops;
    loops.insert(loops.end(), loops_.begin(), loops_.end());
    return loops;
  }

  Expr resolved(const Expr& e) const { return inline_lets(substitute(e, inlined_), all_loops()); }

  /// `e` as it may stand in a guard or an index: what it reads from memory that changes becomes opaque.
  Expr settled(const Expr& e) {
    if (!is_data(e)) return e;
    std::vector<LoopRange> loops = all_loops();
    return rewrite_expr(e, [&](const Expr& node) {
      bool changes = node->op == Op::Undef ||
                     HEXPROOF_MUTANT("footprint/guard-of-changed-memory", loads_from(node, written_), false);
      if (!changes) return node;
      static std::atomic<uint64_t> next{1};
      return opaque_value(opaque_name(OpaqueKind::Read, next++), node->dtype, loops);
    });
  }

  /// `condition` is settled already, so that both branches speak of the same value.
  void add_guard(const Expr& condition, bool negated = false) {
    exact_ &= !HEXPROOF_MUTANT("footprint/data-guard-is-exact", is_data(condition), false);
    for (Expr& c : conjuncts(condition, negated)) guards_.push_back(std::move(c));
  }

  void access(const Buffer& buffer, const std::vector<Expr>& indices, bool write, bool fills = false) {
    if (!with_local_ && local_.count(buffer->data)) return;
    Access a;
    a.buffer = buffer;
    a.write = write;
    a.fills = fills;
    a.loops = loops_;
    a.exact = exact_;
    a.stmt = stmt_;
    a.order = order_;
    a.order.push_back(operand_++);
    auto declared = layouts_.find(buffer);
    a.layout = declared == layouts_.end() ? around_.layout(buffer) : declared->second;
    a.exact &= !reads_memory(a.layout);
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
        a.evaluated &= HEXPROOF_MUTANT("footprint/ramp-product", products_fit(index), true);
        a.indices.push_back(settled(lane_of(index, lane, loops)));
      }
    }
    a.guards = guards_;
    out.push_back(std::move(a));
  }

  /// What the statement itself reads.
  void operands() {
    for_each_operand(stmt_, [&](Operand, const Expr& e) { reads(e); });
  }

  /// The loads that evaluating `e` evaluates, under their conditions; those of `permissions` are writes. (What a let or
  /// block variable around stands for was read where it was bound.)
  void reads(const Expr& e, const std::set<const ExprNode*>& permissions = {}) {
    if (!has_load(e)) return;
    auto value = [&](const Expr& x, const Evaluation& at) { return resolved(value_at(x, at, all_loops())); };
    std::map<const ExprNode*, Expr> conditions;  // settled once, so that both sides speak of the same value
    for_each_evaluated(e, [&](const Expr& node, const Evaluation& at) {
      if (HEXPROOF_MUTANT("footprint/reads", node->op != Op::Load, true)) return;
      size_t guards = guards_.size();
      bool exact = exact_;
      for (const Evaluation::Guard& guard : at.guards) {
        Expr& condition = conditions[guard.condition.get()];
        if (!condition) condition = settled(value(guard.condition, at));
        add_guard(condition, guard.negated);
      }
      Expr cell = value(node, at);
      const bool permitted = permissions.count(node.get()) > 0;
      access(node->buffer(), cell->args, permitted, permitted);
      guards_.resize(guards);
      exact_ = exact;
    });
  }

  /// Every conjunct of what is assumed holds, so each is evaluated.
  void assume(const Expr& condition) {
    if (condition->op == Op::And) {
      assume(condition->args[0]);
      return assume(condition->args[1]);
    }
    std::set<const ExprNode*> permissions;
    Expr own = with_own_permissions(decided_in_order(condition), &permissions);
    reads(own, permissions);
  }

  void store(const Store& s) {
    operands();
    std::vector<Expr> indices;
    for (const Expr& index : s.indices) indices.push_back(resolved(index));
    if (HEXPROOF_MUTANT("footprint/store", true, false)) access(s.buffer, indices, true);
  }

  Expr bound(const For& s, const Expr& e, OpaqueKind kind) {
    Expr value = resolved(e);
    if (may_inline(value, s.body)) return settled(value);
    return opaque_value(opaque_name(kind, s.var.id(), s.var.name()), e->dtype, all_loops());
  }

  void loop(const For& s) {
    operands();
    exact_ &= !is_data(s.min) && !is_data(s.extent);
    loops_.push_back({s.var, bound(s, s.min, OpaqueKind::LoopMin), bound(s, s.extent, OpaqueKind::LoopExtent), s.kind});
    part(0, s.body);
    loops_.pop_back();
  }

  void branch(const If& s) {
    operands();
    Expr condition = settled(resolved(s.condition));
    size_t guards = guards_.size();
    bool exact = exact_;
    add_guard(condition);
    part(0, s.then_case);
    guards_.resize(guards);
    exact_ = exact;
    if (!s.else_case) return;
    add_guard(condition, HEXPROOF_MUTANT("footprint/else-guard", true, false));
    part(s.then_case ? 1 : 0, s.else_case);
  }

  void bind(const Var& var, const Expr& value, const Stmt& scope, const Stmt& also = {}) {
    inlined_.insert_or_assign(var, bound_value(var, resolved(value), all_loops(), scope, also));
  }

  void let_stmt(const LetStmt& s) {
    operands();
    bind(s.var, s.value, s.body);
    part(0, s.body);
  }

  /// Bindings, then the predicate; under it the starts of the domains, the init and the body.
  void block(const Block& s) {
    size_t bound = 0;
    for_each_operand(stmt_, [&](Operand role, const Expr& e) {
      reads(e);
      if (role == Operand::Binding) {
        const IterVar& iter = s.iters[bound++];
        bind(iter.var, iter.binding, s.body, s.init);
      } else if (role == Operand::Condition) {
        add_guard(settled(resolved(e)));
      }
    });
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

  /// The layout as it is evaluated here; what it reads of memory that changes is some value of this execution.
  void declare(const Buffer& buffer, const Stmt& scope) {
    BufferLayout layout = layout_of(buffer);
    auto settle = [&](Expr& e) {
      e = settled(resolved(e));
      if (!may_inline(e, scope)) {
        static std::atomic<uint64_t> next{1};
        e = opaque_value(opaque_name(OpaqueKind::ReadLayout, next++), e->dtype, all_loops());
      }
    };
    for (Expr& e : layout.shape) settle(e);
    for (Expr& e : layout.strides) settle(e);
    if (layout.offset) settle(layout.offset);
    layouts_.insert_or_assign(buffer, std::move(layout));
  }

  const Facts& around_;
  VarMap inlined_;
  std::vector<LoopRange> loops_;
  std::vector<Expr> guards_;
  std::vector<int> order_;
  std::set<Var> written_, local_;
  std::map<Buffer, BufferLayout> layouts_;  // of the buffers that are declared inside
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
