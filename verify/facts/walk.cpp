// The walk that collects what is known at each statement.
#include <algorithm>
#include <optional>

#include "ir/base/mutant.h"
#include "ir/interpreter/fault.h"
#include "verify/facts/facts.h"
#include "verify/facts/memory_size.h"
#include "verify/prove/opaque_name.h"

namespace hexproof {

namespace {

/// Walks down with one Facts that grows and shrinks; conditions on memory die at the stores that may hit them.
class Walker {
 public:
  Walker(Facts start, const std::function<bool(const Stmt&, const Path&, const Facts&)>& visit)
      : facts_(std::move(start)), visit_(visit) {
    for (const Expr& c : facts_.conditions) data_conditions_ += is_data(c);
  }

  void walk(const Stmt& stmt) {
    if (!stmt || !visit_(stmt, path_, facts_)) return;
    Scope scope(*this);
    std::visit(
        match{[](const Store&) {}, [](const Evaluate&) {}, [](const Assume&) {},
              [&](const Seq& s) { sequence(s.stmts); }, [&](const For& s) { loop(s); }, [&](const If& s) { branch(s); },
              [&](const LetStmt& s) { let_stmt(s); }, [&](const Block& s) { block(s); },
              [&](const AllocBuffer& s) {
                declare(s.buffer, s.body);
                exists(layout_of_memory(s.buffer, [&](const Expr& e) { return resolved(e); }));
                part(0, s.body);
                facts_.layouts.erase(s.buffer);
              },
              [&](const Allocate& s) {
                for (const Expr& e : s.extents) ran(e);
                exists({.shape = extents_of(s, facts_), .dtype = s.dtype});
                part(0, s.body);
              },
              [&](const DeclBuffer& s) {
                declare(s.buffer, s.body);
                part(0, s.body);
                facts_.layouts.erase(s.buffer);
              },
              [&](const AttrStmt& s) { part(0, s.body); }, [&](const AsyncCommit& s) { part(0, s.body); },
              [&](const AsyncWait& s) {
                ran(s.inflight);
                part(0, s.body);
              }},
        stmt->record);
  }

 private:
  /// Restores the conditions at the end of a statement.
  struct Scope {
    explicit Scope(Walker& w)
        : walker(w), size(w.facts_.conditions.size()), evaluated(w.facts_.evaluated.size()), data(w.data_conditions_) {
      if (data) saved = w.facts_.conditions;
    }
    ~Scope() {
      walker.facts_.evaluated.resize(evaluated);
      if (saved) {
        walker.facts_.conditions = std::move(*saved);
      } else {
        walker.facts_.conditions.resize(size);
      }
      walker.data_conditions_ = data;
    }
    Walker& walker;
    size_t size, evaluated;
    int data;
    std::optional<std::vector<Expr>> saved;
  };

  void part(int index, const Stmt& stmt) {
    path_.push_back(index);
    walk(stmt);
    path_.pop_back();
  }

  Expr resolved(const Expr& e) const { return inline_lets(facts_.resolve(e), facts_.loops); }

  /// `e`, which is resolved, was evaluated without an error.
  void ran_resolved(const Expr& e) {
    for (Expr& claim : evaluated(e)) {
      bool known = std::find(facts_.evaluated.begin(), facts_.evaluated.end(), claim) != facts_.evaluated.end();
      if (!known) facts_.evaluated.push_back(std::move(claim));
    }
  }
  void ran(const Expr& e) { ran_resolved(resolved(e)); }

  /// The layout is evaluated here, whatever is stored to what it reads while the buffer is in scope.
  void declare(const Buffer& buffer, const Stmt& scope) {
    BufferLayout raw = layout_of(buffer), layout = raw;
    size_t parts = 0;
    auto settle = [&](Expr& e) {
      ran(e);
      Expr value = resolved(e);
      std::string name = opaque_name(OpaqueKind::Layout, buffer->id, buffer->name, parts++);
      e = HEXPROOF_MUTANT("facts/view-layout-changes", may_inline(value, scope), true)
              ? value
              : opaque_value(name, e->dtype, facts_.loops);
    };
    for (Expr& e : layout.shape) settle(e);
    for (Expr& e : layout.strides) settle(e);
    if (layout.offset) settle(layout.offset);
    if (!(layout == raw)) facts_.layouts.emplace(buffer, std::move(layout));
  }

  void add(const Expr& condition, bool negated = false) {
    for (Expr& c : conjuncts(resolved(condition), negated)) {
      data_conditions_ += is_data(c);
      facts_.conditions.push_back(std::move(c));
    }
  }

  /// `stmt` was executed, or may have been.
  void kill(const Stmt& stmt) {
    if (!data_conditions_ || !stmt) return;
    std::set<Var> written = data_written(stmt);
    std::erase_if(facts_.conditions, [&](const Expr& c) {
      const std::set<Var> read = is_data(c) ? data_read(c) : std::set<Var>();
      const bool dead = std::any_of(read.begin(), read.end(), [&](const Var& v) { return written.count(v) > 0; });
      data_conditions_ -= dead;
      return dead;
    });
  }

