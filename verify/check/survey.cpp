// The memory of a function, and which of it may hold values computed from undef.
#include "verify/check/check_item.h"
#include "verify/facts/memory_size.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

namespace {

struct Tainted {
  std::set<Var> memory, vars;
};

Tainted tainted(const PrimFunc& func) {
  Tainted out;
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

}  // namespace

CheckContext survey(const PrimFunc& func, Prover& prover) {
  Tainted undef = tainted(func);
  CheckContext out{.func = func,
                   .prover = prover,
                   .memories = {},
                   .may_hold_undef = std::move(undef.memory),
                   .undef_vars = std::move(undef.vars)};
  for (const Param& param : func.params) {
    if (!param.buffer) continue;
    const BufferNode& b = *param.buffer;
    out.memories[b.data] = {
        .param = true,
        .constant = false,
        .path = {},
        .loops = 0,
        .extents = b.shape,
        .elements = memory_elements(layout_of_memory(param.buffer, [](const Expr& e) { return e; })),
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
      out.memories[b.data] = {
          .param = false,
          .constant = false,
          .path = path,
          .loops = facts.loops.size(),
          .extents = resolved(b.shape),
          .elements = memory_elements(layout_of_memory(a->buffer, [&](const Expr& e) { return facts.resolve(e); })),
          .dtype = b.dtype,
          .strided = !b.strides.empty() || b.elem_offset};
    } else if (const Allocate* a = s.as<Allocate>()) {
      out.memories[a->data] = {.param = false,
                               .constant = !a->constant.empty(),
                               .path = path,
                               .loops = facts.loops.size(),
                               .extents = extents_of(*a, facts),
                               .elements = memory_elements({.shape = extents_of(*a, facts), .dtype = a->dtype}),
                               .dtype = a->dtype,
                               .strided = false};
    }
    return true;
  });
  return out;
}

}  // namespace hexproof
