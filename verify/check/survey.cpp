// The memory of a function, and which of it may hold values computed from undef.
#include "verify/check/check_item.h"
#include "verify/facts/memory_size.h"
#include "verify/memory/argument_padding.h"
#include "verify/memory/undef_flow.h"

namespace hexproof {

CheckContext survey(const PrimFunc& func, Prover& prover) {
  UndefFlow undef = undef_flow(func);
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
