#include "verify/facts/facts.h"

#include <algorithm>
#include <optional>

#include "ir/base/mutant.h"
#include "ir/interpreter/fault.h"
#include "verify/facts/memory_size.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

Stmt stmt_at(const PrimFunc& func, const Path& path) {
  Stmt at = func.body;
  for (int step : path) {
    std::vector<Stmt> parts = children(at);
    HEXPROOF_CHECK(step >= 0 && static_cast<size_t>(step) < parts.size(), "stmt_at: no such part");
    at = parts[step];
  }
  return at;
}

namespace {
Stmt replace_below(const Stmt& stmt, const Path& path, size_t depth, const Stmt& after) {
  if (depth == path.size()) return after;
  std::vector<Stmt> parts = children(stmt);
  int step = path[depth];
  HEXPROOF_CHECK(step >= 0 && static_cast<size_t>(step) < parts.size(), "replace_at: no such part");
  parts[step] = replace_below(parts[step], path, depth + 1, after);
  return with_children(stmt, parts);
}
}  // namespace

PrimFunc replace_at(const PrimFunc& func, const Path& path, const Stmt& after) {
  PrimFunc out = func;
  out.body = replace_below(func.body, path, 0, after);
  return out;
}

std::vector<Expr> range_of(const LoopRange& loop) {
  Expr var(loop.var);
  if (is_int(loop.min, 0))
    return {HEXPROOF_MUTANT("facts/loop-start", le(loop.min, var), lt(loop.min, var)), lt(var, loop.extent)};
  if (is_data(loop.min)) return {le(loop.min, var)};
  if (is_data(loop.extent)) return {le(loop.min, var), lt(var - loop.min, loop.extent)};
  Expr end = fold(loop.min + loop.extent);
  if (as_int(end)) return {le(loop.min, var), lt(var, end)};
  // The end itself may lie one past the type; the last value does not.
  return {le(loop.min, var), le(var, fold(loop.min + fold(loop.extent - imm(loop.extent->dtype, 1))))};
}

std::vector<Expr> Facts::given() const {
  std::vector<Expr> out;
  out.reserve(2 * loops.size() + conditions.size() + evaluated.size());
  for (const LoopRange& loop : loops) {
    for (Expr& e : range_of(loop)) out.push_back(std::move(e));
  }
  out.insert(out.end(), conditions.begin(), conditions.end());
  out.insert(out.end(), evaluated.begin(), evaluated.end());
  return out;
}

std::vector<Expr> Facts::known() const {
  std::vector<Expr> out = conditions;
  out.insert(out.end(), evaluated.begin(), evaluated.end());
  return out;
}

BufferLayout layout_of(const Buffer& buffer) { return {buffer->shape, buffer->strides, buffer->elem_offset}; }

BufferLayout substitute(BufferLayout layout, const VarMap& map) {
  if (map.empty()) return layout;
  for (Expr& e : layout.shape) e = substitute(e, map);
  for (Expr& e : layout.strides) e = substitute(e, map);
  if (layout.offset) layout.offset = substitute(layout.offset, map);
  return layout;
}

bool reads_memory(const BufferLayout& layout) {
  auto data = [](const Expr& e) { return is_data(e); };
  return std::any_of(layout.shape.begin(), layout.shape.end(), data) ||
         std::any_of(layout.strides.begin(), layout.strides.end(), data) || (layout.offset && is_data(layout.offset));
}

BufferLayout Facts::layout(const Buffer& buffer) const {
  auto it = layouts.find(buffer);
  return it == layouts.end() ? layout_of(buffer) : it->second;
}

