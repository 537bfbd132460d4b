// bind {at: loop, thread: axis}
//
//   for i in [m, m + n): S(i)     ->     for i in T.thread_binding(m, m + n, thread=axis): S(i)
//
// Side conditions
//  1. The loop is serial, the axis one of blockIdx.*, threadIdx.* and vthread*, no loop around or inside is bound to it
//     already, and no memory of the function is one of threads, `shared` or `local` (checked here): what several
//     threads see of that is another question than that of iterations.
//  2. For all p < q: no access of S(p) and access of S(q) touch one cell with one of them writing.
//  3. Where S holds an assume, S is free of errors without those of earlier iterations.
#include "ir/visit.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/loop_kind.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite bind(const PrimFunc& func, const BindArgs& args) {
  const Path& at = args.at;
  const std::string& axis = args.thread;
  bool known = axis.starts_with("vthread");
  for (const char* kind : {"blockIdx.", "threadIdx."}) {
    for (const char* name : {"x", "y", "z"}) known |= axis == std::string(kind) + name;
  }
  if (!known) throw NotApplicable("'" + axis + "' is no axis of threads");
  visit_stmt(func.body, [&](const Stmt& s) {
    const std::string* scope = nullptr;
    if (const AllocBuffer* memory = s.as<AllocBuffer>()) scope = &memory->buffer->scope;
    if (const Allocate* memory = s.as<Allocate>()) scope = &memory->scope;
    if (scope && (scope->starts_with("shared") || scope->starts_with("local") || scope->starts_with("warp"))) {
      throw NotApplicable("the function has memory of scope '" + *scope + "', which threads share or do not share");
    }
    return true;
  });
  for (const Path& other :
       find_all(func, [&](const Stmt& s) { return s.as<For>() && s.as<For>()->thread_tag == axis; })) {
    if (is_within(at, other) || is_within(other, at)) {
      throw NotApplicable("a loop around or inside of this one is bound to '" + axis + "' already");
    }
  }
  Rewrite result = with_kind("bind", func, at, ForKind::ThreadBinding);
  const Stmt stmt = stmt_at(result.after, at);
  For loop = *stmt.as<For>();
  loop.thread_tag = axis;
  result.after = replace_at(result.after, at, make_stmt(std::move(loop), stmt->span));
  return result;
}

}  // namespace

extern const Rule k_bind{rule<bind>("for i: S  ->  for i in T.thread_binding: S")};

}  // namespace hexproof
