#include "verify/facts/facts.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "ir/interpreter/fault.h"
#include "verify/prove/opaque_name.h"
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
  if (is_data(loop.min)) {
    // The difference wraps, as what is computed from data does: negative where it is past the type's last value.
    if (HEXPROOF_MUTANT("facts/start-that-is-data-has-no-end", false, true)) return {le(loop.min, var)};
    // So of a number that the type does not hold it would say nothing.
    const Expr distance = var - loop.min;
    const Expr in_type = HEXPROOF_MUTANT("facts/start-that-is-data-of-any-number",
                                         le(var, imm(var->dtype, max_value(var->dtype))), boolean(true));
    return {le(loop.min, var), in_type, le(imm(distance->dtype, 0), distance), lt(distance, loop.extent)};
  }
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
  // (A view with the lets put in is the one that was declared.)
  const bool here = buffer->declared && moved(buffer->declared, inlined) == buffer;
  auto it = layouts.find(here ? buffer->declared : buffer);
  return it == layouts.end() ? layout_of(buffer) : it->second;
}

// (Lets that use each other twice make trees that double.)
bool larger_than(const Expr& e, size_t limit) {
  size_t count = 0;
  visit_expr(e, [&](const Expr&) { return ++count <= limit; });
  return count > limit;
}

namespace {

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
    visit_nodes(e, [&](const Expr& node) {
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
  visit_nodes(e, [&](const Expr& node) {
    if (node->op != Op::Load) return true;
    out.insert(node->buffer()->data);
    if (!node->buffer()->view) return true;
    for (const Expr& part : layout_exprs(node->buffer())) out.merge(data_read(part));
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
}  // namespace

bool loads_from(const Expr& load, const std::set<Var>& memory) {
  if (load->op != Op::Load || memory.empty()) return false;
  const Buffer& buffer = load->buffer();
  if (memory.count(buffer->data)) return true;
  if (!buffer->view) return false;
  const std::vector<Expr> layout = layout_exprs(buffer);
  return std::any_of(layout.begin(), layout.end(), [&](const Expr& e) { return meets(data_read(e), memory); });
}

std::set<Var> data_written(const Stmt& stmt) {
  std::set<Var> out;
  visit_stmt(stmt, [&](const Stmt& s) {
    for_each_written(s, [&](const Buffer& buffer) { out.insert(buffer->data); });
    return true;
  });
  return out;
}

namespace {

constexpr size_t kInlineLimit = 4000;

/// Evaluated once, where it is bound: put in, it would be another value at each occurrence.
bool is_one_value(const Expr& e) { return chooses(e, OpenRounding::here()); }

bool holds_undef(const Expr& e) { return chooses(e, {}); }

}  // namespace

bool too_large(const Expr& value) { return larger_than(value, kInlineLimit); }

bool may_inline(const Expr& value, const Stmt& scope, const Stmt& also) {
  if (larger_than(value, kInlineLimit)) return false;
  if (HEXPROOF_MUTANT("facts/undef-inlined", is_one_value(value), false)) return false;
  if (!is_data(value)) return true;
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
  return opaque_value(opaque_name(OpaqueKind::Let, var.id(), var.name()), var.dtype(), loops);
}
}  // namespace

Expr bound_value(const Var& var, const Expr& value, const std::vector<LoopRange>& loops, const Stmt& scope,
                 const Stmt& also) {
  if (may_inline(value, scope, also)) return value;
  if (too_large(value) || holds_undef(value)) return opaque_var(var, loops);
  std::set<Var> written = data_written(scope);
  if (also) written.merge(data_written(also));
  size_t parts = 0;
  return rewrite_expr(value, [&](const Expr& node) {
    // What was read then, and what an operation gave that flags leave open.
    const bool read = loads_from(node, written);
    if (!read && !is_left_open(node, OpenRounding::here())) return node;
    return opaque_value(opaque_name(OpaqueKind::Let, var.id(), var.name(), parts++), node->dtype, loops);
  });
}

Expr inline_lets(const Expr& e, const std::vector<LoopRange>& loops) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
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

Place place_of(const PrimFunc& func, const Stmt& stmt) { return {func.name, one_line(stmt), stmt->span}; }

}  // namespace hexproof
