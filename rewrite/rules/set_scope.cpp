// set-scope {buffer: Buffer or name, scope: text}
//
//   A = T.alloc_buffer(...)       ->      A = T.alloc_buffer(..., scope=scope)
//   S(A)                                  S(A)
//
// Where a memory lies computes nothing; whether the machine has such a memory, and how much, is asked when code is made
// for it.
//
// Side conditions
//  1. The buffer is allocated in the function (checked here): that of an argument is the caller's.
//  2. It is the only one over its memory (checked here): views would say another scope.
#include "ir/visit.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite set_scope(const PrimFunc& func, const Args& args) {
  const BufferSource source = buffer_arg(func, args, "buffer");
  const Buffer& buffer = source.buffer;
  const std::string& scope = arg<std::string>(args, "scope");
  if (!source.alloc) throw NotApplicable("'" + buffer->name + "' is an argument: its memory is the caller's");
  if (scope.empty()) throw NotApplicable("the scope has no name");
  demand_own_memory(func, buffer);
  const Buffer moved = make_buffer(buffer->name, buffer->dtype, buffer->shape,
                                   {.axis_separators = buffer->axis_separators, .scope = scope});
  const Stmt stmt = stmt_at(func, *source.alloc);
  const AllocBuffer& memory = *stmt.as<AllocBuffer>();
  AllocBuffer there = memory;
  there.buffer = moved;
  there.body = rename_buffer(memory.body, buffer, moved);
  return {.after = replace_at(func, *source.alloc, make_stmt(std::move(there), stmt->span)), .needs = {}};
}

}  // namespace

extern const Rule k_set_scope{"set-scope", "an allocation  ->  the same memory in another scope", &set_scope};

}  // namespace hexproof