namespace {

/// Nodes of the tree, counted up to `limit`: lets that use each other twice make trees that double.
bool larger_than(const Expr& e, size_t limit) {
  size_t count = 0;
  visit_expr(e, [&](const Expr&) { return ++count <= limit; });
  return count > limit;
}
/// May evaluating the operation itself, on index values, be an error?
bool may_fail(const Expr& e) {
  if (may_wrap(e->op, e->dtype)) return !e->wraps;
  if (is_division(e->op)) return !as_int(e->args[1]) || int_value(e->args[1]) == 0 || int_value(e->args[1]) == -1;
  if (e->op == Op::Shr) return !as_int(e->args[1]);
  return e->op == Op::Cast && e->dtype.is_integer() && e->args[0]->dtype.is_float();
}

void add_evaluated(const Expr& e, std::vector<Expr>* out) {
  if (!e->dtype.is_scalar()) return;
  if (!is_data(e)) {
    bool fails = false;
    visit_expr(e, [&](const Expr& node) {
      fails |= may_fail(node);
      return !fails;
    });
    Expr claim = fails ? fits(e) : Expr();
    if (claim && std::find(out->begin(), out->end(), claim) == out->end()) out->push_back(claim);
    return;
  }
  // Of a choice that depends on memory, the condition alone is surely evaluated.
  size_t operands = HEXPROOF_MUTANT("facts/choice-evaluates-both", e->op == Op::IfThenElse, false) ? 1 : e->args.size();
  for (size_t i = 0; i < operands; ++i) {
    if (e->args[i]->op != Op::StringImm) add_evaluated(e->args[i], out);
  }
}

}  // namespace

std::vector<Expr> evaluated(const Expr& e) {
  std::vector<Expr> out;
  // Larger ones say more than any proof has used, and cost each of them.
  constexpr size_t kNodes = 200;
  if (e && !e->dtype.is_handle() && !larger_than(e, kNodes)) add_evaluated(e, &out);
  return out;
}

Expr fold(const Expr& e) {
  if (!e->dtype.is_scalar() || e->args.size() != 2) return e;
  const Expr &a = e->args[0], &b = e->args[1];
  if (e->op == Op::Add && is_int(a, 0)) return b;
  if ((e->op == Op::Add || e->op == Op::Sub) && is_int(b, 0)) return a;
  if (e->op == Op::Mul && is_int(a, 1)) return b;
  if (e->op == Op::Mul && is_int(b, 1)) return a;
  if (!as_int(a) || !as_int(b) || !e->dtype.is_integer()) return e;
  Wide x = int_value(a), y = int_value(b), value = 0;
  if (e->op == Op::Add) {
    value = x + y;
  } else if (e->op == Op::Sub) {
    value = x - y;
  } else if (e->op == Op::Mul) {
    value = x * y;
  } else {
    return e;
  }
  return fits_type(e->dtype, value) ? imm(e->dtype, value) : e;
}

std::set<Var> data_read(const Expr& e) {
  std::set<Var> out;
  visit_expr(e, [&](const Expr& node) {
    if (node->op == Op::Load) out.insert(node->buffer()->data);
    return true;
  });
  return out;
}

std::set<Var> data_written(const Stmt& stmt) {
  std::set<Var> out;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) out.insert(store->buffer->data);
    return true;
  });
  return out;
}

namespace {

bool meets(const std::set<Var>& a, const std::set<Var>& b) {
  for (const Var& v : a) {
    if (b.count(v)) return true;
  }
  return false;
}

constexpr size_t kInlineLimit = 4000;

/// Evaluated once, where it is bound: put in, it would be another value at each occurrence.
bool is_one_value(const Expr& e) { return chooses(e, OpenRounding::here()); }

bool holds_undef(const Expr& e) { return chooses(e, {}); }

}  // namespace

bool too_large(const Expr& value) { return larger_than(value, kInlineLimit); }

bool may_inline(const Expr& value, const Stmt& scope, const Stmt& also) {
  if (larger_than(value, kInlineLimit)) return false;
  if (!is_data(value)) return true;
  if (HEXPROOF_MUTANT("facts/undef-inlined", is_one_value(value), false)) return false;
  std::set<Var> read = data_read(value);
  return HEXPROOF_MUTANT("facts/let-value-changes",
                         !meets(read, data_written(scope)) && !(also && meets(read, data_written(also))), true);
}

Expr opaque_value(const std::string& name, DType type, const std::vector<LoopRange>& loops) {
  std::vector<Expr> args;
  for (const LoopRange& loop : loops) args.push_back(Expr(loop.var));
  return uninterpreted(Op::Opaque, type, name, std::move(args));
}

