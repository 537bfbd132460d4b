#include "verify/memory/undef_flow.h"

#include "ir/visit.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

bool carries_undef(const Expr& e, const std::set<Var>& memory, const std::set<Var>& vars) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->op == Op::Undef;
    found |= node->op == Op::Load && memory.count(node->buffer()->data);
    found |= node->op == Op::Var && vars.count(node->var());
    return !found;
  });
  return found;
}

bool decided_by_undef(const Expr& e, const UndefFlow& flow) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    if (node->op == Op::IfThenElse) found |= carries_undef(node->args[0], flow);
    if (node->op == Op::Load) {
      for (const Expr& index : node->args) found |= carries_undef(index, flow);
    }
    return !found;
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
        visit_expr(assume->condition, [&](const Expr& e) {
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
