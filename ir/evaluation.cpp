#include "ir/evaluation.h"

#include "ir/base/mutant.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

using OnOperand = std::function<void(Operand, const Expr&)>;

// A structured binding names every field of its record: one that is added does not compile until it is named here.

void operands(const Store& s, const OnOperand& f) {
  const auto& [buffer, indices, value] = s;
  static_cast<void>(buffer);
  f(Operand::Value, value);
  for (const Expr& index : indices) f(Operand::Index, index);
}

void operands(const For& s, const OnOperand& f) {
  const auto& [var, min, extent, kind, body, annotations, thread_tag] = s;
  static_cast<void>(var), static_cast<void>(kind), static_cast<void>(body);
  static_cast<void>(annotations), static_cast<void>(thread_tag);
  f(Operand::LoopMin, min);
  if (HEXPROOF_MUTANT("evaluation/loop-extent", true, false)) f(Operand::LoopExtent, extent);
}

void operands(const If& s, const OnOperand& f) {
  const auto& [condition, then_case, else_case] = s;
  static_cast<void>(then_case), static_cast<void>(else_case);
  if (HEXPROOF_MUTANT("evaluation/branch-condition", true, false)) f(Operand::Condition, condition);
}

void operands(const LetStmt& s, const OnOperand& f) {
  const auto& [var, value, body] = s;
  static_cast<void>(var), static_cast<void>(body);
  f(Operand::Value, value);
}

void operands(const Seq& s, const OnOperand&) {
  const auto& [stmts] = s;
  static_cast<void>(stmts);
}

void operands(const Evaluate& s, const OnOperand& f) {
  const auto& [value] = s;
  f(Operand::Value, value);
}

void operands(const Assume& s, const OnOperand& f) {
  const auto& [condition] = s;
  f(Operand::Assumed, condition);
}

/// The layout of a buffer is evaluated where it is declared.
void layout(const Buffer& buffer, const OnOperand& f) {
  for (const Expr& e : buffer->shape) f(Operand::Extent, e);
  for (const Expr& e : buffer->strides) f(Operand::Stride, e);
  if (buffer->elem_offset) f(Operand::Offset, buffer->elem_offset);
}

void operands(const AllocBuffer& s, const OnOperand& f) {
  const auto& [buffer, body] = s;
  static_cast<void>(body);
  layout(buffer, f);
}

void operands(const Allocate& s, const OnOperand& f) {
  const auto& [data, dtype, extents, scope, body, constant, annotations] = s;
  static_cast<void>(data), static_cast<void>(dtype), static_cast<void>(scope);
  static_cast<void>(body), static_cast<void>(annotations);
  for (const Expr& e : extents) f(Operand::Extent, e);
  for (const Expr& e : constant) f(Operand::Constant, e);
}

void operands(const DeclBuffer& s, const OnOperand& f) {
  const auto& [buffer, body] = s;
  static_cast<void>(body);
  layout(buffer, f);
}

void operands(const Block& s, const OnOperand& f) {
  const auto& [name, iters, predicate, reads, writes, init, body, annotations] = s;
  static_cast<void>(name), static_cast<void>(reads), static_cast<void>(writes);
  static_cast<void>(body), static_cast<void>(annotations);
  for (const IterVar& iter : iters) {
    const auto& [var, dom, kind, binding] = iter;
    static_cast<void>(var), static_cast<void>(dom), static_cast<void>(kind);
    if (HEXPROOF_MUTANT("evaluation/binding", true, false)) f(Operand::Binding, binding);
  }
  if (predicate) f(Operand::Condition, predicate);
  if (HEXPROOF_MUTANT("evaluation/domain-start", !init, true)) return;
  for (const IterVar& iter : iters) {
    if (iter.kind == IterKind::Reduce) f(Operand::DomainStart, iter.dom.min);
  }
}

void operands(const AttrStmt& s, const OnOperand&) {
  const auto& [node, key, value, body] = s;
  static_cast<void>(node), static_cast<void>(key), static_cast<void>(value), static_cast<void>(body);
}

void operands(const AsyncCommit& s, const OnOperand&) {
  const auto& [queue, body] = s;
  static_cast<void>(queue), static_cast<void>(body);
}

void operands(const AsyncWait& s, const OnOperand& f) {
  const auto& [queue, inflight, body] = s;
  static_cast<void>(queue), static_cast<void>(body);
  f(Operand::Inflight, inflight);
}

}  // namespace

