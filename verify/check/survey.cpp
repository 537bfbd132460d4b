// The memory of a function, and which of it may hold values computed from undef.
#include "verify/check/question.h"

namespace hexproof {

namespace {

/// Loads, and variables bound by lets, that carry an undef into `e`.
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

std::set<Var> undef_memory(const PrimFunc& func) {
  std::set<Var> memory, vars;
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
        // `A[i] == T.undef()` fills A[i] with an undef.
        visit_expr(assume->condition, [&](const Expr& e) {
          if (e->op == Op::EQ && carries_undef(e, {}, {})) {
            for (const Var& v : data_read(e)) memory.insert(v);
          }
          return true;
        });
      }
      return true;
    });
  }
  return memory;
}

}  // namespace

CheckContext survey(const PrimFunc& func, Prover& prover) {
  CheckContext out{.func = func, .prover = prover, .memories = {}, .may_hold_undef = undef_memory(func)};
  for (const Param& param : func.params) {
    if (!param.buffer) continue;
    const BufferNode& b = *param.buffer;
    out.memories[b.data] = {.param = true,
                            .constant = false,
                            .path = {},
                            .loops = 0,
                            .extents = b.shape,
                            .dtype = b.dtype,
                            .strided = !b.strides.empty() || b.elem_offset};
  }
  walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts& facts) {
    auto resolved = [&](std::vector<Expr> list) {
      for (Expr& e : list) e = facts.resolve(e);
      return list;
    };
    if (const AllocBuffer* a = s.as<AllocBuffer>()) {
      const BufferNode& b = *a->buffer;
      out.memories[b.data] = {.param = false,
                              .constant = false,
                              .path = path,
                              .loops = facts.loops.size(),
                              .extents = resolved(b.shape),
                              .dtype = b.dtype,
                              .strided = !b.strides.empty() || b.elem_offset};
    } else if (const Allocate* a = s.as<Allocate>()) {
      out.memories[a->data] = {.param = false,
                               .constant = !a->constant.empty(),
                               .path = path,
                               .loops = facts.loops.size(),
                               .extents = resolved(a->extents),
                               .dtype = a->dtype,
                               .strided = false};
    }
    return true;
  });
  return out;
}

}  // namespace hexproof