  /// Inside of an allocation: it was evaluated without error.
  void exists(const MemoryLayout& layout) {
    size_t before = facts_.conditions.size();
    size_facts(layout, &facts_.conditions);
    for (size_t i = before; i < facts_.conditions.size(); ++i) data_conditions_ += is_data(facts_.conditions[i]);
  }

  void sequence(const std::vector<Stmt>& stmts) {
    for (size_t i = 0; i < stmts.size(); ++i) {
      part(static_cast<int>(i), stmts[i]);
      if (HEXPROOF_MUTANT("facts/kill-in-sequence", true, false)) kill(stmts[i]);
      if (const Assume* assume = stmts[i].as<Assume>()) {
        add(assume->condition);
        ran(HEXPROOF_MUTANT("facts/assume-is-strict", decided_in_order(assume->condition), assume->condition));
      }
    }
  }

  void loop(const For& s) {
    ran(s.min), ran(s.extent);
    if (HEXPROOF_MUTANT("facts/kill-before-loop", true, false)) kill(s.body);
    LoopRange range{s.var, bound(s, s.min, OpaqueKind::LoopMin), bound(s, s.extent, OpaqueKind::LoopExtent), s.kind};
    facts_.loops.push_back(std::move(range));
    part(0, s.body);
    facts_.loops.pop_back();
  }

  /// A bound that reads memory which the body writes is only known when the loop starts.
  Expr bound(const For& s, const Expr& e, OpaqueKind kind) {
    Expr value = resolved(e);
    if (HEXPROOF_MUTANT("facts/loop-bound-changes", may_inline(value, s.body), true)) return value;
    return opaque_value(opaque_name(kind, s.var.id(), s.var.name()), e->dtype, facts_.loops);
  }

  void branch(const If& s) {
    ran(s.condition);
    {
      Scope scope(*this);
      add(s.condition);
      part(0, s.then_case);
    }
    if (!s.else_case) return;
    add(s.condition, HEXPROOF_MUTANT("facts/else-condition", true, false));
    part(s.then_case ? 1 : 0, s.else_case);
  }

  void bind(const Var& var, const Expr& value, const Stmt& scope, const Stmt& also = {}) {
    Expr e = resolved(value);
    ran_resolved(e);
    facts_.inlined.emplace(var, bound_value(var, e, facts_.loops, scope, also));
  }

  void let_stmt(const LetStmt& s) {
    bind(s.var, s.value, s.body);
    part(0, s.body);
    facts_.inlined.erase(s.var);
  }

  void block(const Block& s) {
    for (const IterVar& iter : s.iters) bind(iter.var, iter.binding, s.body, s.init);
    if (s.predicate) {
      ran(s.predicate);
      add(s.predicate);
    }
    if (s.init) {
      Scope scope(*this);
      for (const IterVar& iter : s.iters) {
        if (iter.kind == IterKind::Reduce) ran(iter.dom.min);
        if (iter.kind == IterKind::Reduce) add(eq(Expr(iter.var), iter.dom.min));
      }
      part(0, s.init);
    }
    if (HEXPROOF_MUTANT("facts/kill-init", true, false)) kill(s.init);
    part(s.init ? 1 : 0, s.body);
    for (const IterVar& iter : s.iters) facts_.inlined.erase(iter.var);
  }

  Facts facts_;
  Path path_;
  int data_conditions_ = 0;
  const std::function<bool(const Stmt&, const Path&, const Facts&)>& visit_;
};

}  // namespace

Facts entry_facts(const PrimFunc& func) {
  Facts out;
  for (const Param& param : func.params) {
    if (param.buffer) {
      size_facts(layout_of_memory(param.buffer, [](const Expr& e) { return e; }), &out.conditions);
    }
  }
  return out;
}

void walk_with_facts(const PrimFunc& func, const std::function<bool(const Stmt&, const Path&, const Facts&)>& f) {
  Walker(entry_facts(func), f).walk(func.body);
}

Facts facts_at(const PrimFunc& func, const Path& path) {
  std::optional<Facts> found;
  walk_with_facts(func, [&](const Stmt&, const Path& at, const Facts& facts) {
    if (found || at.size() > path.size() || !std::equal(at.begin(), at.end(), path.begin())) return false;
    if (at.size() == path.size()) found = facts;
    return !found;
  });
  HEXPROOF_CHECK(found, "facts_at: no such place");
  return *found;
}

void walk_expr_with_facts(const Expr& e, const Facts& facts, const std::function<void(const Expr&, const Facts&)>& f) {
  Facts now = facts;
  const size_t size = now.conditions.size(), ran = now.evaluated.size();
  for_each_evaluated(facts.resolve(e), [&](const Expr& node, const Evaluation& at) {
    now.conditions.resize(size);
    now.evaluated.resize(ran);
    for (const Evaluation::Guard& guard : at.guards) {
      Expr condition = value_at(guard.condition, at, facts.loops);
      for (Expr& c : conjuncts(condition, guard.negated)) now.conditions.push_back(std::move(c));
      for (Expr& claim : evaluated(condition)) now.evaluated.push_back(std::move(claim));
    }
    f(value_at(node, at, facts.loops), now);
  });
}

}  // namespace hexproof