void for_each_operand(const Stmt& stmt, const OnOperand& f) {
  if (stmt) std::visit([&](const auto& record) { operands(record, f); }, stmt->record);
}

bool needs_a_number(Operand operand) {
  switch (operand) {
    case Operand::Value:
    case Operand::Constant:
      return false;
    case Operand::Index:
    case Operand::LoopMin:
    case Operand::LoopExtent:
    case Operand::Condition:
    case Operand::Assumed:
    case Operand::Extent:
    case Operand::Stride:
    case Operand::Offset:
    case Operand::Binding:  // of a reduction variable, where the block has an init
    case Operand::DomainStart:
    case Operand::Inflight:
      return true;
  }
  internal_error(__FILE__, __LINE__, "no such operand");
}

std::vector<std::pair<Expr, const char*>> operands_that_decide(const Expr& e) {
  std::vector<std::pair<Expr, const char*>> out;
  if (e->op == Op::IfThenElse) out.emplace_back(e->args[0], "a condition");
  const bool load = e->op == Op::Load;
  if (load || (may_wrap(e->op, e->dtype) && !e->wraps)) {
    for (const Expr& arg : e->args) out.emplace_back(arg, load ? "an index" : "index arithmetic");
  }
  return out;
}

void for_each_decided(const Expr& e, const std::function<void(const Expr&, const char*)>& f) {
  if (e->op == Op::IfThenElse && e->dtype.is_bool()) {
    f(e->args[0], "a condition");
    for_each_decided(e->args[1], f);
    for_each_decided(e->args[2], f);
  } else if (const Expr cell = permitted_cell(e)) {
    for (const Expr& index : cell->args) f(index, "an index");
  } else if (e->op == Op::Not || e->op == Op::Likely) {
    for_each_decided(e->args[0], f);
  } else {
    f(e, "a condition");
  }
}

void for_each_evaluated(const Expr& e, const std::function<void(const Expr&, const Evaluation&)>& f) {
  Evaluation at;
  std::function<void(const Expr&)> walk = [&](const Expr& node) {
    const Expr user = std::exchange(at.user, node);
    if (node->op == Op::IfThenElse) {
      walk(node->args[0]);
      for (size_t side : {1, 2}) {
        at.guards.push_back({node->args[0], HEXPROOF_MUTANT("evaluation/guard-side", side == 2, side == 1)});
        walk(node->args[side]);
        at.guards.pop_back();
      }
    } else if (node->op == Op::Let) {
      if (HEXPROOF_MUTANT("evaluation/let-value", true, false)) walk(node->args[1]);
      at.lets.emplace_back(node->args[0]->var(), node->args[1]);
      walk(node->args[2]);
      at.lets.pop_back();
    } else {
      for (const Expr& arg : node->args) walk(arg);
    }
    at.user = user;
    f(node, at);
  };
  if (e) walk(e);
}

Expr permitted_cell(const Expr& e) {
  if (HEXPROOF_MUTANT("evaluation/permission-is-a-read", e->op != Op::EQ, true)) return {};
  bool left = e->args[0]->op == Op::Undef, right = e->args[1]->op == Op::Undef;
  const Expr& cell = e->args[left ? 1 : 0];
  return left != right && cell->op == Op::Load ? cell : Expr();
}

void for_each_written(const Stmt& stmt, const std::function<void(const Buffer&)>& f) {
  if (const Store* store = stmt.as<Store>()) f(store->buffer);
  const Assume* assume = stmt.as<Assume>();
  if (!assume) return;
  visit_expr(assume->condition, [&](const Expr& e) {
    if (const Expr cell = permitted_cell(e)) f(cell->buffer());
    return true;
  });
}

Expr decided_in_order(const Expr& assumed) {
  return rewrite_expr(assumed, [](const Expr& e) {
    if (!e->dtype.is_scalar()) return e;
    if (e->op == Op::And) return if_then_else(e->args[0], e->args[1], boolean(false));
    if (HEXPROOF_MUTANT("evaluation/assume-or", e->op == Op::Or, false))
      return if_then_else(e->args[0], boolean(true), e->args[1]);
    return e->op == Op::Select ? if_then_else(e->args[0], e->args[1], e->args[2]) : e;
  });
}

}  // namespace hexproof
