#include "verify/memory/undef_flow.h"

#include "ir/evaluation.h"
#include "ir/visit.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

bool carries_undef(const Expr& e, const std::set<Var>& memory, const std::set<Var>& vars) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    found |= node->op == Op::Undef;
    found |= node->op == Op::Load && memory.count(node->buffer()->data);
    found |= node->op == Op::Var && vars.count(node->var());
    return !found;
  });
  return found;
}

bool decided_by_undef(const Expr& e, const UndefFlow& flow) {
  bool found = false;
  visit_nodes(e, [&](const Expr& node) {
    for (const auto& [operand, what] : operands_that_decide(node)) found |= carries_undef(operand, flow);
    return !found;
  });
  return found;
}

bool decided_by_undef(const Stmt& stmt, const UndefFlow& flow) {
  bool found = false;
  for_each_operand(stmt, [&](Operand kind, const Expr& e) {
    if (found) return;
    if (kind != Operand::Assumed) {
      found = (needs_a_number(kind) && carries_undef(e, flow)) || decided_by_undef(e, flow);
      return;
    }
    const Expr decided = decided_in_order(e);
    for_each_decided(decided, [&](const Expr& part, const char*) { found |= carries_undef(part, flow); });
    for_each_evaluated(decided, [&](const Expr& part, const Evaluation&) {
      if (!permitted_cell(part)) found |= decided_by_undef(part, flow);
    });
  });
  return found;
}

UndefFlow undef_flow(const PrimFunc& func) {
  UndefFlow out;
  std::set<Var>&memory = out.memory, &vars = out.vars;
  std::set<Var> arguments;
  for (size_t k = 0; k < func.params.size(); ++k) {
    const Buffer& buffer = func.params[k].buffer;
    const bool gaps = buffer && (!buffer->strides.empty() || buffer->elem_offset);
    if (buffer && !gaps && !argument_padding(func, k)) arguments.insert(buffer->data);
  }
  for (size_t before = ~size_t{0}; before != memory.size() + vars.size();) {
    before = memory.size() + vars.size();
    visit_all_exprs(func.body, [&](const Expr& e) {
      if (e->op == Op::Let && carries_undef(e->args[1], memory, vars)) vars.insert(e->args[0]->var());
    });
    visit_stmt(func.body, [&](const Stmt& s) {
      if (const Store* store = s.as<Store>()) {
        if (carries_undef(store->value, memory, vars)) memory.insert(store->buffer->data);
      } else if (const LetStmt* let = s.as<LetStmt>()) {
        if (carries_undef(let->value, memory, vars)) vars.insert(let->var);
      } else if (const Block* block = s.as<Block>()) {
        for (const IterVar& iter : block->iters) {
          if (carries_undef(iter.binding, memory, vars)) vars.insert(iter.var);
        }
      } else if (const Assume* assume = s.as<Assume>()) {
        // `A[i] == T.undef()` fills A[i] with an undef, where it holds nothing. Cells of arguments do,
        // but for padding and what lies between their elements.
        visit_nodes(assume->condition, [&](const Expr& e) {
          if (e->op == Op::EQ && carries_undef(e, {}, {})) {
            for (const Var& v : data_read(e)) {
              if (!arguments.count(v)) memory.insert(v);
            }
          }
          return true;
        });
      }
      return true;
    });
  }
  return out;
}

}  // namespace hexproof