namespace {
Expr opaque_var(const Var& var, const std::vector<LoopRange>& loops) {
  return opaque_value(var.name() + "#" + std::to_string(var.id()), var.dtype(), loops);
}
}  // namespace

Expr bound_value(const Var& var, const Expr& value, const std::vector<LoopRange>& loops, const Stmt& scope,
                 const Stmt& also) {
  if (may_inline(value, scope, also)) return value;
  if (too_large(value) || is_one_value(value)) return opaque_var(var, loops);
  std::set<Var> written = data_written(scope);
  if (also) written.merge(data_written(also));
  int reads = 0;
  return rewrite_expr(value, [&](const Expr& node) {
    if (node->op != Op::Load || !written.count(node->buffer()->data)) return node;
    std::string name = var.name() + "#" + std::to_string(var.id()) + "." + std::to_string(reads++);
    return opaque_value(name, node->dtype, loops);
  });
}

Expr inline_lets(const Expr& e, const std::vector<LoopRange>& loops) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->op == Op::Let;
    return !found;
  });
  if (!found) return e;
  return rewrite_expr(e, [&](const Expr& node) {
    if (node->op != Op::Let) return node;
    const Var& var = node->args[0]->var();
    Expr value = is_one_value(node->args[1]) ? opaque_var(var, loops) : node->args[1];
    Expr body = substitute(node->args[2], {{var, value}});
    return too_large(body) ? substitute(node->args[2], {{var, opaque_var(var, loops)}}) : body;
  });
}

Expr value_at(const Expr& e, const Evaluation& at, const std::vector<LoopRange>& loops) {
  Expr out = inline_lets(e, loops);
  for (size_t k = at.lets.size(); k-- > 0;) {
    const auto& [var, bound] = at.lets[k];
    if (!uses_var(out, var)) continue;
    Expr value = inline_lets(bound, loops);
    Expr opaque = opaque_var(var, loops);
    Expr put_in = is_one_value(value) ? opaque : value;
    Expr whole = substitute(out, {{var, put_in}});
    out = too_large(whole) ? substitute(out, {{var, opaque}}) : whole;
  }
  return out;
}

std::vector<Expr> conjuncts(const Expr& condition, bool negated) {
  std::vector<Expr> out;
  std::function<void(const Expr&, bool)> split = [&](const Expr& e, bool no) {
    if (e->op == Op::Likely) return split(e->args[0], no);
    if (e->op == Op::Not) return split(e->args[0], !no);
    if (e->op == (no ? Op::Or : Op::And)) {
      split(e->args[0], no);
      return split(e->args[1], no);
    }
    if (holds_undef(e) || is_int(e, no ? 0 : 1)) return;
    out.push_back(no ? lnot(e) : e);
  };
  split(condition, negated);
  return out;
}

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
              [&](const AttrStmt& s) { part(0, s.body); }},
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
    int parts = 0;
    auto settle = [&](Expr& e) {
      ran(e);
      Expr value = resolved(e);
      std::string name = buffer->name + "#" + std::to_string(buffer->id) + "." + std::to_string(parts++);
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
      bool dead = is_data(c) && meets(data_read(c), written);
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
    LoopRange range{s.var, bound(s, s.min, "min"), bound(s, s.extent, "extent"), s.kind};
    facts_.loops.push_back(std::move(range));
    part(0, s.body);
    facts_.loops.pop_back();
  }

  /// A bound that reads memory which the body writes is only known when the loop starts.
  Expr bound(const For& s, const Expr& e, const char* which) {
    Expr value = resolved(e);
    if (HEXPROOF_MUTANT("facts/loop-bound-changes", may_inline(value, s.body), true)) return value;
    return opaque_value(std::string(which) + "#" + std::to_string(s.var.id()), e->dtype, facts_.loops);
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

Place place_of(const PrimFunc& func, const Stmt& stmt) { return {func.name, one_line(stmt), stmt->span}; }

}  // namespace hexproof
