// set-scope {buffer: Buffer or name, scope: text}
//
//   A = alloc_buffer(shape)   ->   A = alloc_buffer(shape, scope)
//
// Where an allocation lives says nothing of what it holds: cells, accesses and their order stay as they are.
//
// Side conditions
//  1. The buffer is an allocation: the memory of a parameter is the caller's.
//  2. No other buffer is declared over its memory, and no call is handed it: memory has one scope, which all that reach
//     it say.
//  3. No loop is bound to threads, where the scope is one that threads share or have for themselves, `shared`, `local`
//     or `warp` (checked here): what several threads see of such memory is another question than that of iterations.
#include "ir/visit.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite set_scope(const PrimFunc& func, const SetScopeArgs& args) {
  BufferSource source = buffer_arg(func, args.buffer);
  const Buffer& before = source.buffer;
  const std::string& scope = args.scope;
  if (source.param) throw NotApplicable("'" + before->name + "' is an argument, not an allocation");
  if (scope.empty()) throw NotApplicable("a scope has a name, such as \"local\"");
  if (scope == before->scope) throw NotApplicable("'" + before->name + "' is in the scope \"" + scope + "\" already");
  if (scope.starts_with("shared") || scope.starts_with("local") || scope.starts_with("warp")) {
    visit_stmt(func.body, [&](const Stmt& s) {
      const For* loop = s.as<For>();
      if (loop && loop->kind == ForKind::ThreadBinding) {
        throw NotApplicable("the loop over '" + loop->var.name() +
                            "' is bound to threads, which share such memory or not");
      }
      return true;
    });
  }
  demand_own_memory(func, before);
  const Path& alloc = *source.alloc;
  Buffer after = make_buffer(before->name, before->dtype, before->shape,
                             {.axis_separators = before->axis_separators, .scope = scope});
  Stmt body = rename_buffer(stmt_at(func, below(alloc, 0)), before, after);
  return {.after = replace_at(func, alloc, make_stmt(AllocBuffer{after, body}, stmt_at(func, alloc)->span)),
          .needs = {}};
}

}  // namespace

extern const Rule k_set_scope{rule<set_scope>("an allocation  ->  the same one in another scope")};

}  // namespace hexproof
